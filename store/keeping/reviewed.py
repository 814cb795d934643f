"""What was gone through in a review and found right, until it changes."""

import json
from collections.abc import Mapping
from pathlib import Path

from store.errors import UnreadableError
from store.files.jsonl.values import parse
from store.places import Places
from store.private import only_writer, read_own, replace_own

_LIMIT = 64 * 1024 * 1024


def reviewed(places: Places) -> dict[str, str]:
    """How each record stood when it was found right, by its ref; never raises."""
    try:
        raw = read_own(_file(places), _LIMIT) or b""
    except UnreadableError:
        return {}
    found: dict[str, str] = {}
    for line in filter(bytes.strip, raw.split(b"\n")):
        for value in parse(line).values:
            if isinstance(value, dict):
                found[str(value.get("ref"))] = str(value.get("stood"))
    return found


def note_reviewed(places: Places, ref: str, stood: str | None) -> None:
    """Note that a record is right as it stands; None takes the note back.

    Raises NotWrittenError.
    """
    with only_writer(places.state):
        notes = reviewed(places)
        if stood is None:
            notes.pop(ref, None)
        else:
            notes[ref] = stood
        _write(places, notes)


def _write(places: Places, notes: Mapping[str, str]) -> None:
    lines = [json.dumps({"ref": ref, "stood": stood}) for ref, stood in notes.items()]
    replace_own(_file(places), "".join(f"{line}\n" for line in lines).encode())


def _file(places: Places) -> Path:
    return places.state / "reviewed"
