"""A conversation in several sources is one row with all its sources."""

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from store.kinds.conversations import ConversationInFull
from store.kinds.problems import Problem
from tests.project import ROOT
from tests.store.catalogue.search.question import titles
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.claudia_stores import Claudia, database
from tests.store.formats.test_claudia_corpus import ingest
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    answers,
    assistant,
    calls,
    dumped,
    says,
    thinks,
    user,
)

KEY = f"{SLUG}/{SESSION}.jsonl"
SUMMARY = "We fired the kiln.\nIt held."


def at(hour: int, second: int = 0) -> str:
    return f"2026-02-20T{hour}:00:{second:02}.000Z"


def talk() -> list[Line]:
    """Two conversations, in one of which the agent thinks, speaks and calls tools."""
    return [
        user("q1", "<system-reminder>Be brief.</system-reminder>Fire the kiln", 0)
        | {"timestamp": at(10)},
        assistant("a1", thinks("Which cone?"), timestamp=at(10, 1), message_id="m1"),
        assistant(
            "a2", says("To cone six.\n\nSlowly."), timestamp=at(10, 2), message_id="m1"
        ),
        assistant("a3", calls("t1", "Bash"), timestamp=at(10, 3), message_id="m1"),
        user("r1", [answers("t1", "hot")], timestamp=at(10, 4)),
        user("q2", "Is it cold now?", timestamp=at(13)),
        assistant("a4", says("It is."), timestamp=at(13, 1)),
    ]


def entries(made: Claudia, file: str = KEY, cold: str = "It is.") -> None:
    """The program's entries for these lines, and its two conversations."""
    told = (
        (at(10), "<system-reminder>Be brief.</system-reminder>Fire the kiln", "user"),
        (at(10, 2), "To cone six.\n\nSlowly.", "assistant"),
        (at(10, 3), "[Used tools: Bash]", "assistant"),
        (at(13), "Is it cold now?", "user"),
        (at(13, 1), cold, "assistant"),
    )
    for when, text, role in told:
        tools = "Bash" if "Bash" in text else None
        made.entry(when, text, role=role, source_file=file, tool_names=tools)
    made.conversation(
        at(10),
        at(10, 3),
        source_file=file,
        entry_count=3,
        summary=SUMMARY,
        files_written='["/home/zoe/memory/kiln.md"]',
    )
    made.conversation(at(13), at(13, 1), source_file=file, status="queued")


def transcripts(root: Path, lines: list[Line] | None = None) -> None:
    write(root / "projects", KEY, dumped(lines or talk()))


def anima(root: Path, cold: str = "It is.") -> None:
    shutil.rmtree(root / "anima", ignore_errors=True)
    with database(root / "anima") as made:
        made.file(KEY)
        entries(made, cold=cold)


def both(shelf: Shelf, order: str, cold: str = "It is.") -> None:
    """Read a transcript and a database, one after the other or at once."""
    root = shelf.places[0]
    steps = {"t": lambda: transcripts(root), "c": lambda: anima(root, cold)}
    for number, step in enumerate(order):
        steps[step]()
        if order[number + 1 :]:
            shelf.sync()
    shelf.sync()


def differing(shelf: Shelf) -> list[Problem]:
    return [one for one in shelf.problems() if one.code == "differs-from-transcript"]


@pytest.mark.parametrize("order", ["tc", "ct"])
def test_a_database_and_its_transcripts_list_each_conversation_once(
    shelf: Shelf, tmp_path: Path, order: str
) -> None:
    both(shelf, order)

    first, second = shelf.conversations()

    assert [first.store, second.store] == 2 * [str(shelf.places[0] / "projects")]
    assert (first.title, first.tools, first.entries) == ("Fire the kiln", 1, 3)
    assert (first.status, second.status) == ("archived", "queued")
    (copy,) = first.copies
    assert copy.store == str(shelf.places[0] / "anima")
    assert (copy.source, copy.status, copy.summary) == (
        "anima.db",
        "archived",
        SUMMARY,
    )
    assert copy.files_written == ("/home/zoe/memory/kiln.md",)
    assert [one.status for one in second.copies] == ["queued"]
    assert not differing(shelf)
    texts = sorted(message.text for message in shelf.messages())
    assert texts == sorted(message.text for message in alone(tmp_path).messages())


