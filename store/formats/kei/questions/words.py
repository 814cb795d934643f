"""The words that follow a question, and the sentences where they do not fit."""

from collections.abc import Iterable, Sequence

from store.errors import AmbiguousError, NothingFoundError, WrongUseError
from store.times import parse

_SHOWN = 10


def none_of(question: str, words: Sequence[str]) -> None:
    """There is nothing to add to the question."""
    at_most(question, words, 0)


def at_most(question: str, words: Sequence[str], count: int) -> None:
    """There are no more words than these."""
    if len(words) > count:
        raise WrongUseError(f"`{question}` does not take {words[count]!r}.")


def first(question: str, words: Sequence[str], what: str) -> str:
    """The word that must follow."""
    if not words or not words[0]:
        raise WrongUseError(f"`{question}` needs {what}.")
    return words[0]


def flag(words: Sequence[str], name: str) -> tuple[list[str], bool]:
    """The other words, and whether this one is among them."""
    spellings = {name, f"--{name}"}
    return [w for w in words if w not in spellings], not spellings.isdisjoint(words)


def count(question: str, word: str) -> int:
    """A whole number above 0."""
    digits = word.replace("_", "").replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < len("1" * 18)):
        raise WrongUseError(f"`{question}` needs a number, not {word!r}.")
    return int(digits)


def moment(question: str, word: str) -> int:
    """An instant, in microseconds since 1970."""
    micros = parse(word).micros
    if micros is None:
        raise WrongUseError(f"`{question}` needs a day or an instant, not {word!r}.")
    return micros


def one_session(word: str, sessions: Iterable[str]) -> str:
    """The session that a word names, whole or by its beginning."""
    known = sorted(set(sessions))
    if word in known:
        return word
    found = [name for name in known if name.startswith(word)]
    if not found:
        raise NothingFoundError(f"No session is called {word!r}.")
    if len(found) > 1:
        listed = ", ".join(found[:_SHOWN])
        raise AmbiguousError(f"Several sessions begin with {word!r}: {listed}.")
    return found[0]
