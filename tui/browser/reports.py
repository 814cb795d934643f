"""Reports in the browser: the list, a form for parameters, a table, export."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from store.answers.reports import FORECAST, STATISTICS, Offered
from store.clean import clean
from store.errors import WrongUseError
from store.findings import Json
from store.library import Library
from store.reports import AnyReport, Parameter, Row, Type
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.edits import Edits
from tui.browser.lists import Lists
from tui.browser.panes import follow
from tui.browser.popups.popup import Choice, Heading, InputRow, Over, Picker
from tui.browser.popups.question import Wanted
from tui.browser.query import listed_by
from tui.browser.query_input import LineInput
from tui.browser.session import Session
from tui.browser.status import Status
from tui.commands.command import Scope
from tui.output.cells import Column as Face
from tui.output.cells import columns_of, summed_up, with_bars, write_csv
from tui.output.text import as_object, encoded, in_short, sized
from tui.terminal.programs import Clipboard, write_file
from widgets import lines as lists
from widgets.bars import Bar, Item, Items
from widgets.rows import Held
from widgets.sheet import Pieces, Sheet
from widgets.styles import Palette
from widgets.table import OPEN, Column, Sorting, Table

# The answer of a report, and the records behind its rows.

_MOST = 5000
"""Maximum number of rows; the command line has no limit."""

_REF = "ref"
_UNSEEN = frozenset({_REF, "uuid", "parent", "level"})
"""Columns that are only exported: the ref of a row's record, and what makes a tree."""

_DEEPEST = 12
"""The most levels by which a row of a tree is indented."""


class Answer(Struct, frozen=True):
    """What the stores answered."""

    offered: Offered
    rows: Sequence[Row]
    complaints: Sequence[str]
    """Stores that could not answer, with the reason."""
    is_cut: bool
    """Whether there are more rows."""


def answer_of(library: Library, offered: Offered, words: Sequence[str]) -> Answer:
    """Run a report in all stores that support it."""
    told: list[str] = []
    rows = library.reports.answer(offered, words, told.append)
    some = list(islice(rows, _MOST + 1))
    return Answer(offered, some[:_MOST], told, len(some) > _MOST)


# Statistics at a glance: a row for each store, then for each part of its statistics.


def folded(answer: Answer) -> tuple[str, Answer] | None:
    """The column by which statistics are summed up, and a row for each of its values.

    None if they need no summary.
    """
    found = summed_up(answer.rows)
    return found and (found[0], replace(answer, rows=found[1]))


def within(answer: Answer, column: str, value: str) -> Sequence[Row]:
    """The rows with a value in a column."""
    return [row for row in answer.rows if row.get(column) == value]


# The list of reports, by the stores that support them, and what logs take.

_APPEND = "append "


class ReportList(Picker[str]):
    """Returns the name of a report, or `append` and a kind of entry."""

    is_wide = True
    is_fitting = False

    def __init__(
        self, offered: Sequence[Offered], entries: Sequence[str], palette: Palette
    ) -> None:
        groups: dict[str, list[Choice[str]]] = {}
        for one in offered:
            group = "every store" if one.report.is_of_index else ", ".join(one.formats)
            choice = Choice(
                one.report.name,
                one.report.name,
                one.report.help,
                detail=f"{one.report.name} {one.report.words}".strip(),
            )
            groups.setdefault(group, []).append(choice)
        for kind in entries:
            what = f"append to {_LOGS[kind]}"
            groups.setdefault("logs", []).append(
                Choice(f"{_APPEND}{kind}", f"{_APPEND}{kind}", what)
            )
        rows = [
            row for group, rows in groups.items() for row in (Heading(group), *rows)
        ]
        super().__init__("reports", rows, palette)


_LOGS = {
    "episode": "the daily log of memories",
    "task": "the journal of how long tasks took",
    "claim": "the journal of numbers and their evidence",
}
"""The kinds of entry, and where each is appended."""


def appendable(library: Library) -> list[str]:
    """The kinds of entry that some store takes."""
    return [kind for kind in _LOGS if library.plans.appending(kind)]


# The table of an answer: sorted, filtered, exported.


class Numbered(NamedTuple):
    """A row of an answer, with its number."""

    at: int
    row: Row


EXPORT, PARAMETERS = "export", "parameters"


