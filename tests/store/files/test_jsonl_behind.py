"""Appending lines gives the same bytes as rewriting the whole file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.draft import MOST, behind
from store.files.append import NEAR
from store.files.beneath import Root
from store.formats.agent_memory.edit_files import LinesFile
from tests.examples import USUAL, examples

ENDS = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"{}", b" ", b"\xff", b"\xef\xbb\xbf", b"\r"]),
    max_size=8,
).map(b"".join)


@examples(USUAL, keeps_fixtures=True)
@given(
    filled=st.booleans(),
    end=ENDS,
    lines=st.lists(st.sampled_from([b"{}", b'{"a":1}']), min_size=1, max_size=3),
)
def test_appending_gives_the_same_bytes_as_a_file(
    tmp_path: Path, *, filled: bool, end: bytes, lines: list[bytes]
) -> None:
    raw = b'{"id":"long"}\n' * NEAR * filled + end
    (tmp_path / "lines.jsonl").write_bytes(raw)
    file = LinesFile("tasks.jsonl", raw)
    for line in lines:
        file.add("task", line)

    with Root(tmp_path) as root:
        step = behind(root, "lines.jsonl", lines)

    assert step is not None
    assert step.end.size == len(raw)
    assert raw.endswith(step.end.tail)
    assert raw + step.lines == file.after


@pytest.mark.parametrize(("room", "fits"), [(1, True), (0, False)])
def test_lines_too_long_for_one_write_are_not_appended(
    tmp_path: Path, room: int, *, fits: bool
) -> None:
    (tmp_path / "lines.jsonl").write_bytes(b"{}\n")

    with Root(tmp_path) as root:
        step = behind(root, "lines.jsonl", [b"x" * (MOST - room)])

    assert (step is not None) is fits
