"""Two texts that come of one: what each made of it, and both put together."""

from collections.abc import Iterator, Sequence

from store.derive.merging import merged, three
from widgets.plans.three import Part

__all__ = ["merged", "parts"]


def parts(base: bytes, mine: bytes, theirs: bytes) -> Iterator[Part]:
    """Where one of the two, or both, are other than what they come of."""
    lines = three(base, mine, theirs)
    at = at_mine = at_theirs = 0
    for begin, end, m_begin, m_end, t_begin, t_end in lines.find_sync_regions():
        part = Part(
            line=at + 1,
            was=_shown(lines.base[at:begin]),
            mine=_shown(lines.a[at_mine:m_begin]),
            theirs=_shown(lines.b[at_theirs:t_begin]),
        )
        if part.was or part.mine or part.theirs:
            yield part
        at, at_mine, at_theirs = end, m_end, t_end


def _shown(lines: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in lines)