class ReportTable(Over[int | str]):
    """Returns the number of the chosen row, or what to do with the answer."""

    AUTO_FOCUS = "Sheet"
    DEFAULT_CSS = """
    ReportTable { background: $background; }
    """

    def __init__(
        self, title: str, answer: Answer, palette: Palette, names: Mapping[str, str]
    ) -> None:
        """`names` are those of the stores, by path."""
        super().__init__(clean(title), palette)
        self._answer = answer
        self._line = LineInput("filter: words, or COLUMN:WORD")
        self._bar = Bar()
        report, rows = answer.offered.report, answer.rows
        several = len({str(row.get("store")) for row in rows}) > 1
        faces = columns_of(rows, tells_store=several, names=names)
        unseen = _UNSEEN | {"path"} if rows and "level" in rows[0] else _UNSEEN
        filled = {name for row in rows for name in row if row[name] is not None}
        faces = tuple(f for f in faces if f.title not in unseen and f.title in filled)
        is_plotted = any(face.title == report.plot for face in faces)
        drawn = with_bars(faces, rows, report) if is_plotted else faces
        drawn = for_people(drawn, rows)
        self._names = [face.title for face in drawn if face.title]
        columns = _columns(drawn, max(map(len, names.values()), default=0))
        self._table = Table[Numbered](Sheet(id="report"), columns)
        self._table.can_mark = False

    @property
    def holding(self) -> Scope:
        """The scope of its keys: those of the input line while it has the focus."""
        return Scope.POPUP if self.focused is self._line else Scope.REPORT

    def framed(self) -> ComposeResult:
        """The filter, the table, and the number of rows."""
        yield InputRow(self._line)
        yield self._table.lines.sheet
        yield self._bar

    start = 0
    """The number of the row at the cursor at first."""

    def on_mount(self) -> None:
        """Show all rows."""
        self._fill()
        self._table.lines.to_key(self.start)

    def _fill(self) -> None:
        """Show the rows that match the filter, in their order."""
        words = self._line.value.casefold().split()
        rows = [
            Numbered(at, row)
            for at, row in enumerate(self._answer.rows)
            if all(_holds(row, word) for word in words)
        ]
        sorting = self._table.sorting
        if sorting:
            rows.sort(
                key=lambda one: _order(one.row.get(sorting.name)),
                reverse=not sorting.is_ascending,
            )
        self._table.lines.set_rows(Held(rows, key=lambda one: one.at))
        self._tell(len(rows))

    def _tell(self, count: int) -> None:
        total = len(self._answer.rows)
        said = f"{count} of {total} rows" if count != total else f"{total} rows"
        said = said.removesuffix("s") if total == 1 else said
        more = " · more with `recollect report`" if self._answer.is_cut else ""
        wrong = " · ".join(("", *self._answer.complaints))
        items = [Item(([(f" {said}{more}{clean(wrong)}", "muted")],), 1)]
        for key, word in _KEYS:
            pieces = [(f" {key}", "key"), (f" {word}", "")]
            items.append(Item((pieces,), 2 if key == "esc" else 0))
        self._bar.items = Items(tuple(items))

    def action_report_end(self, last: bool) -> None:  # noqa: FBT001  # as in the command's action
        """Go to the first or the last row."""
        (self._table.lines.bottom if last else self._table.lines.top)()

    def action_choice(self, rows: int) -> None:
        """Move the cursor, from the input line as well."""
        self._table.lines.move(rows)

    def action_choice_page(self, pages: int) -> None:
        """Move the cursor by a page, from the input line as well."""
        self._table.lines.page(pages)

    def action_choose(self) -> None:
        """Close with the row at the cursor."""
        record = self._table.lines.at_cursor
        if record is not None:
            self.dismiss(record.at)

    def action_report_filter(self) -> None:
        """Type words that rows must contain."""
        self._line.focus()

    def action_report_sort(self, step: int) -> None:
        """Sort by the next column; with 0, in the opposite order."""
        now = self._table.sorting
        at = self._names.index(now.name) + step if now else 0
        is_ascending = step == 0 and not (now and now.is_ascending)
        if self._names:  # no rows, no columns
            self._sort(Sorting(self._names[at % len(self._names)], is_ascending))

    @on(Table.SortAsked)
    def _sort_asked(self, event: "Table.SortAsked") -> None:
        """Sort by a clicked column; in the opposite order if it is sorted by it."""
        event.stop()
        now = self._table.sorting
        is_same = now is not None and now.name == event.name
        self._sort(Sorting(event.name, is_same and not (now and now.is_ascending)))

    def _sort(self, sorting: Sorting) -> None:
        self._table.sorting = sorting
        self._fill()

    def action_report_export(self) -> None:
        """Close, to ask for a file."""
        self.dismiss(EXPORT)

    def action_report_parameters(self) -> None:
        """Close, to change the parameters."""
        self.dismiss(PARAMETERS)

    def action_step_back(self) -> None:
        """Leave the filter, clear it, or close."""
        if self.focused is self._line:
            self._table.lines.sheet.focus()
        elif self._line.value:
            self._line.value = ""
        else:
            self.dismiss(None)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()

    @on(lists.Chosen)
    def _clicked_twice(self, event: lists.Chosen) -> None:
        event.stop()
        self.action_choose()

    @on(lists.Highlighted)
    def _highlighted(self, event: lists.Highlighted) -> None:
        event.stop()


