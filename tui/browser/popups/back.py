"""What is asked and told of looking back: which day, and how that differs from now."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tui.browser.popups.question import Answer, Question
from tui.browser.rooms.episodes.date_popup import DatePopup
from tui.browser.rooms.episodes.diary import day_of
from tui.browser.views import VIEWS
from widgets.calendar.counted import MEMORIES, Counted
from widgets.reader.bodies import Facts, Joined, Plain
from widgets.styles.palette import Palette

if TYPE_CHECKING:
    from store.past.lookback import Lookback

_LOOK = Answer("close", "↵", "look around")


class AsOfPopup(DatePopup):
    """Closes with the day that shall be looked back at."""

    def __init__(self, days: Mapping[str, int], now: int, palette: Palette) -> None:
        super().__init__(Counted.of(days, MEMORIES), day_of(now), palette)
        self._title = "as of"


def as_of_popup(days: Mapping[str, int], now: int, palette: Palette) -> AsOfPopup:
    """The popup in which a day is typed, with what was kept on each."""
    return AsOfPopup(days, now, palette)


def since_then_question(lookback: "Lookback", palette: Palette) -> Question:
    """How another time differs from now, view by view, and how well it is known."""
    facts = [
        (view.label, _told(*lookback.differences[view.kind]))
        for view in VIEWS
        if any(lookback.differences[view.kind])
    ]
    differing = Facts(facts) if facts else Plain("Nothing is other since then.")
    notes: Sequence[str] = lookback.notes()
    title = f"as of {lookback.when} · read-only"
    body = Joined(differing, Plain("\n\n".join(notes)))
    return Question(title, body, (_LOOK,), palette)


def _told(new: int, changed: int, gone: int) -> str:
    counts = ((new, "new since"), (changed, "changed"), (gone, "gone"))
    return " · ".join(f"{count} {word}" for count, word in counts if count)
