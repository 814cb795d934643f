"""To a time of a conversation: the hours in which something was said, or one typed."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from tui.browser.first.counting import counted
from tui.browser.popups.popup import Popup
from tui.browser.popups.rows import Choice
from tui.browser.transcript.moments import spelt
from widgets.styles.palette import Palette

_TIME = re.compile(r"(\d{1,2})(?::(\d{1,2}))?")
_LAST_HOUR, _LAST_MINUTE = 23, 59
_MANY = 100
"""How many days are offered for a time that is typed."""


class TimePopup(Popup[int]):
    """Closes with the place of the first message from a time on."""

    def __init__(self, micros: Sequence[int], palette: Palette) -> None:
        """`micros` are when the messages were written, never less than before."""
        super().__init__("to a time", "14:30, or a part of a day", palette)
        self._micros = micros
        self._hours = Counter(_hour(one) for one in micros if one)

    def rows(self, typed: str) -> Sequence[Choice[int]]:
        """The hours that are like what was typed; a time first, on every day of it."""
        wanted = typed.strip()
        found = [*self._exact(wanted), *self._like(wanted)]
        return list({choice.value: choice for choice in reversed(found)}.values())[::-1]

    @property
    def nothing(self) -> str:
        """What is said where nothing was written then."""
        return "Nothing was said then."

    def _exact(self, wanted: str) -> Iterator[Choice[int]]:
        """The first message from a time on, for each day on which there is one."""
        time = _TIME.fullmatch(wanted)
        if time is None:
            return
        hour, minute = int(time[1]), int(time[2] or 0)
        if hour > _LAST_HOUR or minute > _LAST_MINUTE:
            return
        days = dict.fromkeys(hour // 24 for hour in self._hours)
        for day in list(days)[:_MANY]:
            micros = ((day * 24 + hour) * 60 + minute) * 60_000_000
            place = bisect_left(self._micros, micros)
            if place < len(self._micros):
                when = spelt(self._micros[place])
                yield Choice(place, when, "the first from then on")

    def _like(self, wanted: str) -> Iterator[Choice[int]]:
        for hour, count in self._hours.items():
            micros = hour * 3_600_000_000
            title = spelt(micros)
            if wanted in title:
                place = bisect_left(self._micros, micros)
                yield Choice(place, title, counted(count, "messages"))


def _hour(micros: int) -> int:
    return micros // 3_600_000_000
