"""A field is compared with the values of the record itself."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from store.kinds import KINDS, Record
from store.kinds.conversations import Conversation
from store.kinds.field import Field, Match, Type
from store.kinds.memories import Memory
from store.library import Library
from store.search.fields import FIELDS
from store.search.tree import Compared, Named
from store.text import fold
from store.times import parse
from tests.store.catalogue.search.question import rows, tree_of
from tests.store.catalogue.stores import NOON, micros

SHOWN_AS = {"from": "from_title", "to": "to_title"}
"""Fields that an attribute of another name shows."""

OTHERWISE = {
    ("conversations", "tokens"),
    ("documents", "role"),
    ("episodes", "memory"),
    ("measures", "metric"),
    *((kind, "store") for kind in KINDS),
}
"""Fields that a record shows in another form than they are asked for."""

SHOWN = [
    (kind, field)
    for field in FIELDS
    for kind in sorted(field.kinds)
    if (kind, field.name) not in OTHERWISE
]

WEIGHTS: dict[Any, float] = {"high": 0.9, "medium": 0.5, "low": 0.1}
"""Words for importance, and the numbers that they stand for."""

NEVER = {'wrote:"["'}
"""What no record has."""

FEW = 12
"""So many values of a field are tried."""

DAY = 86_400_000_000
"""In microseconds."""


def named(one: str | Field) -> str:
    """The id of a test."""
    return one.name if isinstance(one, Field) else one


def shown(record: Record, field: Field) -> tuple[Any, ...]:
    """The value of a record's field."""
    value: Any = getattr(record, SHOWN_AS.get(field.name, field.name), None)
    if value is None:
        return ()
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)


def matches(match: Match, text: str, wanted: str) -> bool:
    """Whether a value of a record matches a text."""
    text, wanted = fold(text), fold(wanted)
    match match:
        case Match.IS:
            return text == wanted
        case Match.PART:
            return wanted in text
        case Match.BEGINS:
            return text.startswith(wanted)


@pytest.mark.parametrize(("kind", "field"), SHOWN, ids=named)
def test_a_record_is_found_by_its_values(
    samples: Library, kind: str, field: Field
) -> None:
    everything = rows(samples, kind, tree_of(""))
    seen = [(record, shown(record, field)) for record in everything]
    values = dict.fromkeys(value for _, several in seen for value in several)
    texts = [v for v in values if isinstance(v, str) and Type.TIME not in field.types]
    for value in texts[:FEW]:
        found = rows(samples, kind, Named(field.name, (value.lower(),)))
        assert found == [
            record
            for record, several in seen
            if any(matches(field.match, str(one), value) for one in several)
        ]
    numbers = [v for v in values if field.is_compared and not isinstance(v, str)]
    for value in numbers[:FEW]:
        found = rows(samples, kind, Compared(field.name, "<=", float(value)))
        assert found == [
            record
            for record, several in seen
            if any(WEIGHTS.get(one, one) <= value for one in several)
        ]


def age(instant: str | None) -> float:
    """The age in days; infinite without a time."""
    at = parse(instant).micros if instant else None
    return float("nan") if at is None else (micros(NOON) - at) / DAY


def importance(memory: Memory) -> float:
    """The importance of a memory; words count as numbers."""
    weight = memory.importance
    if isinstance(weight, str):
        return WEIGHTS[weight]
    return float("nan") if weight is None else weight


def hours(conversation: Conversation) -> float:
    """The duration of a conversation in hours."""
    return round(24 * (age(conversation.first) - age(conversation.last)), 6)


