"""The status of a view: counts, marks, what can be undone, what goes on."""

from collections.abc import Mapping

from widgets.bars.items import Item, Items, plain
from widgets.columns.cells import told
from widgets.columns.types import GLYPHS

_COUNTS, _UNDO, _JOB, _MARKS = 1, 2, 8, 9
"""What stays longer than what."""


def status(
    counts: Mapping[str, int],
    marked: int = 0,
    undo: int = 0,
    job: str = "",
    right: str = "",
) -> Items:
    """How many there are of each stage or word, what is marked, what goes on.

    Where there is little room, what stands at the right goes first, marks and the job
    last.
    """
    left = [_count(word, count) for word, count in counts.items()]
    if marked:
        left.append(plain(f"✓ {marked} marked", "marked", _MARKS, f"✓ {marked}"))
    if undo:
        left.append(plain(f"↶ {undo} undo", "arrow", _UNDO, f"↶{undo}"))
    if job:
        left.append(plain(told(job), "strong", _JOB))
    ends = (plain(told(right), "ok", 0),) if right else ()
    return Items(tuple(left), ends)


def _count(word: str, count: int) -> Item:
    """A count with its glyph, where the word has one."""
    glyph = GLYPHS.get(word)
    if glyph is None:
        return plain(f"{count} {told(word)}", "muted", _COUNTS)
    short = [(glyph, word), (str(count), "muted")]
    return Item(([*short, (f" {word}", "muted")], short), _COUNTS)
