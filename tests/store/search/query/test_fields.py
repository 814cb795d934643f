from collections import Counter

import pytest

from store.kinds import KINDS
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge
from store.kinds.field import Type
from store.kinds.journals import Event, Measure
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.kinds.pages import Document, Episode
from store.kinds.problems import Problem
from store.search.fields import FIELDS, field_of, fields_of, names
from store.search.tree import ALL

RECORDS = {
    "memories": Memory,
    "edges": Edge,
    "episodes": Episode,
    "conversations": Conversation,
    "messages": Message,
    "events": Event,
    "measures": Measure,
    "documents": Document,
    "problems": Problem,
}
ASKED_OTHERWISE = {
    "pinned",
    "archived",
    "ignored",
    "is_error",
    "points_to",
    "copies",
    "ready_at",
}
"""What is asked for by `is:`, `has:` and `status:active`."""


def test_the_kinds_are_those_that_can_be_listed() -> None:
    assert set(KINDS) == ALL


@pytest.mark.parametrize("kind", RECORDS)
def test_every_field_of_a_record_can_be_queried(kind: str) -> None:
    known = {name for f in fields_of(frozenset({kind})) for name in f.called}
    said = {name.rstrip("_") for name in RECORDS[kind].__struct_fields__}
    assert said - known - ASKED_OTHERWISE == set()


@pytest.mark.parametrize("kind", sorted(ALL))
def test_every_sort_key_can_be_queried(kind: str) -> None:
    known = {name for f in fields_of(frozenset({kind})) for name in f.called}
    assert set(KINDS[kind].sorts) - known == set()


@pytest.mark.parametrize("kind", sorted(ALL))
def test_a_name_means_one_field_of_a_kind(kind: str) -> None:
    called = [name for f in fields_of(frozenset({kind})) for name in f.called]
    assert [name for name, count in Counter(called).items() if count > 1] == []


def test_a_field_is_found_by_its_whole_name_and_kind() -> None:
    of_messages, of_events = field_of("kind", "messages"), field_of("kind", "events")
    assert of_messages is not None
    assert of_events is not None
    assert "prompt" in (of_messages.choices or ())
    assert of_events.choices is None
    assert field_of("kind", "memories") is None


def test_whole_names_win_over_aliases_and_those_over_prefixes() -> None:
    memories = fields_of(frozenset({"memories"}))
    assert names("links", memories) == ("links",)
    assert names("link", memories) == ("links", "links_in", "links_out")
    assert names("seen", memories) == ("accessed",)
    assert names("s", FIELDS)[0] == "stage"


def test_only_choices_have_choices() -> None:
    for field in FIELDS:
        closed = {Type.CHOICE, Type.SINCE}.intersection(field.types)
        assert (field.choices is not None) == bool(closed)