@pytest.mark.parametrize("order", ["live backup", "backup live"])
def test_a_backup_hides_its_copies_behind_its_own_transcripts(
    tmp_path: Path, order: str
) -> None:
    places = [tmp_path / name for name in order.split()]
    for place in places:
        place.mkdir()
        transcripts(place)
        anima(place)
        Shelf(tmp_path / "catalogue.db", place).sync()

    for place in places:
        shelf = Shelf(tmp_path / "catalogue.db", place)
        shelf.sync()
        listed = shelf.conversations()

        assert {one.store for one in listed} == {str(place / "projects")}
        copies = [copy.store for one in listed for copy in one.copies]
        assert copies == 2 * [str(place / "anima")]
        transcripts(place, [*talk(), user("q3", "And now?", timestamp=at(13, 9))])


def alone(tmp_path: Path) -> Shelf:
    """The transcript without the database."""
    (tmp_path / "alone").mkdir()
    shelf = Shelf(tmp_path / "alone.db", tmp_path / "alone")
    transcripts(shelf.places[0])
    shelf.sync()
    return shelf


def test_a_copy_is_shown_by_its_ref_with_all_its_facts(shelf: Shelf) -> None:
    both(shelf, "tc")
    (copy,) = shelf.conversations()[0].copies

    shown = shelf.show(copy.ref)

    assert isinstance(shown, ConversationInFull)
    assert (shown.conversation.ref, shown.summary) == (copy.ref, SUMMARY)
    assert [message.text for message in shown.transcript][1:] == [
        "To cone six.\n\nSlowly.",
        "[Used tools: Bash]",
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("summary:held", ["Fire the kiln"]),
        ("fired", ["Fire the kiln"]),
        ("status:archived", ["Fire the kiln"]),
        ("status:queued", ["Is it cold now?"]),
        ("has:summary", ["Fire the kiln"]),
        ("-status:archived", ["Is it cold now?"]),
    ],
)
def test_status_and_summary_of_the_database_can_be_searched(
    shelf: Shelf, query: str, found: list[str]
) -> None:
    both(shelf, "ct")
    assert titles(shelf, query, "conversations") == found


def test_each_store_alone_lists_its_own_conversations(shelf: Shelf) -> None:
    both(shelf, "tc")
    for name, status in (("anima", "archived"), ("projects", "skipped")):
        one = Shelf(shelf.catalogue, shelf.places[0] / name)
        found = one.conversations()
        assert {(each.store, each.copies) for each in found} == {
            (str(one.places[0]), ())
        }
        assert found[0].status == status
        assert len(one.messages()) == 5


@pytest.mark.parametrize("order", ["tc", "ct"])
def test_an_entry_that_differs_is_a_problem_and_stays_visible(
    shelf: Shelf, order: str
) -> None:
    both(shelf, order, cold="It is not.")

    (problem,) = differing(shelf)

    assert problem.message.startswith("1 of its 2 entries differ")
    assert (problem.severity, problem.path, problem.line) == ("warning", "anima.db", 5)
    (second,) = (
        one
        for one in shelf.conversations()
        if one.prompts == 1 and one.copies[0].status == "queued"
    )
    assert problem.ref == second.copies[0].ref
    assert "It is not." in {message.text for message in shelf.messages()}

    anima(shelf.places[0])
    shelf.sync()
    assert not differing(shelf)
    assert "It is not." not in {message.text for message in shelf.messages()}


def test_a_redacted_transcript_differs_from_the_database(shelf: Shelf) -> None:
    both(shelf, "tc")
    lines = talk()
    lines[-1] = assistant("a4", says("REDACTED"), timestamp=at(13, 1))
    transcripts(shelf.places[0], lines)
    shelf.sync()

    (problem,) = differing(shelf)

    assert problem.store == str(shelf.places[0] / "anima")


def test_without_its_transcript_a_copy_is_listed_again(shelf: Shelf) -> None:
    both(shelf, "tc")
    (shelf.places[0] / "projects" / KEY).unlink()
    shelf.sync()

    found = shelf.conversations()

    assert [one.store for one in found] == 2 * [str(shelf.places[0] / "anima")]
    assert len(shelf.messages()) == 5
    assert not differing(shelf)


