"""What a column is, and what can stand in a row."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from store.findings import Json
from store.library import Record
from store.records.double import Double
from store.records.due import Due
from store.records.kept import KeptQuery
from store.records.link import Link
from store.records.news import News
from store.records.question import QuestionReport
from store.records.reports import Backup, Past, StoreReport
from store.records.similar import Similar
from store.records.vault import DamageReport, EndangeredReport, KeptReport
from store.records.version import Version

Answer = Mapping[str, Json]
"""A row of the answer to a question: its columns are the question's own."""

Listed = (
    Record
    | StoreReport
    | Link
    | Similar
    | Double
    | Due
    | Version
    | News
    | QuestionReport
    | KeptQuery
    | Past
    | Backup
    | KeptReport
    | EndangeredReport
    | DamageReport
    | Answer
)
"""Whatever is shown as a row."""


def no_style(_record: Listed) -> str:
    """The style of what has none."""
    return ""


class Column(Struct, frozen=True):
    """One column of a table."""

    title: str
    """What stands above it."""
    cell: Callable[[Listed], str]
    """What stands in it; store text is cleaned already."""
    width: int | None = None
    """How wide it is; None for the columns that share what is left."""
    right: bool = False
    """Whether numbers line up at the right."""
    style: Callable[[Listed], str] = no_style
    """The colour of what stands in it, where it has one."""
    is_path: bool = False
    """Whether its end tells more than its beginning."""
    is_spare: bool = False
    """Whether it is shown only where there is plenty of room."""
    is_sparse: bool = False
    """Whether a table leaves it out where its first rows have nothing in it."""
    piped: Callable[[Listed], str] | None = None
    """What stands in it where there is room for all of it."""
