"""Instants as people read them."""

from store.clean import clean

TO_THE_MINUTE = len("2026-02-14T10:30")


def to_the_minute(text: str) -> str:
    """The day and the time of an instant, as written."""
    return clean(text)[:TO_THE_MINUTE].replace("T", " ")
