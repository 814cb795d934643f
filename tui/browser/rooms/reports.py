"""Built-in reports over journals, and saved queries."""

import shlex
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.cells import cell_len

from store.clean import clean
from store.errors import RecollectError, WrongUseError
from store.findings import Json
from store.library import Library
from store.records.answers import Lead
from store.search.edit import written
from store.search.fuzzy import Names
from store.search.parse import parse
from store.search.tree import Named
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.filters import counts_of
from tui.browser.lists import Lists
from tui.browser.popups.popup import Choice, Heading, Popup
from tui.browser.popups.popup import Row as PopupRow
from tui.browser.popups.question import Prompt, Wanted
from tui.browser.session import Session
from tui.browser.status import Status
from tui.output.text import in_short
from tui.terminal.programs import Clipboard
from widgets.styles import Palette
from widgets.table import brief

if TYPE_CHECKING:
    from store.equivalents import Equivalent


# The answer of a report: rows with columns, and the record behind a row.

Row = Mapping[str, Json]

_MOST = 5000
"""Maximum number of rows; the command line has no limit."""

_WIDEST = 44
"""Maximum cells of a column."""

_GAP = "  "

_FIELDS = {"session": "session", "event_class": "event_class"}
"""Columns by which events can be listed, with the field of events."""


class Answer(Struct, frozen=True):
    """The answer of the stores."""

    rows: Sequence[Row]
    complaints: Sequence[str]
    """Stores that could not answer, with the reason."""
    is_cut: bool = False
    """Whether there are more rows."""

    @property
    def columns(self) -> list[str]:
        """Its columns; the store is included if there are several."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        stores = {str(row.get("store")) for row in self.rows}
        return [name for name in names if name != "store" or len(stores) > 1]

    @property
    def lines(self) -> list[str]:
        """The header and the rows, as text."""
        columns = self.columns
        cells = [[in_short(row.get(name)) for name in columns] for row in self.rows]
        table = [columns, *cells]
        widths = [
            min(max(map(cell_len, column)), _WIDEST)
            for column in zip(*table, strict=True)
        ]
        return [_GAP.join(map(_fitted, line, widths)).rstrip() for line in table]


def ask(library: Library, name: str, words: Sequence[str]) -> Answer:
    """Run a report in all stores that have it."""
    told: list[str] = []
    offered = library.reports.named(name)
    rows = list(islice(library.reports.answer(offered, words, told.append), _MOST + 1))
    return Answer(rows[:_MOST], told, len(rows) > _MOST)


def lead_of(library: Library, row: Row) -> Lead:
    """The record behind a row."""
    path, line, store = row.get("path"), row.get("line"), row.get("store")
    if isinstance(path, str) and isinstance(line, int) and isinstance(store, str):
        return library.reports.lead_to(store, f"{path}:{line}")
    return Lead()


def query_of(row: Row) -> str:
    """The query for the events of a row; empty if there are none."""
    terms = (
        Named(field, (value,))
        for name, field in _FIELDS.items()
        if isinstance(value := row.get(name), str) and value
    )
    return " ".join(map(written, terms))


def _fitted(text: str, width: int) -> str:
    """A cell, cut or padded to the width of its column."""
    cut = text if cell_len(text) <= width else f"{text[: width - 1]}…"
    return cut + " " * (width - cell_len(cut))


# The reports of journals, and saved queries.

_FORMAT = "kei"
"""The format with journals."""

_FIRST = {
    "events-of-class": ("Q1", "tool_use:Bash"),
    "events-per-session": ("Q2", ""),
    "errors-per-session": ("Q3", ""),
    "task-median": ("Q4", "audit"),
    "token-outliers": ("Q5", ""),
}
"""The questions in the format's specification, with their number and example."""

_RECIPES = ("classes", "session-durations", "task-medians", "commands")
"""The recipes in that specification."""


