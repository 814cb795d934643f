"""Records are written to a file of one's own: as Markdown, JSON or a web page."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import RecollectError
from tui.browser.clipping import Clipping

if TYPE_CHECKING:
    from store.library import Library, Record
    from store.records.conversation import Conversation
    from tui.browser.popups.export_popup import Wanted

_MANY = 5_000
"""How much of what was said in a conversation is copied at most."""

_NO_WORDS = re.compile(r"[\W_]+")
_LONGEST = 40
"""Characters of a title that a file is called after."""


class Exporting(Clipping):
    """Asks where to and as what, and writes at a desk that nobody waits for."""

    def export(self, records: "Sequence[Record]") -> None:
        """Ask where records shall be written to."""
        from tui.browser.first.counting import counted
        from tui.browser.popups.export_popup import ExportPopup
        from tui.faces.hits import title

        first = title(records[0]) or self.kind
        told = first if len(records) == 1 else counted(len(records), self.kind)
        popup = ExportPopup(told, name_for(told), self.palette)
        self.push_screen(popup, partial(self._take_place, records))

    async def action_copy_record(self, what: str) -> None:
        """Copy something of the record; of a conversation what was said in it."""
        from store.records.conversation import Conversation

        record = self.table.at_cursor
        if isinstance(record, Conversation) and what in {"body", "markdown"}:
            text = await self.ask(partial(_told, record))
            head = f"# {record.title}\n\n" if what == "markdown" else ""
            self.message = self.copied(f"{head}{text}")
        else:
            self.message = self.copied(self.copy_of(what))

    def copy_of(self, what: str) -> str:
        """What is copied: the query, or something of the record at the cursor."""
        from tui.browser.copying import said

        record = self.table.at_cursor
        if what == "query" or record is None:
            return self.text
        return said(what, record, self.opened)

    async def action_export(self) -> None:
        """Export what is marked, or the record at the cursor."""
        rows = [row for row in self.table.marks if isinstance(row, int)]
        kind, here = self.kind, self.table.at_cursor
        found = await self.ask(lambda library: library.numbered(kind, rows))
        records = [found[row] for row in rows if row in found]
        if not records and here is not None:
            records = [here]
        if records:
            self.export(records)

    def _take_place(self, records: "Sequence[Record]", wanted: "Wanted | None") -> None:
        if wanted is not None:
            form, path = wanted
            self.run_worker(
                partial(self._export, records, form, Path(path)), group="export"
            )

    async def _export(self, records: "Sequence[Record]", form: str, path: Path) -> None:
        """Write the file, and say what became of it."""
        from tui.browser.data.desk import Desk

        desk = Desk(self.library)
        self.message = f"{path} is being written."
        self.tell()
        try:
            size = await desk.ask(partial(_written, records, form, path))
        except RecollectError as error:
            self.message = str(error)
        else:
            self.message = f"{path} has {size} bytes now."
        finally:
            await desk.close()
        self.tell()


def _told(conversation: "Conversation", library: "Library") -> str:
    """What was said in a conversation; of a long one the beginning."""
    from store.export.gathering import items
    from store.export.markdown import message_as_markdown

    told = items(library, conversation, None)
    text = message_as_markdown(islice(told, _MANY))
    return text if next(told, None) is None else f"{text}\n\n…"


def name_for(told: str) -> str:
    """What a file is called, after what a record is."""
    return _NO_WORDS.sub("-", told.casefold())[:_LONGEST].strip("-") or "export"


def _written(
    records: "Sequence[Record]", form: str, path: Path, library: "Library"
) -> int:
    """Write the file; where it stands already, somebody was told and chose it."""
    from tui.faces.exported import HTML, exported
    from tui.manners.writing import write_file

    pieces = exported(library, records, form, is_full=form == HTML)
    return write_file(path, pieces, replaces=True)
