"""The transcript beside the list: its content, and where it opens."""

from pathlib import Path

import pytest

from store.kinds.messages import Message
from tests.store.formats import transcripts_stores as told
from tests.tui.browser.transcript.conftest import Opening
from tests.widgets.hostile import TEXTS, unfit

CALLS = (
    told.user("ask", "Which cone for the blue glaze?", 1),
    told.assistant("look", told.calls("t1", "Bash", command="cat glazes"), second=2),
    told.user("found", [told.answers("t1", "cone 6\nof the needle")], 3),
    told.assistant("end", told.says("Cone **6**."), second=4),
)
TALK = [
    told.user(at, f"question {at}", at)
    if at % 2
    else told.assistant(at, told.says(f"answer {at}"), second=at)
    for at in range(1, 301)
]


async def test_a_conversation_is_read_beside_the_list(reading: Opening) -> None:
    async with reading(*CALLS) as now:
        assert now.lines[:6] == [
            " ── 2026-03-01 " + "─" * (len(now.lines[0]) - 15),
            " you  10:00",
            " ▎ Which cone for the blue glaze?",
            " agent  10:00",
            " ▸ ✓ Bash  cat glazes  · 2 lines · 20 B",
            "   Cone 6.",
        ]
        assert "1/4" in now.visit.pane("transcript")[0]
        assert not now.visit.reader.text.sheet.display


async def test_a_message_is_shown_in_its_conversation(reading: Opening) -> None:
    async with reading(*TALK, view="8") as now:
        await now.visit.ask('"question 151"')
        assert now.pane.text.entry is not None
        assert now.pane.text.entry.name == now.visit.here.ref
        assert "▎ question 151" in now.text
        assert "answer 150" in now.text

        await now.visit.ask('"answer 298"')
        assert "   answer 298" in now.text
        assert now.pane.text.walk.hit(now.pane.text.reading)


async def test_a_result_is_shown_with_its_call(reading: Opening) -> None:
    async with reading(*CALLS, view="8") as now:
        await now.visit.ask("needle")
        here = now.visit.here
        assert isinstance(here, Message)
        assert here.kind == "tool_result"
        assert "▾ ✓ Bash" in now.text
        assert "│ of the needle" in now.text


async def test_a_query_opens_a_conversation_at_its_first_hit(reading: Opening) -> None:
    async with reading(*TALK) as now:
        await now.visit.ask('"answer 200"')
        assert "answer 200" in now.text
        await now.visit.press("n")
        assert "answer 200" in now.text
        await now.visit.ask("question")
        await now.visit.press("enter", "n")
        first = now.pane.text.reading.spot
        await now.visit.press("n", "N")
        assert now.pane.text.reading.spot == first


async def test_the_last_place_in_a_conversation_is_restored(reading: Opening) -> None:
    earlier = told.user("first", "Long ago.", timestamp="2026-02-01T10:00:00Z")
    async with reading(earlier, *TALK) as now:
        await now.visit.press("g", "g", "enter")
        while len(now.pane.text.reading.layout) == 1:
            await now.visit.press("J")
        await now.visit.press("G")
        spot = now.pane.text.reading.spot
        await now.visit.press("J", "K", "K", "J")
        while len(now.pane.text.reading.layout) == 1:
            await now.visit.press("J")
        assert now.pane.text.reading.spot == spot


async def test_new_messages_appear_at_the_end(reading: Opening) -> None:
    async with reading(*TALK) as now:
        await now.visit.press("enter", "G")
        await now.grow(told.user("more", "And then?", 400))
        assert "▎ And then?" in now.text
        assert "301/301" in now.visit.pane("transcript")[0]

        await now.visit.press("g", "g")
        await now.grow(told.user("most", "And then again?", 401))
        assert now.lines[2] == "▌▎ question 1"


async def test_the_other_sides_of_a_conversation_are_tabs(reading: Opening) -> None:
    async with reading(*CALLS) as now:
        await now.visit.press("enter", "right_square_bracket")
        assert now.visit.scope == "reader"
        assert now.visit.browser.parts.transcript.pane is None
        assert "messages" in "\n".join(now.visit.pane("reader"))
        await now.visit.press("left_square_bracket")
        assert now.visit.scope == "transcript"