_KEYS = (
    ("↵", "open"),
    ("/", "filter"),
    ("s", "sort"),
    ("S", "reverse"),
    ("w", "export"),
    ("e", "parameters"),
    ("esc", "close"),
)


_HEADINGS = {
    "at": "time",
    "changes_on": "date",
    "cwd": "folder",
    "strength_then": "then",
}
"""Columns with another heading than their names in words."""

_UNITS = {"s", "ms"}
_TITLES = ("title", "titles", "text", "message", "summary", "snippet", "command")
"""The columns that say what a row is about; the first that there is, is always shown.
"""

_DECIMALS = 2
"""Those of a number at most; exported ones have all."""

_THEN = "stage_then"
"""The column that is shown in that of the stage before."""

_STORE = "store"


def heading(name: str) -> str:
    """The heading of a column: its name in words."""
    *words, unit = name.removeprefix("is_").removesuffix("_at").split("_")
    last = f"({unit})" if words and unit in _UNITS else unit
    return _HEADINGS.get(name) or " ".join((*words, last))


def for_people(faces: Sequence[Face], rows: Sequence[Row]) -> list[Face]:
    """The columns of the command line in the order and form for a screen.

    The title follows the first column, and the store is last, unless each row is about
    a store of its own. Numbers of a column have the same decimals.
    """
    known = {face.title: face for face in faces}
    stores = {str(row.get(_STORE)) for row in rows}
    last = [known.pop(_STORE)] if _STORE in known and len(stores) < len(rows) else []
    then = known.pop(_THEN, None)
    shown = [_for_people(face, then, rows) for face in known.values()]
    titles = [face for face in shown[1:] if face.title == _TITLES[0]]
    others = [face for face in shown[1:] if face.title != _TITLES[0]]
    return [*shown[:1], *titles, *others, *last]


def _for_people(face: Face, then: Face | None, rows: Sequence[Row]) -> Face:
    """A column with both stages, or with the same decimals in each row."""
    numbers = [n for row in rows if isinstance(n := row.get(face.title), float)]
    if face.title == "stage" and then:
        cell = partial(_both, face, then)
    elif numbers:
        found = max(len(in_short(n).partition(".")[2]) for n in numbers)
        digits = min(found, _DECIMALS)
        cell = partial(_with_digits, face, digits)
    else:
        cell = face.cell
    if not face.width or face.title in {"", _STORE}:
        return face
    texts = (heading(face.title), *map(cell, rows))
    return replace(face, cell=cell, width=max(map(len, texts)))


def _both(face: Face, then: Face, row: Row) -> str:
    return f"{face.cell(row)} → {then.cell(row)}"


def _with_digits(face: Face, digits: int, row: Row) -> str:
    number = row.get(face.title)
    return f"{number:.{digits}f}" if isinstance(number, float) else face.cell(row)


_ROOMY, _LONG = 110, 24
"""The width from which names of stores are whole, and the widest of them."""


def _columns(faces: Sequence[Face], longest: int) -> Iterator[Column[Numbered]]:
    """The columns, each with the width from which it is shown; the title always is."""
    roomy = ((_ROOMY, min(max(longest, len("store")), _LONG)),)
    known = {face.title: face for face in faces}
    main = next(
        (known[one] for one in _TITLES if one in known), next(iter(faces), None)
    )
    taken = (main.width or 24) + 2 if main else 0
    for face in faces:
        width = face.width or OPEN
        taken += 0 if face is main else (width or 24) + 2
        least = 0 if face is main else taken
        yield Column(
            face.title,
            heading(face.title),
            partial(_cell, face),
            ((least, width), *roomy * (face.title == "store")),
            gap=2,
            is_right=face.right,
        )