class Asked(Struct, frozen=True):
    """A report or a saved query."""

    name: str
    """The name of the report or of the saved query."""
    query: str = ""
    """The query; empty for a report."""
    words: str = ""
    """The report's arguments, as in a usage line."""
    usual: str = ""
    """The default arguments."""
    help: str = ""
    mark: str = ""
    """Its name in the format's specification."""
    count: int | None = None
    """The number of records that the query finds."""

    @property
    def needs_words(self) -> bool:
        """Whether arguments are required."""
        return bool(self.words) and not self.words.startswith("[")


def questions_of(library: Library) -> list[Asked]:
    """The reports of the stores: those in the format's specification first."""
    known = {
        name: offered.report
        for name, offered in library.reports.offered().items()
        if _FORMAT in offered.formats
    }
    order = [*_FIRST, *_RECIPES]
    names = [name for name in order if name in known]
    names += [name for name in known if name not in order]
    return [
        Asked(
            name,
            words=known[name].words,
            usual=_FIRST.get(name, ("", ""))[1],
            help=known[name].help,
            mark=_FIRST.get(name, ("recipe" if name in _RECIPES else "", ""))[0],
        )
        for name in names
    ]


def queries_of(
    library: Library, kind: str, saved: Mapping[str, str]
) -> Sequence[Asked]:
    """The saved queries with their counts, where they apply to the kind."""
    counts = counts_of(library, kind, saved)
    texts: dict[str, str] = {}
    for name, text in saved.items():
        texts.setdefault(text, name)
    return [
        Asked(name, query=text, help=text, count=counts.get(name))
        for text, name in texts.items()
    ]


# Popups: the choice of a report, and its answer.


class QuestionsPopup(Popup[Asked]):
    """Saved queries and reports."""

    def __init__(
        self, saved: Sequence[Asked], questions: Sequence[Asked], palette: Palette
    ) -> None:
        self._saved = [_choice(one) for one in saved]
        self._asked = [_choice(one) for one in questions]
        self._both = [*self._saved, *self._asked]
        self._names = Names(f"{one.title}\n{one.aside}" for one in self._both)
        super().__init__("saved queries and reports", "type to search", palette)

    def rows(self, typed: str) -> Sequence[PopupRow]:
        """All under their headings, or those that match the typed text."""
        words = typed.split()
        if not words:
            return list(self._headed())
        near = self._names.similar(words, len(self._both))
        return [self._both[one.position] for one in near]

    def _headed(self) -> Iterator[PopupRow]:
        for title, choices in (
            ("saved queries", self._saved),
            ("questions", self._asked),
        ):
            if choices:
                yield Heading(title)
                yield from choices


class AnswerPopup(Popup[int]):
    """The rows of an answer; returns the number of the chosen one."""

    DEFAULT_CSS = """
    AnswerPopup > #popup { width: 120; height: 90%; }
    """

    def __init__(self, title: str, answer: Answer, palette: Palette) -> None:
        super().__init__(title, "type to filter", palette)
        head, *lines = answer.lines
        self._head = Heading(head)
        more = "Run `recollect report` for all rows." if answer.is_cut else ""
        self._choices = [
            Choice(number, line, detail=more or "↵ open, if linked")
            for number, line in enumerate(lines)
        ]

    def rows(self, typed: str) -> Sequence[PopupRow]:
        """The rows that contain every typed word, below the header."""
        words = typed.casefold().split()
        found = [
            one
            for one in self._choices
            if all(word in one.title.casefold() for word in words)
        ]
        return [self._head, *found] if found else []

    @property
    def nothing(self) -> str:
        """The message if there are no rows."""
        return "No matches." if self._choices else "No results."


def _choice(one: Asked) -> Choice[Asked]:
    """A query with its count, or a report with its name in the specification."""
    right = one.mark if one.count is None else brief(one.count)
    sign = ("◈ ", "brand") if one.query else ("? ", "arrow")
    words = f"{one.name} {one.words}".strip()
    return Choice(
        one,
        one.name,
        one.help,
        before=[sign],
        right=[(right, "muted")] if right else (),
        detail=one.query or words,
    )


# Running reports: a saved query is listed, a report is answered in a popup.

_LISTED = "events-of-class"
"""The report whose answer is a list of events, and so becomes a query."""


