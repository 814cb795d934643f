"""Walking from hit to hit, over messages that are not at hand yet."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from widgets.reader.hits import found
from widgets.reader.laid import Hit
from widgets.transcript.laid import AT_ONCE, LaidEntry, LaidPart
from widgets.transcript.layout import Place
from widgets.transcript.reading import Reading, Spot

_FAR = 2000
"""Lines of a part that are laid out at most to find a hit in it."""


class Found(NamedTuple):
    """A hit, and the part that it is in."""

    at: int
    part: int
    number: int


class Walk:
    """Where one is among the hits."""

    def __init__(self) -> None:
        self.here: Found | None = None
        self._step = 0
        """The way to the hit that is looked for once its message is at hand."""

    def hit(self, reading: Reading) -> Hit | None:
        """The hit that one is at, as a line of its part and where in that."""
        part = reading.part
        here = self.here
        if part is None or here is None or reading.spot != (here.at, here.part):
            return None
        hits = part.laid.hits
        return hits[here.number] if here.number < len(hits) else None

    def next(self, reading: Reading, step: int, places: Sequence[int]) -> None:
        """Go to the next hit, or to the one before; after the last comes the first.

        `places` are the messages in which there are hits, in order.
        """
        rest = self._rest(reading, step)
        if rest:
            self._be_at(reading, rest[0])
        elif places:
            reading.go(_next(places, reading.spot.at, step))
            self._step = step
            self.resume(reading)

    def land(self, reading: Reading, at: int) -> None:
        """Go to a message, and there to the first hit."""
        reading.go(at)
        self.here, self._step = None, 1
        self.resume(reading)

    def resume(self, reading: Reading) -> None:
        """Go on looking where the message that one waits for is at hand now."""
        laid = reading.laid
        if not self._step or laid is None:
            return
        step, self._step = self._step, 0
        _open(reading, laid)
        hits = _hits(reading)
        if hits:
            self._be_at(reading, hits[0] if step > 0 else hits[-1])
        else:
            self.here = None

    def filled(self, reading: Reading) -> None:
        """Parts of the message are other than they were: be at the same one's hit."""
        here = self.here
        if here is not None and here.at == reading.spot.at:
            same = [one for one in _hits(reading) if one.part == here.part]
            if same:
                self._be_at(reading, same[min(here.number, len(same) - 1)])

    def _rest(self, reading: Reading, step: int) -> list[Found]:
        """The hits that are still to come in the message that is pointed at."""
        hits = _hits(reading)
        if self.here is not None and self.here in hits:
            number = hits.index(self.here)
            return hits[number + 1 :] if step > 0 else hits[:number][::-1]
        part = reading.spot.part
        if step > 0:
            return [one for one in hits if one.part >= part]
        return [one for one in reversed(hits) if one.part < part]

    def _be_at(self, reading: Reading, hit: Found) -> None:
        self.here = hit
        reading.spot = Spot(hit.at, hit.part)
        laid = reading.laid
        if laid is not None:
            line = laid.parts[hit.part].laid.hits[hit.number].line
            reading.show(Place(hit.at, laid.start(hit.part) + line))


def _next(places: Sequence[int], at: int, step: int) -> int:
    """The place after one, or before it; after the last the first."""
    if step > 0:
        return places[bisect_right(places, at) % len(places)]
    return places[bisect_left(places, at) - 1]


def _hits(reading: Reading) -> list[Found]:
    """The hits in the message that is pointed at."""
    laid = reading.laid
    at = reading.spot.at
    return [
        Found(at, part, number)
        for part, one in enumerate(laid.parts if laid else ())
        for number in range(_count(one))
    ]


def _count(part: LaidPart) -> int:
    """How many hits a part has, as far as one looks."""
    laid = part.laid
    while not (laid.hits or laid.is_done) and len(laid.lines) < _FAR:
        laid.reach(len(laid.lines) + AT_ONCE)
    return len(laid.hits)


def _open(reading: Reading, laid: LaidEntry) -> None:
    """Open the parts of a message that hide what is looked for."""
    layout = reading.layout
    hiding = [
        one.part
        for one in laid.parts
        if not (one.is_open or one.laid.hits)
        and found(one.part.text, layout.look.needles)
    ]
    for part in hiding:
        layout.folds.toggle(laid.entry, part)
    if hiding:
        layout.replace(reading.spot.at, laid.entry)
        reading.settle()
