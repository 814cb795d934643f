"""What stands between entries: which day begins, and for how long nothing was said."""

from collections.abc import Iterable, Sequence
from datetime import date

from rich.cells import cell_len

from store.derive.timing import Timing
from widgets.agenda.outline import days_between
from widgets.calendar.counted import ENTRIES, Counted
from widgets.calendar.names import ordinal, told
from widgets.columns.cells import fit
from widgets.columns.cells import told as cleaned
from widgets.lines.pieces import Pieces

_HOUR = 60
_RULE = "─"


def heading(
    day: str | None,
    count: int | None,
    others: Iterable[Counted],
    today: date,
    width: int,
) -> Pieces:
    """A day, how many entries it has and how much else is of it, and a rule."""
    name = "…" if day is None else cleaned(told(day, today))
    counts = [] if count is None else [ENTRIES.counted(count)]
    at = ordinal(day or "") or 0
    counts += [other.noun.counted(other.on(at)) for other in others if other.on(at)]
    while len(counts) > 1 and cell_len(name) + len(_joined(counts)) >= width:
        counts.pop()
    number = _joined(counts)
    left = max(width - cell_len(name) - len(number) - 1, 0)
    pieces = [(name, "heading"), (number, "muted"), (f" {_RULE * left}", "faint")]
    return fit(pieces, width)


def _joined(counts: Sequence[str]) -> str:
    return f"  {' · '.join(counts)}" if counts else ""


def gap_between(timing: Timing, position: int) -> Pieces:
    """For how long it was silent before an entry."""
    before, day = timing.days[position - 1], timing.days[position]
    if day == before:
        silent = abs(timing.minutes[position] - timing.minutes[position - 1])
        lasted = f"{silent // _HOUR}h {silent % _HOUR}m"
    else:
        lasted = f"{days_between(before, day) - 1} quiet days"
    return [("      ┊ ", "faint"), (lasted, "faint italic")]
