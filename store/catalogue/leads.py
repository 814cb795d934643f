"""Where a pointer leads that somebody wrote down: which record it may mean.

A pointer is whatever an agent thought would be found again: `tasks.jsonl#musl-build`, a
session's identifier, that of a message or a call, `traces/….jsonl:42`.
"""

import os
import re
from collections.abc import Iterator
from uuid import UUID

from msgspec import Struct

from store.catalogue.reader import Reader

_TIER = re.compile(r"^(?:REAL|FROM-JOURNAL|ESTIMATE(?:-HTC)?):\s*")
_PLACE = re.compile(r"(?P<path>[^#\s]+?)(?:#L?|:)(?P<line>[0-9]{1,9})")
_ENTRY = re.compile(r"(?P<path>[^#\s]+)#(?P<entry>\S.*)")
_LIKE, _ESCAPED = re.compile("[!%_]"), r"!\g<0>"
_LONGEST = 1000

_FILE = (
    "source IN (SELECT id FROM sources "
    "WHERE CAST(path AS TEXT) = :path OR CAST(path AS TEXT) LIKE :end ESCAPE '!')"
)
"""Whether something lies in a file that a path ends in."""


_IN_SESSION = "events.session = :entry AND NOT events.is_copy"


class Pointer(Struct, frozen=True):
    """What a pointer says, taken apart."""

    text: str
    path: str = ""
    """The file that it names, if it names one."""
    line: int | None = None
    entry: str = ""
    """What something is called in that file."""

    @classmethod
    def of(cls, text: str) -> "Pointer":
        """A pointer as it was written."""
        text = _TIER.sub("", text.strip()[:_LONGEST]).strip()
        if place := _PLACE.fullmatch(text):
            return cls(text, place["path"], int(place["line"]))
        if entry := _ENTRY.fullmatch(text):
            return cls(text, entry["path"], entry=entry["entry"].strip())
        return cls(text, text)


def meant(reader: Reader, pointer: Pointer, store: str, besides: str) -> str | None:
    """The ref of the record that a pointer means, but for the one that it stands in.

    One of the same store goes first.
    """
    found = _meant(reader, pointer, store)
    return next((ref for ref in found if ref != besides), None)


def _meant(reader: Reader, pointer: Pointer, store: str) -> Iterator[str]:
    """The records that it may mean, the likeliest first."""
    for kind in ("measures", "events", "messages"):
        if pointer.line is not None:
            condition = f"{kind}.line = :line AND {kind}.{_FILE}"
            yield from _refs(reader, kind, condition, pointer, store)
    if pointer.entry:
        called = "(measures.own_id = :entry OR measures.name = :entry)"
        called = f"{called} AND measures.{_FILE}"
        yield from _refs(reader, "measures", called, pointer, store)
    yield from _named(reader, pointer, pointer.entry or pointer.text, store)


def _named(reader: Reader, pointer: Pointer, name: str, store: str) -> Iterator[str]:
    """The records that go by a name wherever they are: sessions, messages, calls."""
    named = Pointer(pointer.text, entry=name)
    yield from _refs(
        reader, "conversations", "conversations.session = :entry", named, store
    )
    if _uuid(name):
        yield from _refs(reader, "messages", "messages.uuid = :uuid", named, store)
    for kind in ("agents", "measures"):
        yield from _refs(reader, kind, f"{kind}.own_id = :entry", named, store)
    yield from _refs(reader, "events", _IN_SESSION, named, store)
    for kind in ("memories", "messages", "measures", "conversations", "events"):
        yield from _refs(reader, kind, f"{kind}.ref = :entry", named, store)


def _refs(
    reader: Reader, kind: str, condition: str, pointer: Pointer, store: str
) -> Iterator[str]:
    """The first record of a kind for which a condition holds, if there is one."""
    within = ", ".join(str(row) for row in reader.stores_seen) or "NULL"
    question = (
        f"SELECT {kind}.ref FROM {kind} JOIN stores ON stores.id = {kind}.store "
        f"WHERE {condition} AND {kind}.store IN ({within}) "
        f"ORDER BY stores.path = :store DESC, {kind}.id LIMIT 1"
    )
    name = pointer.path.removeprefix("./")
    values = {
        "entry": pointer.entry,
        "uuid": _uuid(pointer.entry),
        "line": pointer.line,
        "path": name,
        "end": f"%/{_LIKE.sub(_ESCAPED, name)}",
        "store": os.fsencode(store),
    }
    rows: list[tuple[str]] = reader.connection.execute(question, values).fetchall()
    return (ref for (ref,) in rows)


def _uuid(name: str) -> bytes | None:
    """A message's identifier as its cell holds it; None for what is none."""
    try:
        return UUID(name).bytes
    except ValueError:
        return None