def _cell(face: Face, record: Numbered, _width: int) -> Pieces:
    told, level = face.cell(record.row), record.row.get("level")
    if face.title == "text" and isinstance(level, int):
        told = "  " * min(level, _DEEPEST) + told
    if not face.title:
        return [(told.translate(_THIN), "ok")]
    return [(told, "ok" if face.title == "growth" else "")]


_THIN = str.maketrans("█▉▊▋▌▍▎▏", "━╸╸╸╸╸╸╸")
"""Bars as lines, with air between rows."""


def _holds(row: Row, word: str) -> bool:
    """Whether a row contains a word, or `column:word` in that column."""
    typed, colon, part = word.partition(":")
    column = next((name for name in row if typed in {name, heading(name)}), "")
    if colon and column:
        return part in in_short(row[column]).casefold()
    return any(word in in_short(value).casefold() for value in row.values())


def _order(value: Json) -> tuple[int, float, str]:
    """The sort key of a value: nothing, then numbers, then texts."""
    if value is None:
        return 0, 0, ""
    if isinstance(value, int | float):
        return 1, value, ""
    return 2, 0, in_short(value).casefold()


# A report from its choice to its table, one step at a time.

_RUN = ""


class Reports(Part):
    """Chooses a report, asks for its parameters, and shows its answer."""

    display: Display
    session: Session
    status: Status
    lists: Lists
    dialogs: Dialogs
    edits: Edits
    clipboard: Clipboard

    def choose(self) -> None:
        """Choose a report and show it."""
        self.dialogs.begin(self._choose())

    async def _choose(self) -> None:
        offered = await self.session.ask(lambda library: library.reports.offered())
        entries = await self.session.ask_changes(appendable)
        popup = ReportList(list(offered.values()), entries, self.dialogs.palette)
        name = await self.dialogs.asked(popup)
        if name in offered:
            await self._run(offered[name])
        elif name is not None:
            await self.edits.append(name.removeprefix(_APPEND))

    def forecast(self) -> None:
        """Show the memories that change their stage soon."""
        self.dialogs.begin(self._forecast())

    async def _forecast(self) -> None:
        offered = await self.session.ask(
            lambda library: library.reports.named(FORECAST.name)
        )
        await self._run(offered)

    async def _run(self, offered: Offered) -> None:
        """Ask for parameters, show the table, and again if parameters change."""
        texts = self._usual(offered.report)
        is_asked = any(one.is_required for one in offered.report.parameters)
        while True:
            if is_asked and not await self._form(offered, texts):
                return
            is_asked = bool(offered.report.parameters)
            words = _words(offered.report, texts)
            answer = await self.session.ask(
                lambda library, words=words: answer_of(library, offered, words)
            )
            title = " ".join((offered.report.name, *words)).replace(" most=12", "")
            if offered.report.is_document:
                await self._export(title, answer, ".json")
                return
            if await self._show(title, answer) != PARAMETERS:
                return

    async def _show(self, title: str, answer: Answer) -> int | str | None:
        """Show a table until a row is opened or it is closed."""
        is_folded = answer.offered.report.name == STATISTICS.name
        fold, at = folded(answer) if is_folded else None, 0
        while True:
            names, shown = self.session.names, fold[1] if fold else answer
            table = ReportTable(title, shown, self.dialogs.palette, names)
            table.start = at
            chosen = await self.dialogs.asked(table)
            if chosen == EXPORT:
                await self._export(title, answer)
            elif not isinstance(chosen, int):
                return chosen
            elif fold is None:
                await self._open(answer.offered, answer.rows[chosen])
                return chosen
            else:
                at, column = chosen, fold[0]
                value = str(shown.rows[chosen][column])
                rows = within(answer, column, value)
                deeper = f"{title} · {names.get(value, value)}"
                done = await self._show(deeper, replace(answer, rows=rows))
                if done is not None:
                    return done

    async def _open(self, offered: Offered, row: Row) -> None:
        """Go to the record behind a row, or list the records that it counts."""
        lead = await self.session.ask(lambda library: library.reports.lead_of(row))
        said, is_one_of_many = offered.report.lists(row), len(self.session.names) > 1
        kind, query = listed_by(row, said, is_one_of_many=is_one_of_many)
        if kind and not lead.is_here:
            await self.lists.go(kind, None, query)
        else:
            self.status.message = await follow(
                lead, self.display, self.lists, self.clipboard
            )

    async def _export(self, title: str, answer: Answer, suffix: str = ".csv") -> None:
        """Ask for a file, and write the rows as CSV or JSON, by its name."""
        name = answer.offered.report.name

        async def write(typed: str) -> None:
            self.status.message = write_answer(answer, typed)

        file = f"{name}{suffix}"
        wanted = Wanted(f"export · {title}", "FILE.csv or FILE.json", file)
        await self.dialogs.act_on(wanted, write)

    # The form: a row for each parameter.

    def _usual(self, report: AnyReport) -> dict[str, str]:
        """The initial values; a session is that of the record at the cursor."""
        texts = {one.name: one.usual for one in report.parameters if one.usual}
        session = getattr(self.lists.here, "session", None)
        if any(one.name == "session" for one in report.parameters) and session:
            texts["session"] = session
        return texts

    async def _form(self, offered: Offered, texts: dict[str, str]) -> bool:
        """Change the values until the user runs the report; whether they did."""
        report = offered.report
        while True:
            picker = Picker(
                report.name, list(_rows(report, texts)), self.dialogs.palette
            )
            name = await self.dialogs.asked(picker)
            if name is None or name == _RUN:
                return name == _RUN
            one = next(one for one in report.parameters if one.name == name)
            typed = await self._value(report, one, texts.get(name, ""))
            if typed is not None:
                texts[name] = typed

    async def _value(
        self, report: AnyReport, one: Parameter, before: str
    ) -> str | None:
        """Another value of a parameter; None to leave it as it is."""
        if one.type is Type.FLAG:
            return "" if before else "yes"
        if one.choices and not one.is_repeatable:
            none = () if one.is_required else (Choice("", "any"),)
            choices = [*none, *(Choice(word, word) for word in one.choices)]
            title = f"{report.name} · {one.name}"
            picker = Picker(title, choices, self.dialogs.palette)
            return await self.dialogs.asked(picker)

        def check(typed: str) -> None:
            for word in _split(one, typed):
                one.value(word, report.name)

        wanted = Wanted(
            f"{report.name} · {one.name}",
            one.what or ", ".join(one.choices) or one.usage,
            before,
            check,
            offers=[Choice(word, word) for word in one.choices],
            is_replaced=True,
        )
        return await self.dialogs.typed(wanted)