STORIES: list[tuple[str, str, Callable[[Any], bool]]] = [
    ("memories", "type:fix,solution", lambda m: m.type in {"fix", "solution"}),
    ("memories", "tag:redis", lambda m: "redis" in m.tags),
    ("memories", "tag:redis,rust", lambda m: bool({"redis", "rust"} & set(m.tags))),
    ("memories", "stage:fading", lambda m: m.stage == "fading"),
    ("memories", "is:fading", lambda m: m.stage == "fading"),
    ("memories", "is:pinned", lambda m: m.pinned),
    ("memories", "is:archived", lambda m: m.archived or m.stage == "archived"),
    ("memories", "is:orphan", lambda m: not m.links_in + m.links_out),
    ("memories", "is:duplicate", lambda m: "duplicate-id" in m.problems),
    ("memories", "has:edges", lambda m: m.links_in + m.links_out > 0),
    ("memories", "has:tags", lambda m: bool(m.tags)),
    ("memories", "has:description", lambda m: bool(m.description)),
    ("memories", "has:steps", lambda m: m.type == "procedure"),
    ("memories", "has:problems", lambda m: bool(m.problems)),
    ("memories", "problem:index-drift", lambda m: "index-drift" in m.problems),
    ("memories", "importance:high", lambda m: m.importance == "high"),
    ("memories", "imp>=.7", lambda m: importance(m) >= 0.7),
    ("memories", "str<.2", lambda m: m.strength < 0.2),
    ("memories", "strength>=20%", lambda m: m.strength >= 0.2),
    ("memories", "uses=0", lambda m: m.access_count == 0),
    ("memories", "links>5", lambda m: m.links_in + m.links_out > 5),
    ("memories", "created<30d", lambda m: age(m.created) < 30),
    ("memories", "created>=30d", lambda m: age(m.created) >= 30),
    ("memories", "accessed<=2025-11", lambda m: m.accessed[:7] <= "2025-11"),
    ("memories", "seen<14d", lambda m: age(m.accessed) < 14),
    ("memories", "created:2026-02", lambda m: (m.created or "")[:7] == "2026-02"),
    ("memories", "format:notes", lambda m: m.format == "notes"),
    ("memories", "path:archive", lambda m: "archive" in m.path),
    ("edges", "edge:SOLVES", lambda e: e.type == "SOLVES"),
    ("edges", "is:broken", lambda e: not (e.from_ and e.to)),
    ("edges", "is:onesided", lambda e: "one-sided-link" in e.problems),
    ("edges", "has:file", lambda e: "file" in e.sides),
    ("edges", "side:wikilink", lambda e: "wikilink" in e.sides),
    ("episodes", "on:2026-02-28", lambda e: e.date == "2026-02-28"),
    ("episodes", "month:2026-02", lambda e: e.date[:7] == "2026-02"),
    ("episodes", "year:2025", lambda e: e.date[:4] == "2025"),
    ("episodes", "date<=2025-12", lambda e: e.date <= "2025-12-31"),
    ("episodes", "since:7d", lambda e: e.date >= "2026-02-22"),
    ("episodes", "has:memory", lambda e: e.memory is not None),
    ("conversations", "status:ready", lambda c: c.status == "ready"),
    ("conversations", "project:kilnbook", lambda c: c.project == "kilnbook"),
    ("conversations", "is:subagent", lambda c: c.parent is not None),
    ("conversations", "has:errors", lambda c: c.tool_errors > 0),
    ("conversations", "has:compactions", lambda c: c.compactions > 0),
    (
        "conversations",
        "wrote:docs",
        lambda c: any("docs" in f for f in c.files_written),
    ),
    ("conversations", 'wrote:"["', lambda _: False),
    ("conversations", "model:opus", lambda c: bool(c.models)),
    ("conversations", "prompts>=3", lambda c: c.prompts >= 3),
    ("conversations", "duration>=1h", lambda c: hours(c) >= 1),
    ("messages", "kind:prompt,reply", lambda m: m.kind in {"prompt", "reply"}),
    ("messages", "tool:Bash", lambda m: "Bash" in m.tools),
    ("messages", "tool:bash", lambda m: "Bash" in m.tools),
    ("messages", "role:user", lambda m: m.role == "user"),
    ("events", "is:error", lambda e: e.is_error),
    ("events", "has:file", lambda e: e.file_path is not None),
    ("measures", "kind:task", lambda m: m.kind == "task"),
    ("measures", "exit=0", lambda m: m.exit == 0),
    ("documents", "role:core", lambda d: d.role == "core"),
    ("documents", "bytes>1k", lambda d: d.text_bytes > 1000),
    ("problems", "severity:error", lambda p: p.severity == "error"),
    ("problems", "code:index-drift", lambda p: p.code == "index-drift"),
]
"""What is asked of a kind, and what this comes to for a record."""


@pytest.mark.parametrize(("kind", "text", "is_meant"), STORIES)
def test_matching_records_are_those_with_the_value(
    samples: Library, kind: str, text: str, is_meant: Callable[[Any], bool]
) -> None:
    everything = rows(samples, kind, tree_of("", kind))
    wanted = [record for record in everything if holds(is_meant, record)]

    assert rows(samples, kind, tree_of(text, kind)) == wanted
    assert rows(samples, kind, tree_of(f"-{text}", kind)) == [
        record for record in everything if record not in wanted
    ]
    assert len(wanted) < len(everything)
    assert wanted or text in NEVER


def holds(is_meant: Callable[[Any], bool], record: Record) -> bool:
    """Whether a record matches; missing values never do."""
    try:
        return is_meant(record)
    except TypeError:
        return False
