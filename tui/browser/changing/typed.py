"""What is typed where a change asks for a word or two, understood."""

from store.errors import WrongUseError
from store.records.intents import Retag

SECONDS = "duration_s"
"""The field of an entry of a journal that is a number."""

_SIGNS = "+-"


def retagging(text: str) -> Retag:
    """Tags to be added and, behind a minus, to be taken away."""
    add: list[str] = []
    remove: list[str] = []
    for word in text.replace(",", " ").split():
        tag = word.lstrip(_SIGNS).removeprefix("#")
        if not tag:
            raise WrongUseError(f"{word!r} names no tag.")
        (remove if word.startswith("-") else add).append(tag)
    if not add and not remove:
        raise WrongUseError("Name a tag: +new -old.")
    return Retag(add=tuple(add), remove=tuple(remove))


def strength(text: str) -> float | None:
    """A number between nothing and one; None where nothing was typed."""
    if not text.strip():
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise WrongUseError(f"{text.strip()!r} is no strength; it is 0…1.")
    return number


def seconds(text: str) -> float:
    """How long something took."""
    try:
        return float(text)
    except ValueError:
        raise WrongUseError(f"{text.strip()!r} is no number of seconds.") from None
