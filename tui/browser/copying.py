"""What can be copied of a record, as the commands that copy name it."""

from pathlib import Path

from store.library import Record
from store.records.conversation import Conversation, Message
from store.records.document import DocumentInFull
from store.records.memory import MemoryInFull
from tui.browser.data.opened import Opened
from tui.faces.hits import title
from tui.faces.whole import text_of


def said(what: str, record: Record, opened: Opened | None) -> str:
    """The text for the clipboard, as the record's file has it."""
    match what:
        case "ref":
            return record.ref or ""
        case "path":
            return str(Path(record.store) / file_of(record))
        case "title":
            return title(record)
        case "link":
            return f"[[{title(record)}]]"
        case "body":
            return _body(opened)
        case _:
            return f"# {title(record)}\n\n{_body(opened)}"


def file_of(record: Record) -> str:
    """The file that a record lies in, relative to its store; empty for none."""
    if isinstance(record, Conversation | Message):
        return record.source
    path: str | None = getattr(record, "path", None)
    return path or ""


def _body(opened: Opened | None) -> str:
    """What the record says."""
    full = opened.full if opened else None
    match full:
        case None:
            return ""
        case MemoryInFull():
            return full.body
        case DocumentInFull():
            return full.text
        case _:
            return text_of(full)
