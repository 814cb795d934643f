"""Plans and changes for people: what would be done, and what was, fit to show."""

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TextIO

from store.clean import clean
from store.edits.conflict import Conflict
from store.records.reports import Change, Plan

_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
"""The style of a line of a diff, by its first character."""

_HEAD = ("+++ ", "--- ")

_DONE = {
    "append": "appended",
    "archive": "archived",
    "copy": "copied",
    "delete": "deleted",
    "edit": "edited",
    "fix": "fixed",
    "import": "imported",
    "keep": "kept",
    "link": "linked",
    "merge": "merged",
    "move": "moved",
    "new": "made",
    "pin": "pinned",
    "rebuild": "rebuilt",
    "redo": "redone:",
    "release": "released",
    "rename": "renamed",
    "restore": "restored",
    "return": "returned",
    "review": "due again:",
    "set": "set",
    "tag": "tagged",
    "touch": "touched",
    "transit": "took",
    "undo": "undone:",
    "unlink": "unlinked",
    "unpin": "unpinned",
}
"""What is said of it afterwards, by the first word of what was asked for."""


def done(action: str) -> str:
    """What was done, in the words of what was asked for: `pinned “Redis timeouts”`."""
    word, space, rest = clean(action).partition(" ")
    return f"{_DONE.get(word, word)}{space}{rest}"


def told(change: Change) -> str:
    """One line about a change, and how it is taken back."""
    what = "redo" if change.undo.endswith("redo") else "undo"
    return f"{done(change.action)} · {what} with: {change.undo}"


def write_plans(
    plans: Iterable[Plan],
    *,
    coloured: bool,
    to: TextIO | None = None,
    most: int | None = None,
) -> None:
    """Print plans one after another, so many lines of them at most."""
    lines = _lines(plans)
    shown = list(islice(lines, most))
    left = sum(1 for _ in lines)
    if left:
        shown.append((f"… {left} more lines; --dry-run shows them.", "dim"))
    _write(shown, to or sys.stdout, coloured=coloured)


def write_conflicts(
    conflicts: Iterable[Conflict], *, coloured: bool, to: TextIO, most: int
) -> None:
    """Print what another program made of some files, so many lines at most."""
    lines = [line for one in conflicts for line in _diff(one.diff)]
    _write(lines[:most], to, coloured=coloured)


def _write(lines: Iterable[tuple[str, str]], out: TextIO, *, coloured: bool) -> None:
    """Print lines; rich is loaded only for colours."""
    if not coloured:
        out.flush()
        for line, _ in lines:
            out.buffer.write(f"{line}\n".encode("utf-8", "replace"))
        out.buffer.flush()
        return
    from rich.console import Console  # noqa: PLC0415  # rich is slow
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console(file=out, highlight=False)
    for line, style in lines:
        console.print(Text(line, style), soft_wrap=True)


def _lines(plans: Iterable[Plan]) -> Iterator[tuple[str, str]]:
    """Every line with its style; one without steps has nothing to show."""
    for plan in plans:
        if plan.steps:
            yield clean(plan.action), "bold"
        for step in plan.steps:
            yield from _diff(step.diff)


def _diff(diff: str) -> Iterator[tuple[str, str]]:
    """Every line of a unified diff, likewise."""
    in_head = True
    for line in diff.removesuffix("\n").split("\n"):
        in_head = in_head and line.startswith(_HEAD)
        yield clean(line), "bold" if in_head else _STYLES.get(line[:1], "")
