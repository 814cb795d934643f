"""A timeline of four conversations, and a program that shows it."""

from dataclasses import dataclass

from store.derive.statistics import ALONE, NEVER, Closeup, Spans
from store.kinds.conversations import Conversation
from tests.widgets.one import OneApp
from tests.widgets.timeline.made import DAY, a_conversation, at, spans_of
from widgets.rows import Held
from widgets.sheet import Sheet
from widgets.timeline import Shown, Timeline
from widgets.timeline_lines import Layout, Scale, in_time

NOW = at(4, "12:00")

ROWS = (
    ("season rollover dry-run", at(4, "11:00"), at(4, "11:03"), "skipped"),
    ("why is the DNS flaky", at(3, "12:40"), at(3, "13:28"), "ready"),
    ("look through the logs", at(3, "09:20"), at(3, "09:22"), "ready"),
    ("Redis timeouts on the build host", at(3, "09:00"), at(3, "10:50"), "archived"),
)


@dataclass
class Shelf:
    """A timeline, and the program that shows it."""

    timeline: Timeline
    app: OneApp

    @property
    def title(self) -> str:
        record = self.timeline.lines.at_cursor
        assert record is not None
        return record.title

    def lines(self) -> list[str]:
        return self.app.shown()

    def line_of(self, text: str) -> int:
        return next(y for y, line in enumerate(self.lines()) if text in line)


def records() -> list[Conversation]:
    return [
        a_conversation(ref=f"conversation:{number}", title=title, status=status)
        for number, (title, _, _, status) in enumerate(ROWS)
    ]


def spans() -> Spans:
    return spans_of(
        [(begin, end) for _, begin, end, _ in ROWS],
        parents=[ALONE, ALONE, 3, ALONE],
        messages=[42] * 4,
        leaves=[NEVER, NEVER, NEVER, NOW + 3 * DAY - 1],
    )


def shelf(scale: Scale = Scale.LOG) -> Shelf:
    """Four conversations, newest first, one of them of a sub-agent."""
    timeline = Timeline(Sheet())
    timeline.label = "Timeline"
    timeline.be_at(NOW)
    timeline.lines.set_rows(Held(records(), key=lambda one: one.ref), keeps=False)
    timeline.show(Shown(Layout(in_time(spans()), scale), spans()))
    timeline.bring([], {})
    return Shelf(timeline, OneApp(timeline.lines.sheet))


def know(timeline: Timeline) -> None:
    """Provide the tools of the first conversation."""
    known = {"conversation:3": Closeup((("Edit", 3), ("Bash", 1)))}
    timeline.bring(known, known)
