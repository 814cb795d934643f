"""Copy and export records."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from store.clean import clean
from store.errors import RecollectError
from store.export.pages import items
from store.export.writers import message_as_markdown
from store.kinds.conversations import Conversation
from store.library import Library, Record
from store.search.parse import parse
from tui.browser.bars import counted
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.lists import Lists
from tui.browser.popups.popup import Choice, Popup
from tui.browser.reader import RecordReader
from tui.browser.record import said
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.transcript import OpenTranscript
from tui.browser.worker import GoneError, Worker, records_of
from tui.names import FORMATS
from tui.output.reports import HTML, SUFFIXES, exported, format_of, title
from tui.output.text import sized
from tui.terminal.programs import Clipboard, write_file
from widgets.styles import Palette

# The export dialog: the name of a file, and the formats.

Wanted = tuple[str, str]
"""A format and a path."""

_TOLD = {
    "markdown": "text to read and edit",
    "json": "the output of `recollect show --json`",
    "html": "one page, with all tool input and output",
}


class ExportPopup(Popup[Wanted]):
    """Asks for a path and a format; warns before overwriting a file."""

    is_fitting = True

    @property
    def most_rows(self) -> int:
        """One for each format."""
        return len(FORMATS)

    def __init__(self, title: str, name: str, palette: Palette) -> None:
        """`name` is the suggested file name."""
        super().__init__(f"export · {title}", "file name", palette)
        self._name = name

    def opened(self) -> None:
        """Insert the suggested name."""
        self._line.value = self._name
        self._line.cursor_position = len(self._name)

    @property
    def nothing(self) -> str:
        """The message if nothing is typed."""
        return "Type a file name."

    def rows(self, typed: str) -> Sequence[Choice[Wanted]]:
        """The formats; only one if the name has its suffix."""
        name = typed.strip()
        if not name:
            return ()
        told = format_of(name)
        if told is not None:
            return (_choice(told, _path(name)),)
        return [_choice(one, _path(f"{name}{SUFFIXES[one]}")) for one in FORMATS]


def _path(name: str) -> Path:
    """The path for a name, with `~` expanded."""
    path = Path(name)
    try:
        return path.expanduser()
    except RuntimeError:  # the home folder of an unknown user
        return path


def _choice(form: str, path: Path) -> Choice[Wanted]:
    """A format with its file, and a warning if the file exists."""
    size, why_not = _there(path)
    return Choice(
        (form, str(path)),
        form,
        str(path),
        before=[("⚠ " if size is not None else "  ", "warning")],
        right=[("" if size is None else f"replaces {sized(size) or '0 B'}", "warning")],
        detail=_TOLD[form].capitalize() + "."
        if size is None
        else "This file exists and will be overwritten.",
        why_not=why_not,
    )


def _there(path: Path) -> tuple[int | None, str | None]:
    """The size of an existing file, and why the path cannot be written."""
    try:
        if path.is_dir():
            return None, "This is a folder."
        if not path.parent.is_dir():
            return None, "No such folder."
        return (path.stat().st_size if path.exists() else None), None
    except (OSError, ValueError) as error:
        return None, f"Invalid path: {error}."


# Export of records to a file, as Markdown, JSON or HTML.

_MANY = 5_000
"""Maximum messages of a conversation that are copied."""

_NO_WORDS = re.compile(r"[\W_]+")
_LONGEST = 40
"""Characters of a title used in a file name."""


class Export(Part):
    """Copies records to the clipboard, and exports them with a worker of its own."""

    display: Display
    session: Session
    status: Status
    lists: Lists
    reader: RecordReader
    transcript: OpenTranscript
    dialogs: Dialogs
    clipboard: Clipboard

    def ask_where(self, records: Sequence[Record]) -> None:
        """Ask where to write the records."""
        first = title(records[0]) or self.lists.kind
        told = first if len(records) == 1 else counted(len(records), self.lists.kind)
        popup = ExportPopup(told, name_for(told), self.dialogs.palette)
        self.display.open(popup, partial(self._take_place, records))

    async def copy_line(self) -> None:
        """Copy an equivalent command line of another program."""
        kind = self.lists.kind
        tree = parse(self.lists.text, [kind]).tree
        found = await self.session.ask(
            lambda library: library.search.equivalent(kind, tree)
        )
        if not found.line:
            self.status.message = f"{found.program} can't query this source."
            return
        left_out = clean(", ".join(found.left_out))
        without = f" without {left_out}" if left_out else ""
        told = self.clipboard.copied_command(found.line)
        self.status.message = f"{found.program}{without}: {told}"

    async def copy_record(self, what: str) -> None:
        """Copy a part of the record; for a conversation, its text."""
        if self.transcript.is_focused:
            await self.transcript.commands.copy_record(what)
            return
        record = self.lists.table.at_cursor
        if what == "path":
            self.status.message = self.clipboard.copied_command(self.copy_of(what))
        elif isinstance(record, Conversation) and what in {"body", "markdown"}:
            text = await self.session.ask(partial(_told, record))
            head = f"# {record.title}\n\n" if what == "markdown" else ""
            self.status.message = self.clipboard.copied(f"{head}{text}")
        else:
            self.status.message = self.clipboard.copied(self.copy_of(what))

    def copy_of(self, what: str) -> str:
        """The text to copy: the query, or a part of the record at the cursor."""
        record = self.lists.table.at_cursor
        if what == "query" or record is None:
            return self.lists.text
        return said(what, record, self.reader.opened)

    async def export(self) -> None:
        """Export the marked records or the one at the cursor."""
        if self.transcript.is_focused:
            if self.transcript.talk.talk is not None:
                self.ask_where([self.transcript.talk.talk.conversation])
            return
        try:
            self.ask_where(
                await self.session.ask(partial(records_of, aim=self.lists.aim_now()))
            )
        except GoneError as error:
            self.status.message, self.status.is_wrong = str(error), True

    def _take_place(self, records: Sequence[Record], wanted: Wanted) -> None:
        form, path = wanted
        exporting = partial(self._export, records, form, Path(path))
        self.display.run_worker(exporting, group="export")

    async def _export(self, records: Sequence[Record], form: str, path: Path) -> None:
        worker = Worker(self.session.library)
        self.status.say(f"Writing {path}…")
        try:
            size = await worker.ask(partial(_written, records, form, path))
        except RecollectError as error:
            self.status.message = str(error)
        else:
            self.status.message = f"Exported to {path} ({sized(size)})."
        finally:
            await worker.close()
        self.status.tell()


def _told(conversation: Conversation, library: Library) -> str:
    """The text of a conversation; only the beginning if it is long."""
    told = items(library, conversation, None)
    text = message_as_markdown(islice(told, _MANY))
    return text if next(told, None) is None else f"{text}\n\n…"


def name_for(told: str) -> str:
    """A file name derived from a title."""
    return _NO_WORDS.sub("-", told.casefold())[:_LONGEST].strip("-") or "export"


def _written(records: Sequence[Record], form: str, path: Path, library: Library) -> int:
    """Write the file; the user has agreed to overwrite an existing one."""
    pieces = exported(library, records, form, is_full=form == HTML)
    return write_file(path, pieces, replaces=True)