def _rows(report: AnyReport, texts: dict[str, str]) -> Iterator[Choice[str]]:
    """Run, and each parameter with its value."""
    lacking = [o for o in report.parameters if o.is_required and not texts.get(o.name)]
    why_not = f"Enter {lacking[0].what or lacking[0].name}." if lacking else None
    parameters = [
        Choice(
            one.name,
            one.name,
            one.what or one.usage,
            right=[(clean(texts.get(one.name, "")), "strong")],
            detail=", ".join(one.choices),
        )
        for one in report.parameters
    ]
    run = Choice(_RUN, "run", report.help, why_not=why_not)
    yield from (*parameters, run) if lacking else (run, *parameters)


def _words(report: AnyReport, texts: dict[str, str]) -> list[str]:
    """The arguments, as on the command line."""
    return [
        f"{one.name}={word}"
        for one in report.parameters
        for word in _split(one, texts.get(one.name, ""))
    ]


def _split(one: Parameter, typed: str) -> list[str]:
    """The values in a text: several only of a repeatable parameter."""
    if not one.is_repeatable:
        return [typed] if typed else []
    try:
        return shlex.split(typed)
    except ValueError:
        return typed.split()


def write_answer(answer: Answer, typed: str) -> str:
    """Write the rows to a new file; returns a sentence about it."""
    path = Path(typed).expanduser()
    pieces = exported(answer, path.suffix.casefold())
    return f"Exported to {path} ({sized(write_file(path, pieces, replaces=False))})."


def exported(answer: Answer, suffix: str) -> Iterator[bytes]:
    """The rows as CSV, or as a line of JSON each."""
    match suffix:
        case ".csv":
            out = StringIO(newline="")
            write_csv(answer.rows, answer.offered.report.header, out)
            yield out.getvalue().encode("utf-8", "replace")
        case ".json" | ".jsonl":
            yield from (encoded(as_object(row)) + b"\n" for row in answer.rows)
        case _:
            raise WrongUseError("Name a file that ends in .csv or .json.")
