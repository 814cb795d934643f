"""How long things take: short ones at the left, long ones at the right."""

from collections.abc import Iterator, Sequence

from textual.reactive import reactive

from store.derive.quantiles import Spread, quantile, spread
from store.records.tally import Durations
from widgets.columns.numbers import brief
from widgets.journals.picture import ROWS, Picture
from widgets.journals.seconds import about, took
from widgets.journals.strokes import standing
from widgets.lines.pieces import Piece, Pieces

_SCALE = 5
_SHARES = ((0.5, "p50"), (0.9, "p90"))


class Distribution(Picture):
    """Bars whose bins grow, and where half of all and nine tenths of it lie."""

    durations: reactive[Durations] = reactive(Durations())
    """How long everything took."""

    def rows(self, width: int) -> Sequence[Pieces]:
        """Heading, bars, marks."""
        ordered, room = self.durations.seconds, max(width - _SCALE - 1, 1)
        found = spread(ordered, room)
        if found is None:
            return [[(" how long they take: nothing tells", "faint")]]
        bars = standing([float(count) for count in found.counts], ROWS, room)
        most = brief(max(found.counts))
        scale = [most, *[""] * (ROWS - 1)]
        return [
            list(self._heading()),
            *(
                [(f"{told:>{_SCALE - 1}} ", "faint"), (bar, "ok")]
                for told, bar in zip(scale, bars, strict=True)
            ),
            [(" " * _SCALE, ""), *_marks(found, ordered, room)],
        ]

    def _heading(self) -> Iterator[Piece]:
        ordered = self.durations.seconds
        yield f" how long {len(ordered)} took", "muted"
        for share, name in _SHARES:
            figure = quantile(ordered, share)
            if figure is not None:
                yield f" · {name} {took(figure)}", "faint"


def _marks(found: Spread, ordered: Sequence[float], room: int) -> list[Piece]:
    """Where the shares lie, and the ends of the scale where nothing else stands."""
    row = list(" " * room)
    for share, name in reversed(_SHARES):
        figure = quantile(ordered, share)
        if figure is not None:
            _write(row, found.place(figure), f"▲{name}")
    _write(row, 0, about(found.least))
    if found.greatest > found.least:
        _write(row, room, about(found.greatest))
    return [("".join(row), "faint")]


def _write(row: list[str], at: int, text: str) -> None:
    """Write where nothing stands, moved to the left where the row ends."""
    at = max(min(at, len(row) - len(text)), 0)
    if len(text) <= len(row) and not "".join(row[at : at + len(text)]).strip():
        row[at : at + len(text)] = text
