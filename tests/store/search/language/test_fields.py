from collections import Counter

import pytest

from store.catalogue.views import VIEWS
from store.records.conversation import Conversation, Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.event import Event
from store.records.measure import Measure
from store.records.memory import Memory
from store.records.problem import Problem
from store.search.language.fields import FIELDS, Type, field_of, fields_of, names
from store.search.language.kinds import ALL
from tui.words import KINDS

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
    "is_error",
    "points_to",
}
"""What is asked for by `is:` and `has:`."""


def test_the_kinds_are_those_that_can_be_listed() -> None:
    assert set(KINDS) == ALL


@pytest.mark.parametrize("kind", RECORDS)
def test_every_field_of_a_record_can_be_asked_for(kind: str) -> None:
    known = {name for f in fields_of(frozenset({kind})) for name in f.called}
    said = {name.rstrip("_") for name in RECORDS[kind].__struct_fields__}
    assert said - known - ASKED_OTHERWISE == set()


@pytest.mark.parametrize("kind", sorted(ALL))
def test_whatever_a_list_is_sorted_by_can_be_asked_for(kind: str) -> None:
    known = {name for f in fields_of(frozenset({kind})) for name in f.called}
    assert set(VIEWS[kind].sorts) - known == set()


@pytest.mark.parametrize("kind", sorted(ALL))
def test_a_name_means_one_field_of_a_kind(kind: str) -> None:
    called = [name for f in fields_of(frozenset({kind})) for name in f.called]
    assert [name for name, count in Counter(called).items() if count > 1] == []


def test_a_field_is_found_by_its_whole_name_and_a_kind() -> None:
    of_messages, of_events = field_of("kind", "messages"), field_of("kind", "events")
    assert of_messages is not None
    assert of_events is not None
    assert "prompt" in (of_messages.choices or ())
    assert of_events.choices is None
    assert field_of("kind", "memories") is None


def test_whole_names_go_before_others_and_those_before_beginnings() -> None:
    memories = fields_of(frozenset({"memories"}))
    assert names("links", memories) == ("links",)
    assert names("link", memories) == ("links", "links_in", "links_out")
    assert names("seen", memories) == ("accessed",)
    assert names("s", FIELDS)[0] == "stage"


def test_only_choices_have_choices() -> None:
    for field in FIELDS:
        closed = {Type.CHOICE, Type.SINCE}.intersection(field.types)
        assert (field.choices is not None) == bool(closed)
