"""A conversation read message by message: calls with results, nothing twice."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.answers.conversations import Said, apart
from store.discover import Found
from store.errors import NothingFoundError, UnreadableError
from store.formats.transcripts.format import FORMAT
from store.kinds.messages import MESSAGE_KINDS
from store.library import Library
from tests.examples import examples
from tests.store.answers.messages.conftest import AGENT, library_of, session, talks_of
from tests.store.formats import transcripts_stores as told


def all_of(library: Library) -> list[Said]:
    """Every message of the only conversation."""
    (talk,) = talks_of(library)
    numbers = library.conversations.order(talk.ref).numbers
    return [
        one for one in library.conversations.messages(numbers, 0, len(numbers)) if one
    ]


def test_messages_are_in_order_of_their_lines(busy: Library) -> None:
    (talk,) = talks_of(busy)
    order = busy.conversations.order(talk.ref)
    found = all_of(busy)

    assert [one.number for one in found] == list(order.numbers)
    assert [one.line for one in found] == list(order.lines) == sorted(order.lines)
    assert [one.kind for one in found] == [
        *("prompt", "reply", "tool_result", "tool_result", "system", "summary"),
        *("tool_use", "tool_use", "tool_result", "reply", "prompt"),
    ]
    assert len(found) == talk.messages


def test_thoughts_are_separate_from_the_text_of_a_message(
    busy: Library,
) -> None:
    look = all_of(busy)[1]

    assert look.thoughts == "Cone six, surely."
    assert apart(look.text, look.tools) == (
        "I look.",
        ["Read: /glazes.md", "Bash: ls shelf"],
    )


def test_every_call_has_its_own_result(busy: Library) -> None:
    look, *_ = (one for one in all_of(busy) if one.calls == ("t1", "t2"))
    read, ran = look.outcomes

    assert read is not None
    assert (read.text, read.has_failed, read.is_cut) == (
        "cone 6\ncone 10",
        False,
        False,
    )
    assert ran is not None
    assert (ran.text, ran.has_failed) == ("no such shelf", True)
    (write,) = (one for one in all_of(busy) if one.tools == ("Write",))
    assert write.outcomes == (None,)


def test_a_result_shown_with_its_call_is_shown_nowhere_else(busy: Library) -> None:
    told_elsewhere = [one.kind for one in all_of(busy) if one.is_told]

    assert told_elsewhere == ["tool_result"] * 3


def test_pages_add_up_to_the_whole(busy: Library) -> None:
    (talk,) = talks_of(busy)
    numbers = busy.conversations.order(talk.ref).numbers
    found = all_of(busy)
    for first in range(len(numbers)):
        for last in range(first, len(numbers) + 3):
            assert (
                busy.conversations.messages(numbers, first, last) == found[first:last]
            )


def test_a_skim_says_what_each_message_is(busy: Library) -> None:
    (talk,) = talks_of(busy)
    skim = busy.conversations.skim(talk.ref)
    found = all_of(busy)

    assert [MESSAGE_KINDS[kind] for kind in skim.kinds] == [one.kind for one in found]
    assert list(skim.micros) == [one.micros for one in found]
    assert list(skim.of_kind("prompt")) == [0, 10]
    assert skim.calls[2] == skim.calls[3] == 1
    assert skim.failed == {1}


def test_an_outline_lists_the_beginnings_of_prompts(busy: Library) -> None:
    (talk,) = talks_of(busy)

    assert [one.text for one in busy.conversations.openings(talk.ref)] == [
        "Which cone for the blue glaze?",
        "Thank you.",
    ]


def test_a_written_memory_is_known_by_its_line(busy: Library) -> None:
    (talk,) = talks_of(busy)
    (write,) = (one for one in all_of(busy) if one.tools == ("Write",))
    (memory,) = busy.conversations.written_in(talk.ref)

    assert (memory.line, memory.title, memory.type) == (write.line, "glazes", "project")


def test_a_sub_agent_is_found_by_its_name(busy: Library) -> None:
    (talk,) = talks_of(busy)
    ref = busy.conversations.agent_of(talk.ref, AGENT)

    assert ref is not None
    assert busy.conversations.named(ref).parent == talk.ref
    assert busy.conversations.agent_of(talk.ref, "another") is None


def test_a_message_is_read_whole_from_its_file(busy: Library, root: Path) -> None:
    (talk,) = talks_of(busy)
    look = all_of(busy)[1]
    with busy.conversations.whole(talk.store) as whole:
        types = [part["type"] for part in whole(look.ref).parts]
        assert types == ["thinking", "text", "tool_use", "tool_use"]
        (root / talk.source).unlink()
        with pytest.raises(UnreadableError):
            whole(look.ref)


def test_facts_about_a_conversation_need_no_messages(busy: Library) -> None:
    (talk,) = talks_of(busy)
    about = busy.conversations.about(talk)

    assert about.transcript == ()
    assert about.conversation == talk
    assert about.agents == (busy.conversations.agent_of(talk.ref, AGENT),)
    assert about.failed is not None
    assert len(about.failed) == 1


def test_unopened_messages_are_not_read(busy: Library) -> None:
    with pytest.raises(NothingFoundError), busy.conversations.whole("/nowhere"):
        pass
    with pytest.raises(NothingFoundError):
        busy.conversations.named("conversation:nothing")


def test_a_branch_is_known_by_its_first_line(root: Path, tmp_path: Path) -> None:
    session(
        root,
        told.user("a", "One.", 1),
        told.assistant("b", told.says("Yes?"), second=2, parentUuid=told.uuid("a")),
        told.user("c", "This way.", 3, parentUuid=told.uuid("b")),
        told.assistant("d", told.says("Well."), second=4, parentUuid=told.uuid("c")),
        told.user("e", "No, that way.", 5, parentUuid=told.uuid("b")),
    )
    with library_of(tmp_path, Found(root, FORMAT)) as library:
        (talk,) = talks_of(library)
        assert library.conversations.forks(talk) == {5: 2}


@pytest.mark.parametrize("far", [10, 60, 200])
def test_a_result_is_found_within_a_limited_distance_of_its_call(
    root: Path, tmp_path: Path, far: int
) -> None:
    between = (told.assistant(n, told.says(f"{n}"), second=3) for n in range(far))
    session(
        root,
        told.user("ask", "Go.", 1),
        told.assistant("call", told.calls("t1", "Bash", command="ls"), second=2),
        *between,
        told.user("answer", [told.answers("t1", "done")], 4),
    )
    with library_of(tmp_path, Found(root, FORMAT)) as library:
        (talk,) = talks_of(library)
        numbers = library.conversations.order(talk.ref).numbers
        (call,) = library.conversations.messages(numbers, 1, 2)
        *_, answer = library.conversations.messages(
            numbers, len(numbers) - 1, len(numbers)
        )
        assert call is not None
        assert answer is not None
        assert (call.outcomes[0] is not None) == answer.is_told == (far < 64)


def test_both_of_two_results_of_a_call_are_kept(root: Path, tmp_path: Path) -> None:
    session(
        root,
        told.assistant("call", told.calls("t1", "Bash", command="ls"), second=1),
        told.user("one", [told.answers("t1", "first")], 2),
        told.user("two", [told.answers("t1", "second")], 3),
        told.user("lone", [told.answers("t0", "nobody asked")], 4),
    )
    with library_of(tmp_path, Found(root, FORMAT)) as library:
        call, one, two, lone = all_of(library)
        assert call.outcomes[0] is not None
        assert call.outcomes[0].text == "first"
        assert [one.is_told, two.is_told, lone.is_told] == [True, False, False]
        assert two.text == "second"


def test_the_words_of_a_sub_agent_in_its_session_are_recognised(
    root: Path, tmp_path: Path
) -> None:
    carried = told.assistant("inner", told.says("Four shelves."), second=2)
    data: told.Line = {"type": "agent_progress", "agentId": AGENT, "message": carried}
    session(
        root,
        told.user("ask", "Count.", 1),
        told.envelope("p", 2, type="progress", data=data),
    )
    with library_of(tmp_path, Found(root, FORMAT)) as library:
        ask, inner = all_of(library)
        assert (ask.agent, inner.agent) == (None, AGENT)
        assert inner.text == "Four shelves."


SAID = st.text(max_size=30)


@examples(20)
@given(st.lists(st.tuples(st.booleans(), SAID), min_size=1, max_size=8))
def test_any_text_is_read_as_it_was_said(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[bool, str]]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    session(
        folder / "projects",
        told.user("first", "Begin.", 0),
        *(
            told.user(at, f"x{text}", at)
            if asks
            else told.assistant(at, told.says(f"x{text}"), second=at)
            for at, (asks, text) in enumerate(texts, 1)
        ),
    )
    with library_of(folder, Found(folder / "projects", FORMAT)) as library:
        (talk,) = talks_of(library)
        numbers = library.conversations.order(talk.ref).numbers
        found = library.conversations.messages(numbers, 0, len(numbers))
        assert len(found) == len(texts) + 1
        with library.conversations.whole(talk.store) as whole:
            for one in found:
                assert one is not None
                assert whole(one.ref).parts
