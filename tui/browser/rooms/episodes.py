"""The room of the daily log, with its calendar."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import partial

from msgspec.structs import replace
from textual import events, on

from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.library import Library, Record
from store.search.edit import written
from store.search.parse import parse as parse_parse
from store.search.tree import All, Compared, Days, Named, Node, Not, texts
from store.times import parse
from tui.browser.display import Display, Part
from tui.browser.layout import Layout
from tui.browser.popups.popup import Choice, Picker
from tui.browser.rooms.days import (
    EPISODES,
    DatePopup,
    Diary,
    day_of,
    diary_of,
    records_of,
)
from tui.browser.rooms.room import Given, Room
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.worker import Found, Wish, Worker
from tui.commands.command import Scope
from widgets.agenda import Agenda
from widgets.calendar import (
    Calendar,
    CalendarSheet,
    Counted,
    moved_by_months,
    ordinal,
    spelt,
)
from widgets.lines import Highlighted
from widgets.memory_table import code
from widgets.rows import Key
from widgets.sheet import Piece, Pieces, Sheet
from widgets.table import told
from widgets.timeline_lines import clock

# The calendar on the screen.


class CalendarPane(CalendarSheet):
    """The calendar; it is mounted beside the room and reports to it."""

    def __init__(self, room: "EpisodeRoom") -> None:
        super().__init__(id="calendar")
        self._room = room

    @on(Calendar.Went)
    def _went(self, event: Calendar.Went) -> None:
        event.stop()
        self._room.went(event.day)

    @on(Calendar.Opened)
    async def _opened(self, event: Calendar.Opened) -> None:
        event.stop()
        await self._room.open_day(event.day)


def about(library: Library, ref: str) -> str | None:
    """The conversation that an entry is about."""
    return next((link.ref for link in library.records.links(ref) if link.ref), None)


# The records of a day as lines, for stores without episodes.


def day_lines(
    day: date, counted: Counted, records: Iterable[Record]
) -> Iterator[Pieces]:
    """The day with its count, and one line per record."""
    number = counted.on(day.toordinal())
    count = counted.noun.counted(number) if number else "nothing"
    yield [(spelt(day), "heading"), (f"  {count}", "muted")]
    for record in records:
        if isinstance(record, Memory):
            yield [code(record.type), (" ", ""), (told(record.title), "title")]
        elif isinstance(record, Conversation):
            yield [_began(record), (told(record.title), "title")]


def _began(conversation: Conversation) -> Piece:
    """The time at which a conversation began."""
    micros = parse(conversation.first).micros if conversation.first else None
    return f"{clock(micros) if micros is not None else '':5} ", "muted"


# Time ranges, which are part of the query.

_ALWAYS = frozenset({"since", "on", "month", "year"})
"""Fields that are always about time."""

_SPANS = {
    "since:1d": "the last 24 hours",
    "since:7d": "the last 7 days",
    "since:30d": "the last 30 days",
    "since:90d": "the last 90 days",
    "since:1y": "the last year",
}


def ranges_menu(text: str, kind: str, today: date) -> list[Choice[str]]:
    """The time ranges; the current one is marked."""
    asked = set(map(written, filter(_is_of_time, _terms(text, kind))))
    return [
        Choice(
            token,
            name,
            token,
            before=[("✓ " if _is_asked(token, asked) else "  ", "marked")],
        )
        for token, name in _ranges(today)
    ]


def ranged(text: str, kind: str, token: str) -> str:
    """A query with its time range replaced; an empty range removes it."""
    terms = _terms(text, kind)
    kept = [term for term in terms if not _is_of_time(term)]
    rest = text.rstrip() if len(kept) == len(terms) else written(All(tuple(kept)))
    return " ".join(filter(None, (rest, token)))


def _ranges(today: date) -> Iterator[tuple[str, str]]:
    """The time ranges, as (query, description)."""
    yield "", "all time"
    yield from _SPANS.items()
    last_month = today.replace(day=1) - timedelta(days=1)
    yield f"month:{today:%Y-%m}", "this month"
    yield f"month:{last_month:%Y-%m}", "last month"
    yield f"year:{today:%Y}", "this year"
    yield f"year:{today.year - 1:04}", "last year"


def _is_asked(token: str, asked: set[str]) -> bool:
    return token in asked if token else not asked


def _terms(text: str, kind: str) -> tuple[Node, ...]:
    tree = parse_parse(text, [kind], is_finished=True).tree
    return tree.terms if isinstance(tree, All) else (tree,)


def _is_of_time(term: Node) -> bool:
    """Whether a term is only about time."""
    match term:
        case Not(inner):
            return _is_of_time(inner)
        case Named(name, values):
            return name in _ALWAYS or any(isinstance(one, Days) for one in values)
        case Compared(name):
            return name == "date"
        case _:
            return False


# List and calendar, which follow each other.


class DayWalk(Part):
    """Moves the calendar and the list to a day, together or after one another."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    agenda: Agenda
    calendar: Calendar
    _led: Key | None = None
    """The entry that the calendar moved the list to, so it need not follow."""

    def lead(self, day: int) -> None:
        """Move the list to the entries of a day, if it has any."""
        first = self.agenda.outline.first.get(date.fromordinal(day).isoformat())
        if first is not None:
            self._lead(first)

    def other_day(self, step: int) -> None:
        """Go to the first entry of another day."""
        self.agenda.to_day(step)
        self._led = None
        self.follow(always=True)

    def other_month(self, step: int) -> None:
        """Go to the first day with records in another month."""
        first = moved_by_months(self.calendar.chosen, step)
        after = moved_by_months(first, 1)
        days = (day for day in self.calendar.counted.counts if first <= day < after)
        self._go_to(min(days, default=first))

    def go_to_today(self) -> None:
        """Go to today and the nearest entries."""
        self.show(self.today.toordinal())

    def ask(self) -> None:
        """Ask for a day and go to it."""
        popup = DatePopup(self.calendar.counted, self.today, self.layout.palette)
        self.display.open(popup, self._take_day)

    @property
    def today(self) -> date:
        """The current day."""
        return day_of(self.session.now)

    def show(self, day: int) -> None:
        """Go to a day; report if it has no records."""
        self._go_to(day)
        if not self.calendar.counted.on(day):
            told = f"No entries on {spelt(date.fromordinal(day))}; showing the nearest."
            self.status.message = told

    def follow(self, *, always: bool = False) -> None:
        """Move the calendar to the list's day, unless the calendar leads."""
        lines, calendar = self.agenda.lines, self.calendar
        is_there = self._led is not None and self._led == lines.cursor_key
        is_led = is_there or calendar.sheet.has_focus
        self._led = self._led if is_led else None
        day = ordinal(self.agenda.day_of(lines.cursor) or "")
        if day is not None and (always or not is_led):
            calendar.choose(day)

    def _go_to(self, day: int) -> None:
        """Move the calendar to a day, and the list to the nearest entries."""
        self.calendar.choose(day)
        near = self.agenda.outline.nearest(self.calendar.chosen)
        if near is not None:
            self._lead(near)

    def _lead(self, position: int) -> None:
        """Move the list to an entry on behalf of the calendar."""
        self._led = self.agenda.lines.key(position)
        self.agenda.lines.to(position)

    def _take_day(self, day: int) -> None:
        self.show(day)
        self.status.tell()