class Reports(Part):
    """The reports that the stores of a room can answer."""

    kind: str
    """The kind of record that the room lists."""
    display: Display
    session: Session
    status: Status
    lists: Lists
    dialogs: Dialogs
    clipboard: Clipboard
    follow: Callable[[Lead], Awaitable[None]]
    """Goes to the record behind a row of an answer."""

    async def choose(self) -> None:
        """Choose a saved query or a report."""
        saved = self.session.kept.saved
        queries = await self.session.ask(
            lambda library: queries_of(library, self.kind, saved)
        )
        asked = await self.session.ask(questions_of)
        popup = QuestionsPopup(queries, asked, self.dialogs.palette)
        self.display.push_screen(popup, self._take)

    async def _take(self, asked: Asked | None) -> None:
        """List the result of a query, or ask for a report's arguments and run it."""
        if asked is None:
            return
        if asked.query:
            self.lists.ask_for(asked.query)
        elif asked.words:
            self._want_words(asked)
        else:
            await self._ask(asked, "")

    async def copy_line(self) -> None:
        """Copy an equivalent command line of another program."""
        tree = parse(self.lists.text, [self.kind]).tree
        found = await self.session.ask(
            lambda library: library.search.equivalent(self.kind, tree)
        )
        self.status.say(self._told_of_line(found))

    def _told_of_line(self, found: "Equivalent") -> str:
        """Copy the line; returns a message that names the parts it leaves out."""
        if not found.line:
            return f"{found.program} can't query this source."
        told = self.clipboard.copied_command(found.line)
        if not found.left_out:
            return f"{found.program}: {told}"
        return f"{found.program} without {clean(', '.join(found.left_out))}: {told}"

    def _want_words(self, asked: Asked) -> None:
        """Ask for the arguments of a report."""

        def check(typed: str) -> None:
            if asked.needs_words and not typed.strip():
                raise WrongUseError(f"Enter {asked.words}.")

        wanted = Wanted(
            asked.name,
            f"{asked.words}: {asked.help}",
            self._usual(asked),
            check,
            is_replaced=True,
        )

        async def take(typed: str | None) -> None:
            if typed is not None:
                await self._ask(asked, typed)

        self.display.push_screen(Prompt(wanted, self.dialogs.palette), take)

    def _usual(self, asked: Asked) -> str:
        """The initial arguments; for a session, the one at the cursor."""
        session: str | None = getattr(self.lists.here, "session", None)
        return session or "" if asked.words.startswith("SESSION") else asked.usual

    async def _ask(self, asked: Asked, typed: str) -> None:
        """Run a report and show its answer."""
        words = _words(typed)
        if asked.name == _LISTED and "as-kei" not in words:
            await self._list_events(words)
            return
        put = partial(ask, name=asked.name, words=words)
        try:
            answer = await self.session.ask(put)
        except RecollectError as error:
            self.status.say(str(error))
            return
        self.status.say(" ".join(answer.complaints))
        self._show_answer(" ".join((asked.name, *words)), answer)

    def _show_answer(self, title: str, answer: Answer) -> None:

        async def take(number: int | None) -> None:
            if number is not None:
                await self._go_to_row(answer, number)

        popup = AnswerPopup(title, answer, self.dialogs.palette)
        self.display.push_screen(popup, take)

    async def _go_to_row(self, answer: Answer, number: int) -> None:
        """Go to the record behind a row, or list the row's events."""
        row = answer.rows[number]
        lead = await self.session.ask(partial(lead_of, row=row))
        if lead.is_here:
            await self.follow(lead)
        elif text := query_of(row):
            await self.lists.go("events", None, text)
        else:
            self.status.say("Nothing to open.")

    async def _list_events(self, words: list[str]) -> None:
        """List the events of a class, optionally since a day."""
        names = ("event_class", "since")
        terms = (Named(name, (word,)) for name, word in zip(names, words, strict=False))
        await self.lists.go("events", None, " ".join(map(written, terms)))


def _words(typed: str) -> list[str]:
    """The typed words; quotes group words."""
    try:
        return shlex.split(typed)
    except ValueError:
        return typed.split()
