"""The prompts in history.jsonl, often the only trace of a session."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.files.beneath import Root
from store.findings import START, Findings, Json, Mark, MessageFound
from store.formats.port import Place, Source
from store.formats.transcripts.format import FORMAT
from store.machine import Machine
from tests.store.formats.transcripts_stores import (
    SESSION,
    SLUG,
    Line,
    dumped,
    put,
    user,
)

NOON = 1_772_366_400_000
"""When the first prompt was typed, in milliseconds."""
KILN = "/home/mira/kiln"


def typed(minute: float, display: Json, **more: Json) -> Line:
    """A line as Claude Code writes it; old versions had no session."""
    return {
        "display": display,
        "pastedContents": {},
        "timestamp": NOON + round(minute * 60_000),
        "project": KILN,
        **more,
    }


def home(tmp_path: Path, *lines: Json | bytes) -> Path:
    """A folder of Claude Code without transcripts."""
    put(tmp_path / ".claude/history.jsonl", *lines)
    return tmp_path / ".claude"


def source(root: Path) -> Source:
    with FORMAT.open(root) as store:
        (found,) = store.scan()
    assert isinstance(found, Source)
    return found


def read(root: Path, since: Mark = START) -> Findings:
    with FORMAT.open(root) as store:
        return store.read(source(root), since)


def test_prompts_are_messages_with_time_project_and_session(tmp_path: Path) -> None:
    found = read(home(tmp_path, typed(0, "Bake", sessionId=SESSION), typed(1, "Eat")))

    first, second = found.messages
    assert (first.kind, first.role, first.text) == ("prompt", "user", "Bake")
    assert (first.session, first.cwd) == (SESSION, KILN)
    assert first.at
    assert first.at.micros == NOON * 1000
    assert (second.session, second.cwd, second.line) == (None, KILN, 2)
    assert {one.key for one in found.conversations} == {
        first.conversation,
        second.conversation,
    }
    assert {one.project for one in found.conversations} == {"kiln"}
    assert not found.flaws


def test_prompts_without_a_session_are_divided_by_project_and_silence(
    tmp_path: Path,
) -> None:
    minutes = [(0, KILN), (5, "/srv/x"), (50, KILN), (65, "/srv/x"), (111, KILN)]
    lines = [typed(minute, "Go", project=project) for minute, project in minutes]
    lines += [typed(112, "Go", project=KILN, timestamp=None)]

    keys = [message.conversation for message in read(home(tmp_path, *lines)).messages]

    assert len(set(keys)) == 3
    assert keys[0] == keys[2] != keys[4] == keys[5]
    assert keys[1] == keys[3]


def test_pasted_text_is_in_its_place(tmp_path: Path) -> None:
    pasted: Json = {
        "1": {"id": 1, "type": "text", "content": "a\nb"},
        "2": {"id": 2, "type": "text", "contentHash": "0f"},
        "3": {"id": 3, "type": "text", "content": "unmarked"},
        "4": "odd",
    }
    display = "Read [Pasted text #1 +1 lines] and [Pasted text #2]."
    (message,) = read(home(tmp_path, typed(0, display, pastedContents=pasted))).messages

    assert message.text == "Read a\nb and [Pasted text #2].\n\nunmarked"


@pytest.mark.parametrize(
    ("display", "kind", "text"),
    [
        ("/compact keep it", "command", "/compact keep it"),
        ("/home/x is full", "prompt", "/home/x is full"),
        (None, "prompt", ""),
        (["odd"], "prompt", ""),
    ],
)
def test_any_display_is_read(
    tmp_path: Path, display: Json, kind: str, text: str
) -> None:
    (message,) = read(home(tmp_path, typed(0, "x"), typed(1, display))).messages[1:]
    assert (message.kind, message.text) == (kind, text)


def test_a_prompt_is_shown_with_all_that_its_line_has(tmp_path: Path) -> None:
    root = home(tmp_path, typed(0, "Bake"), typed(1, "Eat", mood="good"))
    message = read(root).messages[1]
    place = Place(message.offset, message.extent, message.line, message.key)

    with FORMAT.open(root) as store:
        passage = store.passage(source(root), place)

    assert passage.parts == ({"type": "text", "text": "Eat"},)
    assert (passage.fields["project"], passage.fields["mood"]) == (KILN, "good")


def test_damaged_lines_are_reported(tmp_path: Path) -> None:
    found = read(home(tmp_path, typed(0, "Bake"), b"{", typed(1, "Eat"), b'{"disp'))

    assert [message.text for message in found.messages] == ["Bake", "Eat"]
    assert [(flaw.code, flaw.line) for flaw in found.flaws] == [
        ("broken-line", 2),
        ("broken-line", 4),
    ]


PROMPTS = st.builds(
    typed,
    st.integers(0, 300),
    st.text(max_size=8),
    project=st.sampled_from([KILN, "/srv/x", None]),
    sessionId=st.sampled_from([SESSION, None]),
)


@given(
    lines=st.lists(PROMPTS, min_size=1, max_size=12), cuts=st.sets(st.integers(0, 2000))
)
def test_reading_in_any_pieces_finds_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[Line], cuts: set[int]
) -> None:
    root = home(tmp_path_factory.mktemp("history"), *lines)
    file, whole = root / "history.jsonl", dumped(lines)
    since, pieces = START, list[MessageFound]()
    first = len(dumped(lines[:1]))
    for cut in sorted(
        {min(max(cut, first), len(whole)) for cut in cuts} | {len(whole)}
    ):
        file.write_bytes(whole[:cut])
        found = read(root, since)
        assert not found.anew
        since = found.mark
        pieces += found.messages

    assert pieces == list(read(root).messages)


def test_a_history_without_transcripts_is_a_store(tmp_path: Path) -> None:
    root = home(tmp_path, typed(0, "Bake"))
    machine = Machine(tmp_path, tmp_path, {})
    assert sniffs(root)
    assert list(FORMAT.places(machine)) == [root / "projects", root]
    with FORMAT.open(root) as store:
        before = store.glance()
        put(root / "history.jsonl", typed(0, "Bake"), typed(1, "Eat"))
        assert store.glance() != before

    put(root / "projects" / SLUG / f"{SESSION}.jsonl", user("a", "x"))
    assert not sniffs(root)
    assert list(FORMAT.places(machine)) == [root / "projects"]
    with FORMAT.open(root / "projects") as store:
        paths = {found.path for found in store.scan()}
    assert paths == {"../history.jsonl", f"{SLUG}/{SESSION}.jsonl"}


@pytest.mark.parametrize("line", [b"{}", b"no JSON", b'{"type": "message"}'])
def test_any_other_file_of_that_name_is_not_a_history(
    tmp_path: Path, line: bytes
) -> None:
    assert not sniffs(home(tmp_path, line))


def sniffs(root: Path) -> bool:
    with Root(root) as opened:
        return FORMAT.sniff(opened)
