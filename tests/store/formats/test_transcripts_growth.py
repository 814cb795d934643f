"""Transcripts read in pieces and while they grow give the same result."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.findings import START, Findings, Json
from store.formats import growing
from tests.examples import examples
from tests.store.formats.transcripts_stores import (
    SESSION,
    answers,
    assistant,
    calls,
    dumped,
    envelope,
    messages,
    put,
    read,
    says,
    thinks,
    together,
    user,
    uuid,
)

NAME = f"{SESSION}.jsonl"

CHATTER: list[Json | bytes] = [
    {"type": "summary", "summary": "The end", "leafUuid": uuid("m4")},
    user("p", "Hello", slug="merry-kiln"),
    assistant("m1", thinks("Hm."), message_id="m", second=1),
    assistant("m2", calls("t1", "Bash", command="ls"), message_id="m", second=2),
    user("r", [answers("t1", "a")], 3),
    assistant("m3", says("It is a."), message_id="m", second=4),
    user("p", "Hello", slug="merry-kiln"),
    {"type": "queue-operation", "operation": "enqueue", "content": "wait"},
    {"type": "queue-operation", "operation": "remove"},
    b'{"type":"progress"',
    b"",
    b"[1, 2]",
    {"type": "custom-title", "customTitle": "Kiln", "sessionId": SESSION},
    {"type": "custom-title", "customTitle": "Kiln", "sessionId": SESSION},
    assistant("m4", says("Bye.")),
    envelope("x", type="progress", data={"type": "hook_progress"}),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("growing")


@given(
    lines=st.lists(st.sampled_from(CHATTER), min_size=1, max_size=20),
    cuts=st.lists(st.integers(0, 10_000), max_size=4),
    piece=st.sampled_from([1, 200, 1000, 10_000]),
)
@examples(150)
def test_reading_step_by_step_finds_the_same_as_reading_at_once(
    folder: Path, lines: list[Json | bytes], cuts: list[int], piece: int
) -> None:
    path, raw = folder / NAME, dumped([CHATTER[1], *lines])
    path.write_bytes(raw)
    whole = read(path)
    parts: list[Findings] = []
    mark = START
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "PIECE", piece)
        for cut in [*sorted({cut % len(raw) for cut in cuts}), len(raw)]:
            path.write_bytes(raw[:cut])
            parts.append(read(path, since=mark))
            mark = parts[-1].mark
    found = together(parts)
    assert not found.anew
    assert found.messages == whole.messages
    assert found.flaws == whole.flaws
    assert found.sessions == whole.sessions
    assert found.tail == whole.tail


def test_no_message_is_lost_when_ids_coincide(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        {**user(f"m{at}", f"This is {at}.", at), "uuid": uuid}
        for at in range(20)
        for uuid in (
            f"{at:08x}-7c1f-11f0-8000-00155d0a0b0c",
            f"7c1f11f0-0000-4000-8000-{at:012x}",
        )
    ]
    path = folder / NAME
    path.write_bytes(dumped(lines))
    monkeypatch.setattr(growing, "PIECE", 600)
    found = [read(path)]
    while found[-1].more:
        found.append(read(path, since=found[-1].mark))
    assert len(together(found).messages) == len(lines)


@given(st.binary(max_size=300) | st.lists(st.sampled_from(CHATTER)).map(dumped))
def test_no_bytes_make_reading_fail(folder: Path, raw: bytes) -> None:
    path = folder / NAME
    path.write_bytes(raw)
    assert read(path)


KEYS = """type message content role uuid parentUuid sessionId timestamp cwd usage model
    id name input text thinking source attachment data operation summary leafUuid
    subtype error origin kind isMeta output_tokens"""
WORDS = """user assistant system attachment progress queue-operation summary text
    tool_use tool_result image thinking agent_progress"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS.split()),
            inner | st.sampled_from(WORDS.split()),
            max_size=6,
        )
    ),
    max_leaves=30,
)


@given(st.lists(VALUES, max_size=5))
@examples(200)
def test_no_values_make_reading_fail(folder: Path, values: list[object]) -> None:
    lines: list[Json | bytes] = [
        CHATTER[1],
        *(json.dumps(value).encode() for value in values),
    ]
    path = put(folder / NAME, *lines)
    found = read(path)
    assert not found.flaws
    assert sum(found.sessions[0].lines.values()) == len(lines)


def test_an_unfinished_line_waits(tmp_path: Path) -> None:
    path = put(tmp_path / NAME, user("a", "one"))
    before = path.stat().st_size
    with path.open("ab") as file:
        file.write(dumped([user("b", "two")])[:50])
    found = read(path)
    assert found.mark.offset == before
    assert found.tail
    assert (found.tail.code, found.tail.line) == ("unfinished-line", 2)
    assert not found.flaws


def test_a_last_line_without_newline_is_read_once(tmp_path: Path) -> None:
    raw = dumped([user("a", "one"), user("b", "two")])
    path = tmp_path / NAME
    path.write_bytes(raw[:-1])
    before = read(path)
    assert [m.text for m in before.messages] == ["one", "two"]
    assert before.tail is None
    path.write_bytes(raw + dumped([user("c", "three")]))
    after = read(path, since=before.mark)
    assert [(m.text, m.line) for m in after.messages] == [("three", 3)]


@pytest.mark.parametrize("change", ["shrunk", "other beginning", "other end"])
def test_a_rewritten_file_is_read_again(tmp_path: Path, change: str) -> None:
    path = put(tmp_path / NAME, user("a", "one"), user("b", "two"))
    mark = read(path).mark
    match change:
        case "shrunk":
            put(path, user("a", "one"))
        case "other beginning":
            put(path, user("x", "uno"), user("b", "two"), user("c", "three"))
        case _:
            put(path, user("a", "one"), user("b", "duo"), user("c", "three"))
    found = read(path, since=mark)
    assert found.anew
    assert found.messages == messages(path)


def test_two_objects_on_one_line_are_two(tmp_path: Path) -> None:
    glued = dumped([user("a", "one")])[:-1] + dumped([user("b", "two")])
    nameless = b'{"type":"wonder"}{"type":"wonder"}\n'
    path = tmp_path / NAME
    path.write_bytes(glued + nameless)
    found = messages(path)
    assert [m.text for m in found] == ["one", "two", "[wonder]", "[wonder]"]
    assert len({m.key for m in found}) == 4


def test_the_first_line_with_an_id_counts(tmp_path: Path) -> None:
    path = put(tmp_path / NAME, user("a", "one"), user("a", "again"), user("b", "two"))
    found = read(path)
    assert [m.text for m in found.messages] == ["one", "two"]
    assert found.sessions[0].lines == {"user": 2, "(duplicate)": 1}


def test_broken_lines_are_reported_but_not_thousands(tmp_path: Path) -> None:
    path = put(tmp_path / NAME, user("a", "one"), *[b"{"] * 500, user("b", "two"))
    found = read(path)
    assert [m.text for m in found.messages] == ["one", "two"]
    assert found.sessions[0].lines["(broken)"] == 500
    assert found.flaws[0].code == "broken-line"
    assert found.flaws[0].line == 2
    assert len(found.flaws) == 101


def test_time_that_goes_backwards_changes_no_order(tmp_path: Path) -> None:
    path = put(tmp_path / NAME, *[user(n, str(n), 50 - n) for n in range(3)])
    assert [m.text for m in messages(path)] == ["0", "1", "2"]