async def test_a_focused_list_scrolls_the_transcript(
    reading: Opening,
) -> None:
    async with reading(*TALK) as now:
        assert now.pane.text.reading.top == (0, 0)
        await now.visit.press("J", "J")
        assert now.pane.text.reading.top == (0, 2)
        await now.visit.press("K", "K")
        assert now.pane.text.reading.top == (0, 0)


async def test_separators_are_shown_between_parts(reading: Opening) -> None:
    lines = (
        told.user("a", "One.", 1),
        told.assistant("b", told.says("Yes?"), second=2, parentUuid=told.uuid("a")),
        told.user("c", "This way.", 3, parentUuid=told.uuid("b")),
        told.assistant("d", told.says("Well."), second=1000, parentUuid=told.uuid("c")),
        told.user("e", "No, that way.", 1001, parentUuid=told.uuid("b")),
        told.boundary("full", 1002),
        told.user("so far", "It was about ways.", 1003, isCompactSummary=True),
    )
    async with reading(*lines, size=(120, 60)) as now:
        told_of = [line.strip(" ─") for line in now.lines]
        assert "┊ 17 min" in told_of
        assert "resumed from 2026-03-01 10:00" in told_of
        assert "compacted: 120k tokens" in told_of


async def test_the_work_of_a_sub_agent_takes_a_line_each(
    reading: Opening,
) -> None:
    steps = (
        told.assistant("i", told.calls("x", "Grep", pattern="shelf"), second=3),
        told.user("j", [told.answers("x", "one\ntwo")], 4),
        told.assistant("k", told.says("Two shelves.\n\nOne is cold."), second=5),
    )
    lines = (
        told.user("ask", "Count.", 1),
        told.assistant("task", told.calls("t1", "Task", prompt="Count."), second=2),
        *(
            told.envelope(
                f"p{at}",
                3,
                type="progress",
                data={"type": "agent_progress", "agentId": "a1", "message": step},
            )
            for at, step in enumerate(steps)
        ),
        told.user("done", [told.answers("t1", "Two.")], 6),
    )
    async with reading(*lines) as now:
        assert now.lines[4:] == [
            " ▸ ✓ Task  Count.  · 1 line · 4 B · l open",
            " ▸ ┊ Grep  shelf",
            " ▸ ┊ ↳  one  · 2 lines",
            " ▸ ┊ says  Two shelves.  · 3 lines",
        ]
        await now.visit.press("enter", "j", "l")
        assert "No transcript of that sub-agent." in now.visit.status


async def test_a_written_memory_can_be_opened(reading: Opening, tmp_path: Path) -> None:
    note = tmp_path / "projects" / told.SLUG / "memory" / "glazes.md"
    note.parent.mkdir(parents=True)
    note.write_text("---\nname: glazes\ndescription: d\ntype: project\n---\n\nBlue.\n")
    wrote = told.calls("t1", "Write", file_path=str(note), content="Blue.")
    async with reading(CALLS[0], told.assistant("w", wrote, second=2)) as now:
        await now.visit.press("enter", "G")
        assert now.lines[-1] == "▌  → wrote PRO  glazes"
        await now.visit.press("l")
        assert now.visit.browser.parts.lists.kind == "memories"
        assert getattr(now.visit.here, "title", "") == "glazes"


async def test_a_call_whose_file_is_gone_says_so(reading: Opening) -> None:
    async with reading(*CALLS) as now:
        (now.root / told.SLUG / f"{told.SESSION}.jsonl").unlink()
        await now.visit.press("enter", "j", "space")
        assert "│ cone 6" in now.text
        told_of = " ".join(line.strip(" ▌│") for line in now.lines)
        assert "does not exist." in told_of


async def test_a_conversation_whose_file_is_gone_can_still_be_read(
    reading: Opening,
) -> None:
    async with reading(*TALK, view="1") as now:
        (now.root / told.SLUG / f"{told.SESSION}.jsonl").unlink()
        await now.visit.press("4")
        assert "▎ question 1" in now.text
        assert now.visit.browser.failure == ""


async def test_an_edit_is_shown_as_a_diff(reading: Opening) -> None:
    edit = told.calls(
        "t1", "Edit", file_path="/a.py", old_string="  one\n", new_string="  two\n"
    )
    lines = (
        told.assistant("e", edit, second=1),
        told.user("r", [told.answers("t1", "done")], 2),
    )
    async with reading(*lines) as now:
        await now.visit.press("enter", "space")
        told_of = [line.strip(" ▌│") for line in now.lines]
        assert "-   one" in told_of
        assert "+   two" in told_of


