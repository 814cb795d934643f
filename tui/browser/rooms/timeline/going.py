"""To a day that is typed: the popup that episodes have too, over other days."""

from datetime import date

from tui.browser.rooms.episodes.date_popup import DatePopup
from tui.browser.rooms.episodes.diary import day_of
from widgets.calendar.counted import TALKS, Counted
from widgets.styles.palette import Palette
from widgets.timeline.days import date_told
from widgets.timeline.shown import Shown


def popup_of(shown: Shown, now: int, palette: Palette) -> DatePopup:
    """The popup in which a day is typed, with what there is of each."""
    days = {
        date_told(day.begin): shown.talks_on(number)
        for number, day in enumerate(shown.laid.items.days)
    }
    return DatePopup(Counted.of(days, TALKS), day_of(now), palette)


def nearest_day(shown: Shown, ordinal: int) -> int | None:
    """The number of the day that is nearest to another; None where there are none."""
    distances = {
        number: abs(date.fromisoformat(told).toordinal() - ordinal)
        for number, day in enumerate(shown.laid.items.days)
        if (told := date_told(day.begin))
    }
    return min(distances, key=distances.__getitem__, default=None)
