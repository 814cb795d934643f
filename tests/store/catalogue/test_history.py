"""Prompts without transcripts are conversations; others are listed once."""

from pathlib import Path

import pytest

from store.errors import NotPossibleError
from store.kinds.conversations import ConversationInFull
from store.kinds.messages import MessageInFull
from tests.store.catalogue.search.question import titles
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.test_transcripts_history import typed
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    assistant,
    dumped,
    says,
    user,
)

LOST = "11111111-2222-4333-8444-555555555555"


def at(minute: float) -> str:
    seconds = round(minute * 60)
    return f"2026-03-01T12:{seconds // 60:02}:{seconds % 60:02}Z"


def prompts() -> list[Line]:
    """The prompts of a session with a transcript, and of one without."""
    return [
        typed(0, "Which cone?", sessionId=SESSION),
        typed(1, "Bake bread", sessionId=LOST, project="/home/mira/bakery"),
        typed(2, "See [Pasted text #1 +9 lines]", sessionId=SESSION),
        typed(3, "/exit", sessionId=SESSION),
        typed(4, "Old and alone"),
    ]


def talk() -> list[Line]:
    return [
        user("q1", "Which cone?", timestamp=at(0)),
        assistant("a1", says("Six."), timestamp=at(0.5)),
        user("q2", "See the nine lines that were pasted", timestamp=at(2)),
    ]


def history(shelf: Shelf, lines: list[Line]) -> None:
    write(shelf.places[0], ".claude/history.jsonl", dumped(lines))


def transcript(shelf: Shelf) -> Path:
    path = f".claude/projects/{SLUG}/{SESSION}.jsonl"
    return write(shelf.places[0], path, dumped(talk()))


def test_prompts_are_conversations_and_messages(shelf: Shelf) -> None:
    history(shelf, prompts())
    shelf.sync()

    lost = next(one for one in shelf.conversations() if one.session == LOST)

    assert (lost.title, lost.project, lost.prompts) == ("Bake bread", "bakery", 1)
    assert (lost.first, lost.source) == (at(1), "history.jsonl")
    assert lost.store == str(shelf.places[0] / ".claude")
    assert len(shelf.conversations()) == 3
    assert {message.text for message in shelf.messages()} == {
        str(line["display"]) for line in prompts()
    }
    assert titles(shelf, "bread", "conversations") == ["Bake bread"]
    assert titles(shelf, "project:bakery", "conversations") == ["Bake bread"]
    message = next(one for one in shelf.messages() if one.session == LOST)
    shown = shelf.show(message.ref)
    assert isinstance(shown, MessageInFull)
    assert shown.fields["project"] == "/home/mira/bakery"


@pytest.mark.parametrize("order", ["ht", "th"])
def test_a_prompt_that_a_transcript_has_is_shown_once(shelf: Shelf, order: str) -> None:
    steps = {"h": lambda: history(shelf, prompts()), "t": lambda: transcript(shelf)}
    transcript(shelf).write_bytes(b"")
    for step in order:
        steps[step]()
        shelf.sync()

    (one,) = (each for each in shelf.conversations() if each.session == SESSION)

    assert one.source == f"{SLUG}/{SESSION}.jsonl"
    assert [copy.source for copy in one.copies] == ["../history.jsonl"]
    assert sorted(message.text for message in shelf.messages()) == [
        "/exit",
        "Bake bread",
        "Old and alone",
        "See the nine lines that were pasted",
        "Six.",
        "Which cone?",
    ]
    assert not shelf.problems()
    copy = shelf.show(one.copies[0].ref)
    assert isinstance(copy, ConversationInFull)
    assert [message.line for message in copy.transcript] == [1, 3, 4]


def test_a_transcript_may_begin_later_than_its_first_prompt(shelf: Shelf) -> None:
    history(shelf, [typed(0, "Which cone?", sessionId=SESSION)])
    first = user("q1", "Which cone?", timestamp=at(1 / 60))
    path = f".claude/projects/{SLUG}/{SESSION}.jsonl"
    write(shelf.places[0], path, dumped([first]))
    shelf.sync()

    (one,) = shelf.conversations()

    assert [copy.source for copy in one.copies] == ["../history.jsonl"]
    assert [message.text for message in shelf.messages()] == ["Which cone?"]


def test_prompts_are_shown_again_when_their_transcript_is_cleaned_up(
    shelf: Shelf,
) -> None:
    history(shelf, prompts())
    other = [user("o", "Another session", timestamp=at(30), sessionId="other")]
    write(shelf.places[0], f".claude/projects/{SLUG}/other.jsonl", dumped(other))
    path = transcript(shelf)
    shelf.sync()

    path.unlink()
    shelf.sync()

    (one,) = (each for each in shelf.conversations() if each.session == SESSION)
    assert (one.source, one.messages) == ("../history.jsonl", 3)
    assert titles(shelf, "cone", "conversations") == ["Which cone?"]


def test_the_next_prompt_joins_its_session(shelf: Shelf) -> None:
    history(shelf, prompts()[:2])
    transcript(shelf)
    shelf.sync()
    before = shelf.conversations()

    history(shelf, [*prompts(), typed(9, "More bread", sessionId=LOST)])
    shelf.sync()

    after = shelf.conversations()
    assert [one.ref for one in before] == [one.ref for one in after[:2]]
    lost = next(one for one in after if one.session == LOST)
    assert (lost.prompts, lost.last) == (2, at(9))
    assert len([one for one in after if one.copies]) == 1
    assert len(shelf.messages()) == 7


def test_the_vault_takes_no_prompts(shelf: Shelf) -> None:
    history(shelf, prompts())
    shelf.sync()
    (one,) = (each for each in shelf.conversations() if each.session == LOST)

    with shelf.opened() as library, pytest.raises(NotPossibleError):
        library.vault.keep([one.ref])
