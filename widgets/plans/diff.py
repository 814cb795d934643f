"""A difference: what goes in one colour, what comes in another, signs before both."""

from collections.abc import Iterator

from store.clean import clean
from widgets.reader.look import Look
from widgets.reader.runs import Run, TextLine
from widgets.reader.wrapping import wrap_anywhere

_TONES = {"+": "ok", "-": "error", "@": "arrow"}
_FILES = ("--- ", "+++ ")


def diff_lines(diff: str, look: Look) -> Iterator[TextLine]:
    """The lines of a unified diff; its heads are left to who shows the file's name."""
    for line in diff.split("\n"):
        if line.startswith(_FILES) or not line:
            continue
        sign, said = line[0], clean(line[1:], multiline=False)
        tone = _TONES.get(sign, "muted")
        if sign == "@":
            yield TextLine((Run(line, tone),))
        else:
            indent = (Run(f"{sign} ", tone),)
            yield from wrap_anywhere(
                [Run(said, tone)], look.width, indent, (Run("  "),)
            )


def amount(diff: str) -> tuple[int, int]:
    """How many lines come, and how many go."""
    lines = [line for line in diff.split("\n") if not line.startswith(_FILES)]
    comes = sum(line.startswith("+") for line in lines)
    goes = sum(line.startswith("-") for line in lines)
    return comes, goes
