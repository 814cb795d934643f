"""The stores that the user has allowed to be changed; all others are read-only."""

import json
from pathlib import Path

from store.errors import UnreadableError
from store.files.jsonl.values import parse
from store.places import Places
from store.private import only_writer, read_own, replace_own

_LIMIT = 4 * 1024 * 1024


def permitted(places: Places) -> frozenset[str]:
    """Their paths; what cannot be read allows nothing."""
    try:
        raw = read_own(_file(places), _LIMIT)
    except UnreadableError:
        return frozenset()
    lines = [parse(line) for line in (raw or b"").splitlines() if line.strip()]
    values = [value for line in lines if not line.problem for value in line.values]
    return frozenset(value for value in values if isinstance(value, str))


def permit(places: Places, store: str, *, changes: bool) -> None:
    """Remember whether a store may be changed; raises NotWrittenError."""
    with only_writer(places.state):
        before = permitted(places)
        after = before | {store} if changes else before - {store}
        if after != before:
            text = "".join(f"{json.dumps(path)}\n" for path in sorted(after))
            replace_own(_file(places), text.encode())


def _file(places: Places) -> Path:
    return places.state / "permitted"