def test_another_session_of_that_time_is_another_conversation(shelf: Shelf) -> None:
    transcripts(shelf.places[0])
    with database(shelf.places[0] / "anima") as made:
        entries(made, file=f"{SLUG}/4eb362e5.jsonl")
    shelf.sync()

    assert len(shelf.conversations()) == 4


def test_a_copy_follows_a_session_that_is_resumed(shelf: Shelf) -> None:
    both(shelf, "tc")
    resumed = [*talk(), user("q3", "And now?", timestamp=at(16))]
    write(shelf.places[0] / "projects", f"{SLUG}/resumed.jsonl", dumped(resumed))
    shelf.sync()

    found = shelf.conversations()

    assert [one.source for one in found] == 3 * [f"{SLUG}/resumed.jsonl"]
    assert [len(one.copies) for one in found] == [1, 1, 0]

    (shelf.places[0] / "projects" / SLUG / "resumed.jsonl").unlink()
    shelf.sync()

    assert [(one.source, len(one.copies)) for one in shelf.conversations()] == 2 * [
        (KEY, 1)
    ]
    assert len(shelf.messages()) == 5


CORPUS = ROOT.parent / "shared" / "corpus" / "claude"


def trace(root: Path, lines: list[Line]) -> None:
    """A copy of a transcript, as KeiSeiKit makes one at the end of each turn."""
    write(root / "memory", f"traces/{SESSION}.jsonl", dumped(lines))


@pytest.mark.parametrize("order", ["tk", "kt"])
def test_a_trace_and_its_transcript_list_each_once(shelf: Shelf, order: str) -> None:
    root = shelf.places[0]
    steps = {"t": lambda: transcripts(root), "k": lambda: trace(root, talk())}
    for step in order:
        steps[step]()
        shelf.sync()

    first, second = shelf.conversations()

    assert {first.store, second.store} == {str(root / "projects")}
    for conversation in (first, second):
        (copy,) = conversation.copies
        assert copy.source == f"traces/{SESSION}.jsonl"
    assert sorted(message.text for message in shelf.messages()) == sorted(
        {message.text for message in shelf.messages()}
    )
    assert not shelf.problems()


def test_a_trace_that_goes_on_keeps_its_own_messages(shelf: Shelf) -> None:
    root = shelf.places[0]
    transcripts(root, talk()[:2])
    trace(root, talk())
    shelf.sync()

    texts = [message.text for message in shelf.messages()]

    assert texts.count("Is it cold now?") == 1
    assert len(texts) == len(set(texts))
    assert len(shelf.conversations()) == 2


def test_a_trace_is_listed_when_its_transcript_is_cleaned_up(shelf: Shelf) -> None:
    root = shelf.places[0]
    transcripts(root)
    trace(root, talk())
    shelf.sync()

    (root / "projects" / KEY).unlink()
    write(root / "projects", f"{SLUG}/other.jsonl", dumped([user("o", "Other")]))
    shelf.sync()

    sources = [one.source for one in shelf.conversations()]
    assert sources.count(f"traces/{SESSION}.jsonl") == 2


def test_a_file_of_that_name_with_other_messages_is_listed_too(shelf: Shelf) -> None:
    root = shelf.places[0]
    for store, said in (("projects/-a", "Bake"), ("memory/traces", "Fire")):
        line = user(said, said) | {"sessionId": said}
        write(root, f"{store}/by-hand.jsonl", dumped([line]))
    shelf.sync()

    assert len(shelf.conversations()) == 2


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside the project")
def test_real_transcripts_match_their_databases(
    tmp_path: Path,
) -> None:
    store = tmp_path / "stores/projects"
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    number = 0
    with database(tmp_path / "stores/anima") as made:
        for path in sorted(CORPUS.glob("*/projects/*/*.jsonl")):
            with suppress(json.JSONDecodeError):
                number += ingest(made, path)
                write(store, f"{path.parent.name}/{path.name}", path.read_bytes())
    shelf.sync()

    assert number > 1000
    assert [one.message for one in differing(shelf)] == []
    assert {one.store for one in shelf.conversations()} == {str(store)}
    assert {message.store for message in shelf.messages()} == {str(store)}
