"""The files that a conversation wrote are those of successful calls."""

from pathlib import Path

import pytest

from store.formats import growing
from tests.store.catalogue.stores import Shelf, write
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    answers,
    assistant,
    calls,
    dumped,
    envelope,
    user,
)


def make(shelf: Shelf, lines: list[Line]) -> Path:
    path = f"projects/{SLUG}/{SESSION}.jsonl"
    return write(shelf.places[0], path, dumped(lines))


@pytest.mark.parametrize("piece", [1, 400, 10_000_000])
def test_files_written_are_those_of_successful_calls(
    shelf: Shelf, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two parallel calls, one of which fails; a retried one; a pending one."""
    monkeypatch.setattr(growing, "PIECE", piece)
    names = ("refused", "done", "again", "again", "waiting")
    call = [calls(f"t{n}", "Write", file_path=f"/{x}") for n, x in enumerate(names)]
    make(
        shelf,
        [
            user("ask", "Write them"),
            assistant("both", *call[:2]),
            user("no", [answers("t0", "no such folder", is_error=True)]),
            user("yes", [answers("t1")]),
            assistant("more", call[2]),
            user("failed", [answers("t2", "busy", is_error=True)]),
            assistant("retry", *call[3:]),
            user("now", [answers("t3")]),
        ],
    )
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert conversation.files_written == ("/done", "/again", "/waiting")


def test_the_result_of_a_call_may_be_written_later(shelf: Shelf) -> None:
    lines = [
        user("ask", "Write it"),
        assistant("call", calls("t1", "Write", file_path="/a")),
    ]
    make(shelf, lines)
    shelf.sync()
    assert [each.files_written for each in shelf.conversations()] == [("/a",)]

    make(shelf, [*lines, user("no", [answers("t1", "refused", is_error=True)])])
    shelf.sync()

    assert [each.files_written for each in shelf.conversations()] == [()]


def test_a_sub_agent_without_a_transcript_may_fail_to_write(shelf: Shelf) -> None:
    def carried(name: str, step: Line) -> Line:
        data: Line = {"type": "agent_progress", "agentId": "a1", "message": step}
        return envelope(name, type="progress", data=data)

    make(
        shelf,
        [
            user("ask", "Write it"),
            carried("1", assistant("x", calls("t1", "Write", file_path="/a"))),
            carried("2", user("y", [answers("t1", "refused", is_error=True)])),
        ],
    )
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert (conversation.files_written, conversation.tool_errors) == ((), 0)
