"""Where a conversation was taken up anew from an earlier message of it."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from store.errors import RecollectError
from store.findings import Json
from store.formats.port import Format

_QUESTION = "branches"


def forks_of(form: Format, store: str, path: str, now: int) -> dict[int, int]:
    """The line that each branch was taken up from, by the line that begins it.

    What was said first after a line goes on with it; all that was said after the same
    line later is a branch. The whole file is read for it; one that is gone by now has
    none, and neither has a format that knows of no branches.
    """
    if _QUESTION not in {question.name for question in form.questions}:
        return {}
    found: list[Mapping[str, Json]] = []
    with suppress(RecollectError), form.open(Path(store)) as opened:
        found = [*opened.ask(_QUESTION, (path,), now)]
    forks: dict[int, int] = {}
    begun: set[int] = set()
    for row in found:
        line, begin = row["line"], row["from"]
        if isinstance(line, int) and isinstance(begin, int):
            if begin in begun:
                forks[line] = begin
            begun.add(begin)
    return forks
