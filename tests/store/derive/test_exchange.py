"""The difference between two versions of a file, in whole lines."""

from itertools import chain

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.derive.texts import Exchange, exchanged

LINES = st.lists(st.sampled_from([b"", b"a", b"b", b"ab", b"a" * 70_000]), max_size=6)
FILES = st.tuples(LINES, st.booleans()).map(
    lambda parts: b"\n".join(parts[0]) + b"\n" * (parts[1] and bool(parts[0]))
)


@given(FILES, FILES)
@example(b"", b"")
@example(b"a", b"a\nb\n")
@example(b"a\nb\nb\n", b"a\nb\n")
def test_the_surrounding_lines_are_the_same(before: bytes, after: bytes) -> None:
    told = exchanged(before, after)

    old, new = (raw.splitlines(keepends=True) for raw in (before, after))
    start = told.first - 1
    assert old[:start] == new[:start]
    assert old[told.behind - 1 :] == new[told.behind + told.shift - 1 :]
    assert told.offset == len(b"".join(chain(old[:start])))
    assert told.size == len(after)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (b"one\ntwo\nthree\n", Exchange(4, 14, 0, 0, 14)),
        (b"one\ntwo\nthree\nfour\n", Exchange(4, 14, 0, 1, 19)),
        (b"one\nTWO\nthree\n", Exchange(2, 4, 1, 1, 14)),
        (b"one\nthree\n", Exchange(2, 4, 1, 0, 10)),
        (b"zero\none\ntwo\nthree\n", Exchange(1, 0, 0, 1, 19)),
    ],
)
def test_only_lines_that_differ_are_reported(after: bytes, told: Exchange) -> None:
    assert exchanged(b"one\ntwo\nthree\n", after) == told