# The room of episodes.

_NO_EPISODES = (
    "No episodes in these stores. The calendar shows {} per day; "
    "press Enter on a day to list them."
)


class EpisodeRoom(Room):
    """The daily logs, by day."""

    is_by_time = True

    face: Agenda
    """How the list looks."""

    def __init__(self, kind: str, given: Given) -> None:
        super().__init__(kind, given)
        self.calendar = Calendar(CalendarPane(self))
        """The calendar."""
        self.days = DayWalk(
            self._display,
            self._session,
            self._layout,
            self._status,
            self.face,
            self.calendar,
        )
        """The day that both show."""
        self._diary = Diary()
        self._wish = Wish(self.kind)
        self._wanted = EPISODES
        """The kind that the calendar should count."""

    @property
    def holding(self) -> Scope:  # pyright: ignore[reportIncompatibleVariableOverride]  # depends on the focus
        """The scope of keys: the calendar's while it has the focus."""
        return Scope.CALENDAR if self.calendar.sheet.has_focus else Scope.EPISODES

    def listed(self) -> Agenda:
        """A new list, grouped by day."""
        return Agenda(Sheet(id=f"list-{self.kind}"))

    async def on_mount(self) -> None:
        """Mount the calendar above list and reader."""
        await self._display.body.mount(self.calendar.sheet, after="#lists")

    async def shown(self, found: Found, worker: Worker) -> None:
        """Group the list by day and count the days' records."""
        sought = tuple(leaf.text for leaf in texts(found.query.tree))
        today = self.days.today
        self.face.tell(replace(self.face.noted, sought=sought, today=today))
        diary = self._diary = await worker.ask(
            partial(diary_of, found=found), ("diary", found.wish)
        )
        self._wish = found.wish
        others = tuple(
            counted for kind, counted in diary.counted.items() if kind != EPISODES
        )
        self.face.tell(replace(self.face.noted, others=others))
        self.face.lay(diary.outline)
        self._count()
        self.days.follow()
        if not diary.keeps_episodes:
            self._turn_to_calendar()
            self.went(self.calendar.chosen)

    def went(self, day: int) -> None:
        """Show the entries of a day, or other records in stores without episodes."""
        if self._diary.keeps_episodes:
            self.days.lead(day)
        else:
            self.run_worker(partial(self._tell_day, day), group="day", exclusive=True)

    async def open_day(self, day: int) -> None:
        """Go to the counted records of a day: entries, or a list of another kind."""
        if self._counted == EPISODES:
            self.days.show(day)
            self.table.sheet.focus()
        else:
            await self._list_day(self._counted, day)

    def steps_back(self) -> bool:
        """Focus the list instead of the calendar, if there is a list."""
        return self.calendar.sheet.has_focus and self._turned_to_list()

    def focus_beside(self, step: int) -> bool:
        """Move the focus from list to calendar or back, or on from the calendar."""
        calendar, table = self.calendar.sheet, self.table.sheet
        if step < 0:
            return self.steps_back()
        if calendar.has_focus:
            chain = self.screen.focus_chain
            after = chain.index(table) + 1 if table in chain else 0
            chain[after % len(chain)].focus()
        elif table.has_focus and calendar.is_in_view:
            calendar.focus()
        else:
            return False
        return True

    def _turned_to_list(self) -> bool:
        """Focus the list, if there is one; returns whether there is."""
        if self._diary.keeps_episodes:
            self.table.sheet.focus()
        return self._diary.keeps_episodes

    def to_calendar(self) -> None:
        """Focus the calendar."""
        if self.calendar.sheet.is_in_view:
            self.calendar.sheet.focus()
        else:
            self._status.message = "No room for the calendar."

    async def follow_entry(self) -> None:
        """Go to the memory or conversation that the entry is about."""
        entry = self.table.at_cursor
        if entry is None:
            return
        ref = entry.memory or await self._session.ask(partial(about, ref=entry.ref))
        if ref is None:
            self._status.message = "This entry doesn't link to a memory."
        else:
            kind = "memories" if entry.memory else "conversations"
            await self._lists.go(kind, ref, "")

    def time_range(self) -> None:
        """Choose a time range, which becomes part of the query."""
        menu = ranges_menu(self._lists.text, self.kind, self.days.today)
        picker = Picker("time range", menu, self._layout.palette)
        self._display.open(picker, self._take_range)

    def count_other(self) -> None:
        """Count another kind per day: memories, conversations or entries."""
        kinds = self._diary.kinds
        if len(kinds) > 1:
            after = kinds.index(self._counted) + 1
            self._wanted = kinds[after % len(kinds)]
            self._count()
            if not self._diary.keeps_episodes:
                self.went(self.calendar.chosen)
        else:
            self._status.message = "Nothing else to count."

    async def day_memories(self) -> None:
        """List the memories of the day."""
        await self._list_day("memories", self.calendar.chosen)

    @property
    def _counted(self) -> str:
        """The kind that the calendar counts: the wanted one, or the first possible."""
        usual = EPISODES if self._diary.keeps_episodes else "memories"
        kinds = self._diary.kinds or [usual]
        return self._wanted if self._wanted in kinds else kinds[0]

    def _count(self) -> None:
        diary, counted = self._diary, self._diary.counted[self._counted]
        note = _NO_EPISODES.format(counted.noun.many)
        note = "" if diary.keeps_episodes else note
        self.face.tell(replace(self.face.noted, note=note))
        self.calendar.show(counted, self.days.today.toordinal())

    @on(Highlighted)
    def _moved(self, event: Highlighted) -> None:
        if event.sheet is self.table.sheet:
            self.days.follow()

    @on(events.DescendantFocus)
    def _turn_to_calendar(self) -> None:
        """Focus the calendar if there is no list."""
        has_list = self._diary.keeps_episodes
        calendar = self.calendar.sheet
        if not has_list and self.table.sheet.has_focus and calendar.is_in_view:
            calendar.focus()

    def share(self) -> None:
        """Show the calendar only while this room is shown."""
        self._display.body.set_class(self.is_shown, "by-days")
        if not self.is_shown and self.calendar.sheet.has_focus:
            self.screen.set_focus(None)

    def _take_range(self, token: str) -> None:
        text = ranged(self._lists.text, self.kind, token)
        self.post_message(self.Asked(text))

    async def _tell_day(self, day: int) -> None:
        at, kind, wish = date.fromordinal(day), self._counted, self._wish
        found = await self._session.ask(
            lambda library: records_of(library, kind, wish, at), (kind, wish, at)
        )
        aside = tuple(day_lines(at, self._diary.counted[kind], found))
        self.face.tell(replace(self.face.noted, aside=aside))

    async def _list_day(self, kind: str, day: int) -> None:
        """List the records of a kind that were created or changed on a day."""
        token = f"on:{date.fromordinal(day)}"
        text = ranged(self._lists.text, kind, token)
        await self._lists.go(kind, None, text)
