"""Spans and close-ups of conversations, for the timeline."""

import os
from pathlib import Path

import pytest

from store.catalogue.reader import Page
from store.derive.conversations import Tokens
from store.derive.statistics import ALONE, NEVER, UNDATED
from store.library import Library
from store.vault.vault import DAY
from tests.store.catalogue.stores import Shelf, micros
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    answers,
    assistant,
    calls,
    put,
    says,
    user,
)

WRITTEN = micros("2026-02-20T12:00:00Z")
"""When the transcript was last written, as its file says."""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A session of two models, and the sub-agent that it started."""
    root = tmp_path / ".claude" / "projects"
    session = put(
        root / SLUG / f"{SESSION}.jsonl",
        user("a", "mend it"),
        assistant("b", says("first"), calls("c1", "Bash"), second=60),
        user("c", [answers("c1")], second=70),
        assistant("d", calls("c2", "Bash"), calls("c3", "Edit"), second=80),
        assistant("e", says("other"), second=90, message={"model": "claude-haiku-4-5"}),
        assistant("f", says("more"), second=100, message={"model": "claude-haiku-4-5"}),
    )
    agent = put(
        root / SLUG / SESSION / "subagents" / "agent-a0123456789abcdef.jsonl",
        user("g", "look", 65, isSidechain=True, agentId="a0123456789abcdef"),
        assistant("h", says("seen"), second=75, isSidechain=True),
    )
    for file in (session, agent):
        os.utime(file, ns=(WRITTEN * 1000, WRITTEN * 1000))
    shelf = Shelf(tmp_path / "catalogue.db", root)
    shelf.sync()
    return shelf


def rows(library: Library) -> list[int]:
    """All conversations, the newest first."""
    return list(library.lists.order("conversations", Page()))


def test_spans_have_their_time_and_parent(shelf: Shelf) -> None:
    with shelf.opened() as library:
        order = rows(library)
        spans = library.counts.spans(order)
        records = [library.lists.numbered("conversations", [row])[row] for row in order]

    refs = [record.ref for record in records]
    told = [getattr(record, "parent", None) for record in records]
    assert list(spans.begins) == [micros(getattr(one, "first", "")) for one in records]
    assert list(spans.ends) == [micros(getattr(one, "last", "")) for one in records]
    assert [ALONE if at == ALONE else refs[at] for at in spans.parents] == [
        parent or ALONE for parent in told
    ]
    assert sorted(spans.messages) == [2, 6]


def test_only_the_transcripts_of_sessions_expire(shelf: Shelf) -> None:
    with shelf.opened() as library:
        spans = library.counts.spans(rows(library))

    assert sorted(spans.leaves) == [NEVER, WRITTEN + 30 * DAY]
    assert [leave == NEVER for leave in spans.leaves] == [
        parent != ALONE for parent in spans.parents
    ]


def test_the_agents_own_settings_count(shelf: Shelf) -> None:
    settings = shelf.places[0].parent / "settings.json"
    settings.write_text('{"cleanupPeriodDays": 60}', encoding="utf-8")
    with shelf.opened() as library:
        assert WRITTEN + 60 * DAY in library.counts.spans(rows(library)).leaves

    settings.write_text('{"cleanupPeriodDays": 0}', encoding="utf-8")
    with shelf.opened() as library:
        assert set(library.counts.spans(rows(library)).leaves) == {NEVER}


def test_a_missing_parent_is_none(shelf: Shelf) -> None:
    with shelf.opened() as library:
        order = rows(library)
        parents = library.counts.spans(order).parents
        (child,) = (row for row, at in zip(order, parents, strict=True) if at != ALONE)
        assert list(library.counts.spans([child]).parents) == [ALONE]


def test_deleted_conversations_keep_their_place(shelf: Shelf) -> None:
    with shelf.opened() as library:
        row, *_ = rows(library)
        spans = library.counts.spans([row, 987_654, row])

    assert len(spans) == 3
    assert spans.begins[1] == UNDATED
    assert spans.begins[0] == spans.begins[2] != UNDATED
    assert list(spans.messages)[1] == 0


def test_nothing_has_no_spans(shelf: Shelf) -> None:
    with shelf.opened() as library:
        assert len(library.counts.spans([])) == 0
        assert library.counts.closeups([]) == {}


def test_closeups_name_tools_and_tokens_of_each_model(shelf: Shelf) -> None:
    with shelf.opened() as library:
        order = rows(library)
        found = library.counts.closeups(order)
        parents = library.counts.spans(order).parents
    (session,) = (row for row, at in zip(order, parents, strict=True) if at == ALONE)

    once = Tokens(input=3, output=5, cache_read=7, cache_creation=11)
    twice = Tokens(input=6, output=10, cache_read=14, cache_creation=22)
    assert found[session].tools == (("Bash", 2), ("Edit", 1))
    assert found[session].spent == {
        "claude-opus-4-6": twice,
        "claude-haiku-4-5": twice,
    }
    (agent,) = (found[row] for row in order if row != session)
    assert (agent.tools, agent.spent) == ((), {"claude-opus-4-6": once})


def test_a_model_before_the_gap_still_counts(tmp_path: Path) -> None:
    """Only changes are kept of each message, across conversations too."""
    root = tmp_path / "projects"
    put(
        root / SLUG / f"{SESSION}.jsonl",
        user("a", "one"),
        assistant("b", says("first"), second=60),
        {**user("c", "two"), "timestamp": "2026-03-01T14:00:00.000Z"},
        {**assistant("d", says("second")), "timestamp": "2026-03-01T14:01:00.000Z"},
    )
    shelf = Shelf(tmp_path / "catalogue.db", root)
    shelf.sync()
    with shelf.opened() as library:
        found = library.counts.closeups(rows(library))

    assert [list(one.spent or ()) for one in found.values()] == [
        ["claude-opus-4-6"],
        ["claude-opus-4-6"],
    ]
