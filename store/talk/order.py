"""Which messages a conversation has, and in a first look what each of them is."""

import sqlite3
from array import array
from collections.abc import Iterator

import orjson

from store.catalogue.reader import Reader
from store.catalogue.rows.transcripts import at_of
from store.records.conversation import MESSAGE_KINDS
from store.talk.said import Opening, Order, Skim

_AMONG = (
    "FROM conversations JOIN runs ON runs.conversation = conversations.id "
    "JOIN messages ON messages.source = runs.source "
    "AND messages.line BETWEEN runs.first_line AND runs.last_line "
    "WHERE conversations.ref = ? ORDER BY messages.line, messages.id"
)
"""The messages of a conversation; their ids and lines stand in an index."""

_BEGINNING = 200
"""Characters of a prompt that an outline tells."""

_KIND = {kind: number for number, kind in enumerate(MESSAGE_KINDS)}
_OTHER = _KIND["other"]


def order_of(reader: Reader, ref: str) -> Order:
    """The messages of a conversation, without looking at any of them.

    They come as two texts: fifty thousand rows would take three times as long.
    """
    numbers, lines = reader.connection.execute(
        "SELECT json_group_array(id), json_group_array(line) FROM "
        f"(SELECT messages.id AS id, messages.line AS line {_AMONG})",
        (ref,),
    ).fetchone()
    return Order(array("q", orjson.loads(numbers)), array("q", orjson.loads(lines)))


def skim_of(reader: Reader, ref: str) -> Skim:
    """What the messages of a conversation are."""
    rows = reader.connection.execute(
        f"SELECT kind, at_micros, errors, calls, answers {_AMONG}", (ref,)
    )
    kinds = bytearray()
    micros, calls = array("q"), array("q")
    failed: set[int] = set()
    places: dict[str, int] = {}
    latest = 0
    for place, (kind, moment, errors, called, answered) in enumerate(rows):
        kinds.append(_KIND.get(kind, _OTHER))
        latest = max(latest, moment or 0)
        micros.append(latest)
        for call in orjson.loads(called) if called else ():
            places.setdefault(call, place)
        first = orjson.loads(answered)[0] if answered else ""
        calls.append(places.get(first, place))
        if errors:
            failed.add(calls[-1])
    return Skim(bytes(kinds), micros, calls, frozenset(failed))


def openings_of(reader: Reader, ref: str) -> list[Opening]:
    """How the prompts of a conversation begin."""
    condition = _AMONG.replace("ORDER", "AND messages.kind = 'prompt' ORDER")
    rows = reader.ask(
        f"SELECT messages.id, at, at_micros, substr(text, 1, {_BEGINNING}) AS said "
        f"{condition}",
        (ref,),
    )
    return list(_openings(rows))


def _openings(rows: sqlite3.Cursor) -> Iterator[Opening]:
    for row in rows:
        yield Opening(row["id"], at_of(row["at"], row["at_micros"]), row["said"])
