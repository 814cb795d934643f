"""A session contained in a resumed copy is still found by its id."""

import pytest

from store.kinds.conversations import Conversation, ConversationInFull
from store.kinds.messages import MessageInFull
from tests.store.catalogue.search.question import titles
from tests.store.catalogue.stores import Shelf, note, write
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    assistant,
    dumped,
    says,
    user,
)

RESUMED = "11111111-2222-4333-8444-555555555555"


def day(number: int, said: str) -> list[Line]:
    """A prompt and a reply of one day."""
    at = f"2026-02-2{number}T10:00:00Z"
    return [
        user(f"q{number}", said, timestamp=at),
        assistant(f"a{number}", says(f"So: {said}"), timestamp=at),
    ]


@pytest.fixture
def before(shelf: Shelf) -> Conversation:
    """The conversation of a session that a resumed one then copies."""
    put(shelf, SESSION, day(1, "Which cone?"))
    shelf.sync()
    (conversation,) = shelf.conversations()
    resumed = [*day(0, "Which clay?"), *day(1, "Which cone?"), *day(2, "And the red?")]
    put(shelf, RESUMED, [line | {"sessionId": RESUMED} for line in resumed])
    return conversation


def put(shelf: Shelf, session: str, lines: list[Line]) -> None:
    path = f"projects/{SLUG}/{session}.jsonl"
    write(shelf.places[0], path, dumped(lines))


def shown(shelf: Shelf, name: str) -> Conversation:
    found = shelf.show(name)
    assert isinstance(found, ConversationInFull)
    return found.conversation


def test_a_folded_session_is_found_by_its_id(
    shelf: Shelf, before: Conversation
) -> None:
    shelf.sync()
    assert {one.session for one in shelf.conversations()} == {RESUMED}

    found = [shown(shelf, SESSION), shown(shelf, SESSION[:8])]

    assert [(one.session, one.first) for one in found] == 2 * [(RESUMED, before.first)]


def test_a_folded_session_is_found_by_its_old_refs(
    shelf: Shelf, before: Conversation
) -> None:
    old = {message.text: message.ref for message in shelf.messages()}
    shelf.sync()

    assert shown(shelf, before.ref).first == before.first
    assert shown(shelf, before.ref[:20]).session == RESUMED
    message = shelf.show(old["Which cone?"])
    assert isinstance(message, MessageInFull)
    assert message.message.text == "Which cone?"
    assert message.message.session == RESUMED


@pytest.mark.parametrize("query", [f"session:{SESSION}", f"session:{RESUMED}"])
def test_a_folded_session_is_found_by_a_query(
    shelf: Shelf, before: Conversation, query: str
) -> None:
    shelf.sync()

    found = titles(shelf, query, "conversations")
    others = titles(shelf, f"-{query}", "conversations")

    assert before.title in found
    assert sorted([*found, *others]) == ["And the red?", "Which clay?", "Which cone?"]
    assert len(found) == (1 if SESSION in query else 3)


def test_a_memory_that_names_it_links_to_the_whole_and_back(
    shelf: Shelf, before: Conversation
) -> None:
    named = note("Cones").replace("type:", f"originSessionId: {SESSION}\ntype:")
    write(shelf.places[0] / "projects", f"{SLUG}/memory/cones.md", named)
    shelf.sync()
    (memory,) = shelf.memories()

    (link,) = shelf.links(memory.ref)

    assert (link.title, link.ref) == (before.title, shown(shelf, SESSION).ref)
    wrote = {
        one.ref: [to.ref for to in shelf.links(one.ref) if to.type == "wrote"]
        for one in shelf.conversations()
    }
    assert {ref for ref, refs in wrote.items() if memory.ref in refs} == {link.ref}
