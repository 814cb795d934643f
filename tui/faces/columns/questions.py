"""Columns of the questions that stores can be asked."""

from store.records.question import QuestionReport
from tui.faces.columns.cells import field
from tui.faces.columns.column import Column, Listed


def _formats(record: Listed) -> str:
    return " ".join(record.formats) if isinstance(record, QuestionReport) else ""


def _stores(record: Listed) -> str:
    return str(len(record.stores)) if isinstance(record, QuestionReport) else ""


QUESTIONS = (
    Column("Question", field("name"), 19),
    Column("What it tells", field("help")),
    Column("With", field("words"), is_spare=True),
    Column("Formats", _formats, 14),
    Column("Stores", _stores, 6, right=True),
)
