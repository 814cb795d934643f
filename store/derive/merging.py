"""Two texts that come of one, put together."""

from merge3 import Merge3

MARK = b"<<<<<<<"
"""What begins a place where a person has to decide."""


def merged(base: bytes, mine: bytes, theirs: bytes) -> bytes:
    """The text of both, with marks where a person has to decide."""
    lines = three(base, mine, theirs).merge_lines(
        name_a=b"mine",
        name_b=b"theirs",
        start_marker=MARK,
        mid_marker=b"=======",
        end_marker=b">>>>>>>",
    )
    return b"".join(lines)


def merged_cleanly(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    """The same; None where a person would have to decide."""
    lines = three(base, mine, theirs)
    is_clean = all(group[0] != "conflict" for group in lines.merge_groups())
    return b"".join(lines.merge_lines()) if is_clean else None


def three(base: bytes, mine: bytes, theirs: bytes) -> "Merge3[bytes]":
    """What the two have in common with what they come of, line by line."""
    return Merge3(
        base.splitlines(keepends=True),
        mine.splitlines(keepends=True),
        theirs.splitlines(keepends=True),
    )
