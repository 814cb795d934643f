"""What a change is called, as a person says it after the program's name."""

from collections.abc import Sequence

_LONGEST = 60


def said(word: str, titles: Sequence[str], what: str = "memories") -> str:
    """`pin “Redis timeouts”`, `pin 3 memories`."""
    if len(titles) == 1:
        return f"{word} {named(titles[0])}"
    return f"{word} {len(titles)} {what}"


def named(title: str) -> str:
    """A title within a sentence: on one line, not endless."""
    line = " ".join(title.split())
    return f"“{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}”"


def counted(number: int, one: str, many: str) -> str:
    """`1 note`, `3 notes`."""
    return f"{number:,} {one if number == 1 else many}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some names in a sentence, and how many more there are."""
    shown = ", ".join(names[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown
