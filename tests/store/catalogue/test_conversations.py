"""Conversations are the same however their transcripts were read."""

from pathlib import Path

import pytest

from store.derive.conversations import MINUTE, Tokens
from store.formats import growing
from store.kinds.conversations import Conversation, ConversationInFull
from store.kinds.messages import MessageInFull
from tests.store.catalogue.stores import Shelf, note, write
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    answers,
    assistant,
    boundary,
    calls,
    dumped,
    says,
    thinks,
    user,
    uuid,
)

MAIN = f"{SLUG}/{SESSION}.jsonl"


def at(minute: float) -> str:
    """So many minutes after ten o'clock on the day before noon."""
    seconds = int(minute * 60)
    hours, rest = divmod(seconds, 3600)
    return f"2026-02-28T{10 + hours:02}:{rest // 60:02}:{rest % 60:02}.000Z"


def asks(name: str, text: str, minute: float) -> Line:
    return user(name, text, timestamp=at(minute))


def replies(name: str, text: str, minute: float) -> Line:
    return assistant(name, says(text), timestamp=at(minute))


def two_sittings() -> list[Line]:
    """A morning of work, and another prompt after more than an hour."""
    return [
        asks("ask", "Which cone for the blue glaze?", 0),
        assistant("think", thinks("Six."), message_id="msg_1", timestamp=at(1)),
        assistant(
            "look",
            calls("t1", "Write", file_path="/home/mira/kiln/glaze.md"),
            message_id="msg_1",
            timestamp=at(2),
        ),
        user("done", [answers("t1", "no such folder", is_error=True)], timestamp=at(3)),
        replies("end", "Cone 6.", 5),
        boundary("cut"),
        asks("again", "And for the red one?", 70),
        replies("short", "Cone 10.", 71),
    ]


def make(shelf: Shelf, lines: list[Line], path: str = MAIN) -> Path:
    return write(shelf.places[0] / "projects", path, dumped(lines))


def test_a_pause_longer_than_the_gap_divides_a_transcript(shelf: Shelf) -> None:
    make(shelf, two_sittings())
    shelf.sync()

    first, second = shelf.conversations()

    assert (first.title, second.title) == (
        "Which cone for the blue glaze?",
        "And for the red one?",
    )
    assert (first.entries, first.prompts) == (3, 1)
    assert (first.tools, first.tool_errors) == (1, 1)
    assert (first.first, first.last) == (at(0), at(5))
    assert first.tokens == Tokens(input=6, output=10, cache_read=14, cache_creation=22)
    assert first.models == second.models == ("claude-opus-4-6",)
    assert first.files_written == ()
    assert (first.session, first.project, first.branch) == (SESSION, "kiln", "main")
    assert (first.status, second.status) == ("skipped", "skipped")
    assert {m.conversation for m in shelf.messages()} == {first.ref, second.ref}


def test_another_gap_divides_it_elsewhere_and_back(shelf: Shelf) -> None:
    make(shelf, two_sittings())
    shelf.sync()
    usual = shelf.conversations()

    shelf.gap = 90 * MINUTE
    shelf.sync()
    (whole,) = shelf.conversations()
    shelf.gap = 60 * MINUTE
    shelf.sync()

    assert whole.entries == sum(conversation.entries for conversation in usual)
    assert whole.ref == usual[0].ref
    assert shelf.conversations() == usual


@pytest.mark.parametrize(
    ("now", "status"), [("10:30", "active"), ("11:29", "active"), ("12:00", "ready")]
)
def test_a_conversation_is_ready_after_a_long_enough_pause(
    shelf: Shelf, now: str, status: str
) -> None:
    lines = [asks(f"q{n}", f"Question {n}", n * 5) for n in range(7)]
    make(shelf, lines)
    shelf.now = f"2026-02-28T{now}:00Z"
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert (conversation.entries, conversation.status) == (7, status)


def everything(shelf: Shelf) -> object:
    """Every answer about transcripts, including opened ones."""
    opened = [shelf.show(each.ref) for each in shelf.conversations()]
    return shelf.everything(), opened, shelf.rows()


def fresh(shelf: Shelf, tmp_path: Path) -> object:
    other = Shelf(tmp_path / "fresh/catalogue.db", *shelf.places)
    other.sync()
    return everything(other)


def test_a_transcript_that_grows_line_by_line_gives_the_same_result(
    shelf: Shelf, tmp_path: Path
) -> None:
    lines = two_sittings()
    for end in range(1, len(lines) + 1):
        make(shelf, lines[:end])
        shelf.sync()
        assert everything(shelf) == fresh(shelf, tmp_path / str(end))


def test_a_truncated_line_waits_and_is_reported_until_it_is_complete(
    shelf: Shelf, tmp_path: Path
) -> None:
    raw = dumped(two_sittings())
    store = shelf.places[0] / "projects"
    for end in range(raw.index(b"\n") + 2, len(raw), 211):
        write(store, MAIN, raw[:end])
        shelf.sync()
        whole = raw[end - 1 : end] == b"\n"
        assert shelf.codes() == ([] if whole else ["unfinished-line"])
    write(store, MAIN, raw)
    shelf.sync()
    assert shelf.codes() == []
    assert everything(shelf) == fresh(shelf, tmp_path)


@pytest.mark.parametrize("piece", [1, 300, 900, 2500])
def test_a_transcript_read_in_pieces_gives_the_same_result(
    shelf: Shelf, tmp_path: Path, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(shelf, two_sittings())
    whole = fresh(shelf, tmp_path)

    monkeypatch.setattr(growing, "PIECE", piece)
    shelf.sync()

    assert everything(shelf) == whole


@pytest.mark.usefixtures("in_one_process", "shown_at_once")
@pytest.mark.parametrize("stop", [1, 2, 3])
def test_a_sync_interrupted_between_pieces_resumes_there(
    shelf: Shelf, tmp_path: Path, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(shelf, two_sittings())
    make(shelf, two_sittings()[:3], f"{SLUG}/other.jsonl")
    whole = fresh(shelf, tmp_path)
    monkeypatch.setattr(growing, "PIECE", 400)
    seen = 0

    def report(_progress: object) -> None:
        nonlocal seen
        seen += 1
        if seen == stop:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.sync(report)
    assert 0 < len(shelf.messages()) < 10
    shelf.sync()

    assert everything(shelf) == whole


@pytest.mark.parametrize("size", [3, 8, 11])
def test_a_rewritten_transcript_is_read_again(
    shelf: Shelf, tmp_path: Path, size: int
) -> None:
    make(shelf, two_sittings())
    shelf.sync()

    make(shelf, [asks(f"new{n}", f"Something else {n}", n) for n in range(size)])
    shelf.sync()

    assert len(shelf.messages()) == size
    assert everything(shelf) == fresh(shelf, tmp_path)


def test_conversations_are_removed_with_their_transcript(shelf: Shelf) -> None:
    make(shelf, two_sittings(), f"{SLUG}/gone.jsonl")
    make(shelf, [asks("kept", "Stay?", 0)])
    shelf.sync()

    (shelf.places[0] / "projects" / SLUG / "gone.jsonl").unlink()
    shelf.sync()

    assert [each.title for each in shelf.conversations()] == ["Stay?"]
    assert shelf.rows()["messages"] == 1


def test_a_sub_agent_is_known_by_the_conversation_that_started_it(shelf: Shelf) -> None:
    make(shelf, two_sittings())
    task = user("task", "Count the shelves.", timestamp=at(70.5), isSidechain=True)
    make(shelf, [task], f"{SLUG}/{SESSION}/subagents/agent-a0123456789abcdef.jsonl")
    shelf.sync()

    conversations = {each.title: each for each in shelf.conversations()}
    helper = conversations["Count the shelves."]
    starter = conversations["And for the red one?"]

    assert (helper.parent, helper.entries, helper.messages) == (starter.ref, 0, 1)
    assert opened(shelf, starter.ref).agents == (helper.ref,)
    assert [link.ref for link in shelf.links(helper.ref)] == [starter.ref]


def test_a_transcript_contained_in_another_is_shown_once(
    shelf: Shelf, tmp_path: Path
) -> None:
    make(shelf, two_sittings()[:5], f"{SLUG}/early.jsonl")
    make(shelf, two_sittings())
    shelf.sync()
    assert {each.source for each in shelf.conversations()} == {MAIN}
    assert len({message.uuid for message in shelf.messages()}) == len(shelf.messages())
    assert everything(shelf) == fresh(shelf, tmp_path)

    (shelf.places[0] / "projects" / MAIN).unlink()
    shelf.sync()

    assert {each.source for each in shelf.conversations()} == {f"{SLUG}/early.jsonl"}


def test_transcripts_that_diverge_are_both_shown(shelf: Shelf) -> None:
    make(shelf, two_sittings(), f"{SLUG}/one.jsonl")
    other = [*two_sittings()[:5], asks("fork", "What about green?", 6)]
    make(shelf, other, f"{SLUG}/two.jsonl")
    shelf.sync()

    assert len({each.source for each in shelf.conversations()}) == 2
    refs = [message.ref for message in shelf.messages()]
    assert len(refs) == len(set(refs))


@pytest.mark.parametrize("piece", [1, 10_000_000])
def test_a_copy_that_continues_on_its_own_is_shown(
    shelf: Shelf, tmp_path: Path, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing, "PIECE", piece)
    early = f"{SLUG}/early.jsonl"
    make(shelf, two_sittings())
    make(shelf, two_sittings()[:5], early)
    shelf.sync()
    make(shelf, [*two_sittings()[:5], asks("fork", "What about green?", 6)], early)

    shelf.sync()

    assert "What about green?" in {message.text for message in shelf.messages()}
    assert everything(shelf) == fresh(shelf, tmp_path)


def test_a_transcript_is_contained_in_the_copy_that_outgrew_it(
    shelf: Shelf, tmp_path: Path
) -> None:
    resumed = f"{SLUG}/resumed.jsonl"
    make(shelf, two_sittings()[:5])
    for end in (3, 5, 8):
        make(shelf, two_sittings()[:end], resumed)
        shelf.sync()

    assert {each.source for each in shelf.conversations()} == {resumed}
    assert everything(shelf) == fresh(shelf, tmp_path)


def opened(shelf: Shelf, ref: str) -> ConversationInFull:
    shown = shelf.show(ref)
    assert isinstance(shown, ConversationInFull)
    return shown


def test_a_message_is_one_record_and_is_shown_whole(shelf: Shelf) -> None:
    make(shelf, two_sittings())
    shelf.sync()
    messages = {message.kind: message for message in shelf.messages()}

    call = shelf.show(messages["tool_use"].ref)
    result = shelf.show(messages["tool_result"].ref)

    assert isinstance(call, MessageInFull)
    assert isinstance(result, MessageInFull)
    assert [part["type"] for part in call.parts] == ["thinking", "tool_use"]
    assert call.answered_by == (result.message.ref,)
    assert result.answers == (call.message.ref,)
    assert call.message.uuid == uuid("think")


def test_a_session_names_its_conversations(shelf: Shelf) -> None:
    make(shelf, two_sittings()[:5])
    shelf.sync()

    (conversation,) = shelf.conversations()

    assert opened(shelf, SESSION[:8]).conversation == conversation


def test_memories_link_to_the_conversation_that_wrote_them_and_back(
    shelf: Shelf,
) -> None:
    store = shelf.places[0] / "projects"
    place = store / SLUG / "memory/glaze.md"
    wrote = assistant("w", calls("t1", "Write", file_path=f"{place}"), timestamp=at(1))
    make(shelf, [asks("ask", "Note the glaze.", 0), wrote])
    write(store, f"{SLUG}/memory/glaze.md", note("Glaze"))
    named = note("Kiln").replace("type:", f"originSessionId: {SESSION}\ntype:")
    write(store, f"{SLUG}/memory/kiln.md", named)
    write(store, f"{SLUG}/memory/MEMORY.md", "- [Glaze](glaze.md) — About it\n")
    shelf.sync()

    (conversation,) = shelf.conversations()
    written = [link for link in shelf.links(conversation.ref) if link.type == "wrote"]

    assert sorted(link.title or "" for link in written) == ["Glaze", "Kiln"]
    for title in ("Glaze", "Kiln"):
        back = [link.ref for link in shelf.links(shelf.memory(title).ref)]
        assert conversation.ref in back


def test_a_queued_prompt_is_shown_once(shelf: Shelf) -> None:
    def queued(operation: str, text: str, minute: float) -> Line:
        return {
            "type": "queue-operation",
            "operation": operation,
            "content": text,
            "timestamp": at(minute),
            "sessionId": SESSION,
        }

    make(
        shelf,
        [
            asks("ask", "Fire it.", 0),
            queued("enqueue", "Slowly!", 1),
            queued("enqueue", "And log it.", 2),
            queued("remove", "Slowly!", 3),
            queued("remove", "And log it.", 4),
            asks("sent", "And log it.", 5),
        ],
    )
    shelf.sync()

    prompts = [m.text for m in shelf.messages() if m.kind == "prompt"]

    assert sorted(prompts) == ["And log it.", "Fire it.", "Slowly!"]


def is_whole(conversation: Conversation) -> bool:
    return bool(conversation.ref and conversation.title and conversation.store)


def test_lists_have_complete_records(shelf: Shelf) -> None:
    make(shelf, two_sittings())
    shelf.sync()

    assert all(map(is_whole, shelf.conversations()))
