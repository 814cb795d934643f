"""The lines between conversations: quiet, and the days."""

from widgets.columns.cells import fit
from widgets.columns.numbers import brief
from widgets.lines.pieces import Piece, Pieces, width_of
from widgets.timeline.activity import spark
from widgets.timeline.days import day_told, lasting
from widgets.timeline.shown import Shown

_HOURS = 24
_SPARKS = ((76, _HOURS), (54, _HOURS // 2))
"""From which width on the bars of a day take how many cells."""

_WORDS = 44
"""The width from which on counts have their names."""


def quiet_line(quiet: int, line: int, lines: int, margin: int) -> Pieces:
    """A line of quiet; the one in the middle tells how long it lasts."""
    pieces: list[Piece] = [(" " * margin, ""), ("┊", "faint")]
    if line == (lines - 1) // 2:
        days = -quiet
        told = f"{days} quiet day{'s' * (days != 1)}" if quiet < 0 else ""
        pieces.append((f" {told or lasting(quiet) + ' quiet'}", "faint italic"))
    return pieces


def day_line(shown: Shown, day: int, width: int) -> Pieces:
    """A day: its name, what went on hour by hour, and how much that was."""
    talks, messages = shown.talks_on(day), brief(shown.messages_on(day))
    counts = f" {talks} conv · {messages} msg" if width >= _WORDS else f" {talks}"
    cells = next((cells for least, cells in _SPARKS if width >= least), 0)
    bars: list[Piece] = []
    if cells:
        drawn = spark(shown.hours_of(day), cells)
        bars = [(" 0h ", "faint"), (drawn, "arrow"), (" 24h ", "faint")]
    name = f"{day_told(shown.laid.items.days[day].begin)} "
    right = [*bars, (counts, "muted")]
    rule = "─" * max(width - len(name) - width_of(right), 0)
    return fit([(name, "strong"), (rule, "faint"), *right], width)


def fold_line(kids: int, margin: int, *, is_open: bool) -> Pieces:
    """What says that conversations are folded away, or follow."""
    sign = "▼" if is_open else "▶"
    told = f"{kids} sub-agent{'s' * (kids != 1)}"
    return [(" " * margin, ""), ("└ ", "faint"), (f"{sign} {told}", "muted")]
