"""Messages of a conversation, some at a time, each call with its answer."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson

from store.catalogue.reader import Reader
from store.catalogue.rows.transcripts import COMPACTION, at_of
from store.talk.said import Outcome, Said
from store.transcript import without_thoughts
from store.transcript.blocks import CUT

_AROUND = 64
"""How many messages before and after are searched for the other half of a call: what
answers one follows at once, but for the answers of those that were made with it."""

_WHOLE = "key, line, kind, at, at_micros, tools, flags, text, "
_PAIRING = "id, ref, calls, answers, errors, extent"
_HELPER = "agent"
"""What the keys of messages begin with that a transcript tells of a sub-agent."""

_THESE = "FROM messages WHERE id IN (SELECT value FROM json_each(?))"


class _Pairs(NamedTuple):
    """Which message answers which call, as far as one has looked."""

    answers: dict[str, Outcome]
    """The first answer to each call."""
    made: set[str]
    """The calls that were made."""


def said(
    reader: Reader, numbers: Sequence[int], first: int, last: int
) -> list[Said | None]:
    """The messages from one place in an order to another; None for those gone."""
    page = numbers[first:last]
    around = [
        *numbers[max(first - _AROUND, 0) : first],
        *numbers[last : last + _AROUND],
    ]
    rows = reader.ask(f"SELECT {_WHOLE} {_PAIRING} {_THESE}", (_listed(page),))
    found: dict[int, sqlite3.Row] = {row["id"]: row for row in rows}
    others = reader.ask(
        f"SELECT {_PAIRING}, CASE WHEN answers IS NOT NULL THEN text END AS text "
        f"{_THESE}",
        (_listed(around),),
    )
    pairs = _paired([*found.values(), *others])
    return [_said(found[one], pairs) if one in found else None for one in page]


def _paired(rows: Iterable[sqlite3.Row]) -> _Pairs:
    """The calls of some messages, and what answers them."""
    pairs = _Pairs({}, set())
    for row in sorted(rows, key=_number):
        pairs.made.update(_several(row["calls"]))
        answered = _several(row["answers"])
        for call in answered:
            pairs.answers.setdefault(call, _outcome(row, len(answered)))
    return pairs


def _number(row: sqlite3.Row) -> int:
    number: int = row["id"]
    return number


def _outcome(row: sqlite3.Row, answers: int) -> Outcome:
    """What a message answers; of several answers one cannot tell which failed."""
    errors = row["errors"] or 0
    text: str = row["text"] if answers == 1 else ""
    return Outcome(
        ref=row["ref"],
        text=text,
        is_cut=answers > 1 or text.endswith(CUT),
        extent=row["extent"],
        has_failed=None if 0 < errors < answers else bool(errors),
    )


def _said(row: sqlite3.Row, pairs: _Pairs) -> Said:
    calls, answered = _several(row["calls"]), _several(row["answers"])
    text, thoughts = without_thoughts(row["kind"], row["text"])
    return Said(
        number=row["id"],
        ref=row["ref"],
        line=row["line"],
        kind=row["kind"],
        at=at_of(row["at"], row["at_micros"]),
        micros=row["at_micros"],
        text=text,
        thoughts=thoughts,
        tools=_several(row["tools"]),
        calls=calls,
        outcomes=tuple(pairs.answers.get(call) for call in calls),
        is_told=bool(answered) and all(_tells(pairs, row, one) for one in answered),
        has_failed=bool(row["errors"]),
        is_compaction=bool((row["flags"] or 0) & COMPACTION),
        agent=_agent(row["key"]),
    )


def _tells(pairs: _Pairs, row: sqlite3.Row, call: str) -> bool:
    """Whether a message's answer is the one that is told with its call."""
    return call in pairs.made and pairs.answers[call].ref == row["ref"]


def _agent(key: str | None) -> str | None:
    """The sub-agent that a message's key names."""
    kind, _, rest = (key or "").partition(":")
    return rest.partition(":")[0] if kind == _HELPER and rest else None


def _several(cell: str | None) -> tuple[str, ...]:
    return tuple(orjson.loads(cell)) if cell else ()


def _listed(numbers: Iterable[int]) -> str:
    return orjson.dumps(list(numbers)).decode()