@pytest.mark.parametrize(
    ("keys", "copied"),
    [
        (["y", "b"], "Which cone for the blue glaze?"),
        (["j", "y", "b"], "cat glazes\ncone 6\nof the needle"),
        (["j", "y", "c"], "cat glazes"),
        (["j", "j", "y", "b"], "Cone **6**."),
        (["y", "l"], "[[Which cone for the blue glaze?]]"),
    ],
)
async def test_the_selected_part_is_copied(
    reading: Opening, keys: list[str], copied: str
) -> None:
    async with reading(*CALLS) as now:
        await now.visit.press("enter", *keys)
        assert now.visit.copied == copied


async def test_from_the_list_the_whole_conversation_is_copied(reading: Opening) -> None:
    async with reading(*CALLS) as now:
        await now.visit.press("y", "b")
        assert now.visit.copied.endswith(
            "- ✓ **Bash** `cat glazes`\n\n### agent 10:00\n\nCone **6**."
        )
        await now.visit.press("y", "m")
        assert now.visit.copied.startswith(
            "# Which cone for the blue glaze?\n\n## 2026"
        )


async def test_one_of_several_code_blocks_is_chosen(reading: Opening) -> None:
    text = "First\n\n```py\none()\n```\n\nthen\n\n```\ntwo()\n\nthree()\n```\n"
    async with reading(told.assistant("a", told.says(text), second=1)) as now:
        await now.visit.press("enter", "y", "c")
        assert "code" in now.visit.text
        await now.visit.press("down", "enter")
        assert now.visit.copied == "two()\n\nthree()"


async def test_the_file_named_by_a_call_is_shown(
    reading: Opening, tmp_path: Path
) -> None:
    file = tmp_path / "glazes.md"
    file.write_text("Blue.\n")
    lines = (
        told.user("a", "Read it.", 1),
        told.assistant("b", told.calls("t", "Read", file_path=str(file)), second=2),
        told.assistant("c", told.calls("u", "Read", file_path="/nowhere"), second=3),
    )
    async with reading(*lines) as now:
        await now.visit.press("enter", "o")
        assert now.visit.browser.parts.status.message.endswith(f"{told.SESSION}.jsonl")
        await now.visit.press("j", "o")
        assert now.visit.browser.parts.status.message == str(file)
        await now.visit.press("j", "o")
        assert "Can't read /nowhere" in now.visit.browser.parts.status.message


async def test_an_unknown_session_cannot_be_resumed(
    reading: Opening, tmp_path: Path
) -> None:
    async with reading(*CALLS) as now:
        await now.visit.press("enter", "y", "r")
        assert (
            now.visit.copied == f"cd /home/mira/kiln && claude --resume {told.SESSION}"
        )
        assert "no longer exists" in now.visit.browser.parts.status.message

    odd = {**CALLS[0], "cwd": f"{tmp_path}", "sessionId": told.SESSION}
    async with reading(odd) as now:
        await now.visit.press("enter", "y", "r")
        assert "Its folder exists." in now.visit.browser.parts.status.message


@pytest.mark.parametrize("size", [(80, 24), (30, 12), (200, 50)])
async def test_any_text_is_shown_harmlessly(
    reading: Opening, size: tuple[int, int]
) -> None:
    texts = [text[:3_000] for text in TEXTS if "\ud83d" not in text]
    lines = [
        line
        for at, text in enumerate(texts)
        for line in (
            told.user(f"u{at}", f"x {text}", at),
            told.assistant(
                f"a{at}",
                told.thinks(text),
                told.says(f"x {text}"),
                told.calls(f"t{at}", text[:50] or "x", command=text),
                second=at,
            ),
            told.user(f"r{at}", [told.answers(f"t{at}", text)], at),
        )
    ]
    async with reading(*lines, size=size) as now:
        await now.visit.press("enter", "a")
        for _ in range(12):
            await now.visit.press("ctrl+f")
            screen = now.visit.screen
            assert unfit(screen) == set()
            assert not any("cannot be drawn" in line for line in screen)
        assert now.visit.browser.failure == ""
