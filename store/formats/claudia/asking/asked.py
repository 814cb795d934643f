"""What an answer is made from, and the words that questions share."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from store.errors import WrongUseError
from store.files.beneath import Root
from store.files.sqlite import Database
from store.findings import Json
from store.formats.claudia.settings import Settings

Row = Mapping[str, Json]


class Asked(Struct, frozen=True):
    """One database that is asked."""

    root: Root
    database: Database
    settings: Settings
    now: int
    """In microseconds since 1970."""


Answer = Callable[[Asked], Iterator[Row]]
Prepare = Callable[[Sequence[str]], Answer]
"""Understands the words of a question; raises WrongUseError."""


def no_word(words: Sequence[str], question: str) -> None:
    """Make sure that nothing follows the question."""
    if words:
        raise WrongUseError(f"`{question}` takes no words.")


def at_most_one(words: Sequence[str], question: str) -> str | None:
    """The word that may follow the question."""
    if len(words) > 1:
        raise WrongUseError(f"`{question}` takes one word at most.")
    return words[0] if words else None


def one_word(words: Sequence[str], question: str, what: str) -> str:
    """The word that must follow the question."""
    if len(words) != 1:
        raise WrongUseError(f"`{question}` takes one word: {what}.")
    return words[0]
