"""How the file of a record came to be: its versions, and who made which line."""

from collections.abc import Sequence

from msgspec import Struct

from store.errors import GivenUpError, RecollectError
from store.library import Library, Record
from store.records.blame import Blame
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.memory import Memory
from store.records.version import Version

_WRITTEN = (Memory, Document, Episode, Edge)
"""The records whose files are written by somebody, line by line."""


class History(Struct, frozen=True):
    """What is known of a file's past."""

    versions: Sequence[Version] = ()
    """Its changes, the newest first."""
    blame: Blame | None = None
    """Its lines, by what made them; None where they cannot be told."""
    notices: Sequence[str] = ()
    """What was in the way of knowing more."""


def has_history(record: Record) -> bool:
    """Whether a record lies in a file that has a past worth telling."""
    return isinstance(record, _WRITTEN) and bool(record.path)


def history(library: Library, record: Record) -> History:
    """Both, asked of the library; where that fails, the reason is told."""
    notices: list[str] = []
    try:
        return History(*library.traced(record.ref or "", notices.append), notices)
    except GivenUpError:
        raise
    except RecollectError as error:
        return History(notices=[*notices, str(error)])
