"""What SQLite says went wrong, as a sentence."""

import sqlite3

from store.errors import UnreadableError
from store.files.beneath.naming import quoted

ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""All that reading a damaged database was seen to raise; names may be no UTF-8."""


def because(path: str, error: Exception) -> UnreadableError:
    """The sentence for an error."""
    return UnreadableError(f"{quoted(path)} cannot be read: {reason(error)}.")


def reason(error: Exception) -> str:
    """What went wrong, without a full stop, so that a sentence can go on."""
    if isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted":
        return "it took too long"
    if isinstance(error, sqlite3.Error):
        return str(error)
    if isinstance(error, UnicodeDecodeError):
        return "its schema holds a name that is no text"
    return "it takes more memory than there is"
