"""Problems that somebody has seen and wants to hear no more of."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from store.errors import UnreadableError
from store.files.jsonl.values import parse
from store.places import Places
from store.private import only_writer, read_own, replace_own

_LIMIT = 16 * 1024 * 1024


class Ignored(NamedTuple):
    """What tells a problem from all others, whatever else changes."""

    store: str
    code: str
    path: str


def ignored(places: Places) -> frozenset[Ignored]:
    """The problems that are to be left out; never raises."""
    try:
        raw = read_own(_file(places), _LIMIT) or b""
    except UnreadableError:
        return frozenset()
    lines = filter(bytes.strip, raw.split(b"\n"))
    values = [value for line in lines for value in parse(line).values]
    return frozenset(
        Ignored(*map(str, value))
        for value in values
        if isinstance(value, list) and len(value) == len(Ignored._fields)
    )


def ignore(places: Places, problems: Iterable[Ignored], *, ignores: bool) -> None:
    """Leave problems out from now on, or no longer; raises NotWrittenError."""
    with only_writer(places.state):
        before = ignored(places)
        after = before | set(problems) if ignores else before - set(problems)
        text = "".join(f"{json.dumps(list(one))}\n" for one in sorted(after))
        replace_own(_file(places), text.encode())


def _file(places: Places) -> Path:
    return places.state / "ignored"
