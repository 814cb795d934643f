"""The states of a transcript: read, joined, grown, deleted.

Each test checks the catalogue's record of the files as well as its answers.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from store.catalogue import writer
from store.formats import growing
from store.kinds.conversations import ConversationInFull
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    assistant,
    dumped,
    says,
    user,
)

MAIN = f"{SLUG}/{SESSION}.jsonl"
OTHER = f"{SLUG}/11111111-2222-4333-8444-555555555555.jsonl"


class State(NamedTuple):
    """The catalogue's record of a file."""

    status: str
    offset: int
    size: int


def states(shelf: Shelf) -> dict[str, State]:
    with closing(sqlite3.connect(shelf.catalogue)) as connection:
        rows = connection.execute("SELECT path, status, offset, size FROM sources")
        return {path.decode(): State(*state) for path, *state in rows}


def sitting(entries: int, name: str = "", minutes: int = 1) -> list[Line]:
    """Alternating prompts and replies, some minutes apart."""
    return [
        (user(f"{name}{n}", f"Question {n}", timestamp=moment(n * minutes)))
        if n % 2 == 0
        else assistant(f"{name}{n}", says(f"{n}."), timestamp=moment(n * minutes))
        for n in range(entries)
    ]


def moment(minute: int) -> str:
    hours, rest = divmod(minute, 60)
    return f"2026-02-27T{hours:02}:{rest:02}:00.000Z"


def root(shelf: Shelf, folder: str = "projects") -> Path:
    return shelf.places[0] / folder


def put(shelf: Shelf, lines: list[Line], path: str = MAIN) -> Path:
    return write(root(shelf), path, dumped(lines))


def told(shelf: Shelf) -> object:
    """Every answer, including opened conversations."""
    opened = [shelf.show(each.ref) for each in shelf.conversations()]
    return shelf.everything(), opened, shelf.rows()


def fresh(shelf: Shelf, tmp_path: Path) -> object:
    other = Shelf(tmp_path / "fresh/catalogue.db", *shelf.places)
    other.sync()
    return told(other)


