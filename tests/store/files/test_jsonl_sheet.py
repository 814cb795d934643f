"""Changing one line of a file keeps all others unchanged."""

from hypothesis import given
from hypothesis import strategies as st

from store.formats.agent_memory.edit_files import LinesFile

FILES = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"{}", b" ", b"\xff", "\u2028".encode(), b"\r"]),
    max_size=12,
).map(b"".join)


@given(FILES)
def test_an_unchanged_file_gives_the_same_bytes(raw: bytes) -> None:
    assert LinesFile("tasks.jsonl", raw).after == raw
    assert (
        LinesFile("tasks.jsonl", b"\xef\xbb\xbf" + raw).after == b"\xef\xbb\xbf" + raw
    )


@given(FILES, st.data())
def test_removing_a_line_removes_no_other(raw: bytes, data: st.DataObject) -> None:
    lines = raw.removesuffix(b"\n").split(b"\n") if raw else []
    file = LinesFile("tasks.jsonl", raw)
    if not lines:
        return
    at = data.draw(st.integers(0, len(lines) - 1))
    assert file.line(at + 1) == lines[at]

    file.replace(at + 1, None)

    kept = lines[:at] + lines[at + 1 :]
    assert file.after == b"\n".join(kept) + (
        b"\n" if kept and raw[-1:] == b"\n" else b""
    )
    assert file.line(at + 1) == b""


@given(FILES, st.sampled_from([b"{}", b'{"a":1}']))
def test_an_added_line_is_on_a_line_of_its_own(raw: bytes, line: bytes) -> None:
    file = LinesFile("tasks.jsonl", raw)
    file.add("task", line)

    after = file.after

    assert after.startswith(raw)
    assert after.endswith(b"\n")
    assert after[len(raw) :].strip() == line
    assert after.rstrip().split(b"\n")[-1] == line


def test_a_new_line_in_a_crlf_file_ends_with_crlf() -> None:
    file = LinesFile("tasks.jsonl", b"{}\r\n{}\r\n")
    file.add("task", b"[]")

    assert file.after == b"{}\r\n{}\r\n[]\r\n"


def test_line_numbers_stay_after_a_removal() -> None:
    file = LinesFile("tasks.jsonl", b"a\nb\nc")
    file.replace(1, None)
    file.replace(3, b"d")

    assert file.after == b"b\nd"
