"""The meaning of one line, and how the lines of a message are joined."""

import json
from functools import reduce
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from store.findings import Json, MessageFound, without_thoughts
from store.transcript.blocks import Entry, Record, entry_text, kind_of, parts_of
from store.transcript.messages import At, Reply, join, message_of

BLOCKS: list[Json] = [
    {"type": "text", "text": "Hello."},
    {"type": "text", "text": " \x1e "},
    {"type": "text", "text": ""},
    {"type": "thinking", "thinking": "Hm."},
    {"type": "thinking", "thinking": "\n\n\x1e\n\n"},
    {"type": "thinking", "thinking": "", "signature": "x"},
    {"type": "redacted_thinking", "data": "x"},
    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}},
    {"type": "tool_use", "name": "", "input": None},
    {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": "/a"}},
    {"type": "fallback", "from": {}, "to": {}},
    {"type": None},
    "loose text",
    None,
]
TIMES: list[Json] = [
    None,
    "",
    "2026-03-01T10:00:00Z",
    "2026-03-01T10:00:01Z",
    "soon",
    5,
]
USAGES: list[Json] = [
    None,
    {"input_tokens": 0, "output_tokens": 0},
    {"input_tokens": 3, "output_tokens": 1},
    {"input_tokens": 2, "output_tokens": 9, "cache_read_input_tokens": None},
]


@st.composite
def replies(draw: st.DrawFn) -> Record:
    message: Record = {
        "id": "m1",
        "role": draw(st.sampled_from(["assistant", "user"])),
        "model": draw(st.sampled_from(["claude-opus-4-6", "<synthetic>", None])),
        "content": draw(st.lists(st.sampled_from(BLOCKS), max_size=3)),
        "usage": draw(st.sampled_from(USAGES)),
    }
    return {
        "type": "assistant",
        "uuid": draw(st.uuids().map(str)),
        "timestamp": draw(st.sampled_from(TIMES)),
        "isSidechain": draw(st.booleans()),
        "message": draw(st.sampled_from([message, message, message, None])),
    }


def found_in(record: Record, line: int) -> MessageFound:
    found = message_of(record, At(line, line * 100, 99, "s"))
    assert found
    return found


@given(st.lists(replies(), min_size=1, max_size=5))
def test_joining_parts_equals_reading_lines(records: list[Record]) -> None:
    places = [At(n, n * 100, 99, "s") for n in range(len(records))]
    reply = Reply("m1", records[0], places[0])
    for record, place in zip(records, places, strict=True):
        reply.add(record, place)
    parts: list[MessageFound] = []
    for record, place in zip(records, places, strict=True):
        part = Reply("m1", record, place)
        part.add(record, place)
        parts.append(part.found())
    assert reduce(join, parts) == reply.found()


@given(st.lists(replies(), min_size=3, max_size=3))
def test_joining_is_associative(records: list[Record]) -> None:
    one, two, three = (found_in(record, n) for n, record in enumerate(records))
    assert join(join(one, two), three) == join(one, join(two, three))


@given(replies())
def test_an_entry_has_its_text(record: Record) -> None:
    assert found_in(record, 1).entries == (entry_text(record) is not None)


def user(content: Json, **more: Json) -> Record:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


@given(
    st.one_of(st.text(max_size=5), st.lists(st.sampled_from(BLOCKS), max_size=3)),
    st.booleans(),
)
def test_user_text_is_an_entry_by_the_same_rule(
    content: str | list[Json],
    meta: bool,  # noqa: FBT001 - drawn
) -> None:
    record = user(content, isMeta=meta)
    assert found_in(record, 1).entries == (entry_text(record) is not None)


def test_an_entry_reads_as_the_ingestion_writes_it() -> None:
    says: Json = {"type": "text", "text": "I look."}
    also: Json = {"type": "text", "text": "Then I list."}
    calls: list[Json] = [
        {"type": "tool_use", "name": name} for name in ("Read", "Bash")
    ]
    content: list[Json] = [says, {"type": "thinking", "thinking": "x"}, also, *calls]
    record: Record = {
        "type": "assistant",
        "message": {"role": "assistant", "content": content},
    }
    text = "I look.\n\nThen I list.\n\n[Used tools: Read, Bash]"
    assert entry_text(record) == Entry("assistant", text, ("Read", "Bash"))
    assert entry_text(user(" Go. ")) == Entry("user", " Go. ", ())
    assert entry_text(user([{"type": "tool_result"}, says])) is None
    assert entry_text(user("x", isSidechain=True)) is None
    assert entry_text({"type": "system", "content": "x"}) is None
    assert entry_text({"type": ["user"]}) is None


def test_texts_are_split_as_they_were_joined() -> None:
    for content in (BLOCKS[:4], BLOCKS[3:6], BLOCKS[6:7], BLOCKS[7:]):
        record: Record = {"type": "assistant", "message": {"content": content}}
        found = found_in(record, 1)
        says, thinks = without_thoughts(found.kind, found.text)
        assert ("Hm." in thinks) is ("Hm." in found.text)
        assert "Hm." not in says


def test_a_kind_is_known_without_building_a_message() -> None:
    lines: list[Record] = [
        user("x"),
        {"type": "assistant", "message": {"content": BLOCKS[3:8]}},
        {"type": "system", "subtype": "local_command", "content": "<command-name>"},
        {"type": "attachment", "attachment": {"type": "file"}},
        {"type": "wonder"},
    ]
    kinds = [kind_of(line) for line in lines]
    assert kinds == ["prompt", "tool_use", "command", "meta", "other"]
    assert [found_in(line, 1).kind for line in lines] == kinds
    assert kind_of({"type": "progress"}) is None
    assert kind_of({"type": 5}) is None


def test_system_lines_describe_the_event() -> None:
    overloaded = {"error": {"error": {"message": "Overloaded"}}}
    lines: list[tuple[Record, str]] = [
        ({"subtype": "api_error", "error": cast("Json", overloaded)}, "Overloaded"),
        ({"subtype": "away_summary", "content": "You were away."}, "You were away."),
        ({"subtype": "strange"}, "[strange]"),
        ({"type": "pr-link", "prUrl": "https://x/1"}, "https://x/1"),
        ({"type": "frame-link", "title": "T", "frameUrl": "u"}, "T u"),
    ]
    for line, text in lines:
        assert text in found_in({"type": "system", **line}, 1).text


def test_attachments_are_described_by_kind_and_beginning() -> None:
    content: Json = {"type": "Project", "content": "Use tabs."}
    attachment: Json = {
        "type": "nested_memory",
        "path": "/CLAUDE.md",
        "content": content,
    }
    found = found_in({"type": "attachment", "attachment": attachment}, 1)
    assert found.text == "[nested_memory] /CLAUDE.md\nUse tabs."


def test_pictures_and_signatures_are_described_by_their_size() -> None:
    picture: Json = {
        "type": "image",
        "source": {"media_type": "image/png", "data": "QUFB"},
    }
    read: Json = {"file": {"base64": "QUFB", "type": "image/jpeg"}}
    record = user([picture, "loose"], toolUseResult=read)
    parts = parts_of([record])
    assert parts[0] == {"type": "image", "media_type": "image/png", "bytes": 3}
    assert parts[1] == {"type": "text", "text": "loose"}
    assert "QUFB" not in json.dumps(parts)