def interrupted(shelf: Shelf) -> None:
    def report(_progress: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.sync(report)


@pytest.mark.usefixtures("in_one_process", "shown_at_once")
def test_a_file_is_being_read_until_it_is_complete(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = put(shelf, sitting(6)).stat().st_size
    whole = fresh(shelf, tmp_path)
    monkeypatch.setattr(growing, "PIECE", 600)

    interrupted(shelf)
    (cut_off,) = states(shelf).values()
    shelf.sync()

    assert cut_off.status == "ingesting"
    assert 0 < cut_off.offset < size
    assert states(shelf) == {MAIN: State("idle", size, size)}
    assert told(shelf) == whole


def test_only_appended_lines_are_read(shelf: Shelf, tmp_path: Path) -> None:
    lines = sitting(6)
    before = put(shelf, lines[:4]).stat().st_size
    shelf.sync()
    after = put(shelf, lines).stat().st_size

    report = shelf.sync()

    assert (report.changed, report.bytes) == (1, after - before)
    assert states(shelf) == {MAIN: State("idle", after, after)}
    assert told(shelf) == fresh(shelf, tmp_path)


def test_the_mark_stays_before_an_incomplete_line(shelf: Shelf, tmp_path: Path) -> None:
    raw = dumped(sitting(5))
    begin = raw.rindex(b"\n", 0, -1) + 1
    write(root(shelf), MAIN, raw[: begin + 40])
    shelf.sync()
    waiting = states(shelf)

    write(root(shelf), MAIN, raw)
    shelf.sync()

    assert waiting == {MAIN: State("idle", begin, begin + 40)}
    assert states(shelf) == {MAIN: State("idle", len(raw), len(raw))}
    assert told(shelf) == fresh(shelf, tmp_path)


@pytest.mark.parametrize("keeps", [2, 0])
def test_a_truncated_file_has_only_what_is_left(
    shelf: Shelf, tmp_path: Path, keeps: int
) -> None:
    lines = sitting(6)
    put(shelf, lines)
    put(shelf, sitting(1, "kept"), OTHER)
    shelf.sync()

    size = put(shelf, lines[:keeps]).stat().st_size
    shelf.sync()

    assert len(shelf.messages()) == keeps + 1
    assert states(shelf)[MAIN] == State("idle", size, size)
    assert told(shelf) == fresh(shelf, tmp_path)


def test_rows_half_written_in_a_crash_are_not_there(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(shelf, sitting(4))
    shelf.sync()
    before = told(shelf)
    put(shelf, sitting(6, "new"))
    put(shelf, sitting(6, "other"), OTHER)

    with monkeypatch.context() as broken:
        broken.setattr(writer, "put_conversations", die)
        with pytest.raises(KeyboardInterrupt):
            shelf.sync()

    assert told(shelf) == before
    shelf.sync()
    assert told(shelf) == fresh(shelf, tmp_path)


def die(*_: object) -> None:
    """Stop in the middle: messages are written, their conversations are not."""
    raise KeyboardInterrupt


def test_a_file_is_read_once_however_often_it_changed(
    shelf: Shelf, tmp_path: Path
) -> None:
    for size in (2, 5, 3, 6):
        put(shelf, sitting(size))
    shelf.places.append(root(shelf))

    report = shelf.sync()

    assert (report.files, report.changed) == (1, 1)
    assert told(shelf) == fresh(shelf, tmp_path)
    assert shelf.sync().changed == 0


def test_a_file_that_cannot_be_read_stops_no_other(shelf: Shelf) -> None:
    put(shelf, sitting(5))
    write(root(shelf), OTHER, b"\0" * 5000 + b"\n" * 200)

    shelf.sync()

    assert [each.source for each in shelf.conversations()] == [MAIN]
    assert {problem.path for problem in shelf.problems()} == {OTHER}


@pytest.mark.parametrize(("entries", "status"), [(4, "skipped"), (5, "ready")])
def test_a_conversation_needs_five_entries(
    shelf: Shelf, entries: int, status: str
) -> None:
    put(shelf, sitting(entries))
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert (conversation.entries, conversation.status) == (entries, status)


@pytest.mark.parametrize(("minutes", "conversations"), [(60, 1), (61, 5)])
def test_only_a_pause_longer_than_the_gap_divides(
    shelf: Shelf, minutes: int, conversations: int
) -> None:
    put(shelf, sitting(5, minutes=minutes))

    shelf.sync()

    assert len(shelf.conversations()) == conversations


def test_a_long_session_is_one_conversation(shelf: Shelf) -> None:
    put(shelf, sitting(400))
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert conversation.entries == 400


def test_records_that_are_read_again_keep_their_refs(shelf: Shelf) -> None:
    put(shelf, sitting(6, minutes=70))
    put(shelf, sitting(3, "other"), OTHER)
    shelf.sync()
    before = told(shelf)

    shutil.rmtree(shelf.catalogue.parent)
    shelf.sync()

    assert told(shelf) == before


def test_parallel_sessions_are_separate(shelf: Shelf) -> None:
    put(shelf, sitting(5, "one"))
    put(shelf, sitting(5, "two"), OTHER)
    shelf.sync()

    several = shelf.conversations()

    assert {each.source for each in several} == {MAIN, OTHER}
    assert [each.entries for each in several] == [5, 5]
    for each in several:
        opened = shelf.show(each.ref)
        assert isinstance(opened, ConversationInFull)
        assert {said.source for said in opened.transcript} == {each.source}
        assert len(opened.transcript) == 5


def test_a_backup_continues_under_the_name_of_its_missing_original(
    shelf: Shelf, tmp_path: Path
) -> None:
    put(shelf, sitting(5))
    put(shelf, sitting(3, "kept"), OTHER)
    shutil.copytree(root(shelf), root(shelf, "projects-backup"))
    shelf.sync()
    live = [each.ref for each in shelf.conversations()]
    names = {message.ref for message in shelf.messages()}

    (root(shelf) / MAIN).unlink()
    shelf.sync()

    assert [each.ref for each in shelf.conversations()] == live
    assert {message.ref for message in shelf.messages()} == names
    assert told(shelf) == fresh(shelf, tmp_path)


def test_a_conversation_is_removed_with_its_file(shelf: Shelf) -> None:
    put(shelf, sitting(5))
    put(shelf, sitting(5, "kept"), OTHER)
    shelf.sync()

    (root(shelf) / MAIN).unlink()
    report = shelf.sync()

    assert report.removed == 1
    assert [each.source for each in shelf.conversations()] == [OTHER]
    assert {message.source for message in shelf.messages()} == {OTHER}
    assert list(states(shelf)) == [OTHER]


def test_a_lone_surrogate_names_no_conversation(shelf: Shelf, tmp_path: Path) -> None:
    put(shelf, [user("half", "Fire \ud83d slowly", cwd="/kiln/\ud800")])
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert (conversation.title, conversation.cwd) == ("Fire ? slowly", "/kiln/?")
    assert told(shelf) == fresh(shelf, tmp_path)
