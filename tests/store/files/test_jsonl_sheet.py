"""Changing one line of a file keeps all others unchanged."""

from hypothesis import given
from hypothesis import strategies as st

from store.formats.agent_memory.edit_lines import Sheet

FILES = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"{}", b" ", b"\xff", "\u2028".encode(), b"\r"]),
    max_size=12,
).map(b"".join)


@given(FILES)
def test_an_unchanged_sheet_gives_the_same_bytes(raw: bytes) -> None:
    assert Sheet(raw).raw == raw
    assert Sheet(b"\xef\xbb\xbf" + raw).raw == b"\xef\xbb\xbf" + raw


@given(FILES, st.data())
def test_removing_a_line_removes_no_other(raw: bytes, data: st.DataObject) -> None:
    lines = raw.removesuffix(b"\n").split(b"\n") if raw else []
    sheet = Sheet(raw)
    if not lines:
        return
    at = data.draw(st.integers(0, len(lines) - 1))
    assert sheet.line(at + 1) == lines[at]

    sheet.remove(at + 1)

    kept = lines[:at] + lines[at + 1 :]
    assert sheet.raw == b"\n".join(kept) + (
        b"\n" if kept and raw[-1:] == b"\n" else b""
    )
    assert sheet.line(at + 1) == b""


@given(FILES, st.sampled_from([b"{}", b'{"a":1}']))
def test_an_added_line_is_on_a_line_of_its_own(raw: bytes, line: bytes) -> None:
    sheet = Sheet(raw)
    sheet.add(line)

    after = sheet.raw

    assert after.startswith(raw)
    assert after.endswith(b"\n")
    assert after[len(raw) :].strip() == line
    assert after.rstrip().split(b"\n")[-1] == line


def test_a_new_line_in_a_crlf_file_ends_with_crlf() -> None:
    sheet = Sheet(b"{}\r\n{}\r\n")
    sheet.add(b"[]")

    assert sheet.raw == b"{}\r\n{}\r\n[]\r\n"


def test_line_numbers_stay_after_a_removal() -> None:
    sheet = Sheet(b"a\nb\nc")
    sheet.remove(1)
    sheet.replace(3, b"d")

    assert sheet.raw == b"b\nd"
