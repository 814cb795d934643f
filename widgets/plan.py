"""Plans and diffs to read before a change is made."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from store.clean import clean
from store.records.reports import Plan, Step
from widgets.markdown import Look
from widgets.page import Body, Joined, Made
from widgets.text import EMPTY, Run, TextLine, single, wrap, wrap_anywhere

# A diff: additions and deletions in colours, with signs.

_TONES = {"+": "ok", "-": "error", "@": "arrow"}
_FILES = ("--- ", "+++ ")


def diff_lines(diff: str, look: Look) -> Iterator[TextLine]:
    """The lines of a unified diff, without its head."""
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
    """The number of added and removed lines."""
    lines = [line for line in diff.split("\n") if not line.startswith(_FILES)]
    comes = sum(line.startswith("+") for line in lines)
    goes = sum(line.startswith("-") for line in lines)
    return comes, goes


# A plan to read: what changes in which file, and the consequences.

_MOST = 12
"""The most files named; the others are counted."""


def plan_body(plan: Plan) -> Body:
    """The changes, file by file, and the warnings."""
    return Made(lambda look: _plan(plan, look))


def diff_body(plan: Plan) -> Body:
    """The diff of each file."""
    return Joined(
        *(Made(lambda look, step=step: _step(step, look)) for step in plan.steps)
    )


def _plan(plan: Plan, look: Look) -> Iterator[TextLine]:
    yield from wrap([Run(clean(plan.action), "strong")], look.width)
    yield EMPTY
    for warning in plan.warnings:
        yield from wrap(
            [Run(clean(warning))], look.width, (Run("⚠ ", "warning"),), (Run("  "),)
        )
    if plan.warnings:
        yield EMPTY
    count = len(plan.steps)
    yield single(f"{count} {'file' if count == 1 else 'files'} will change", "heading")
    for step in plan.steps[:_MOST]:
        yield from _file(step, look)
    if count > _MOST:
        yield single(f"  … {count - _MOST} more", "muted")
    yield EMPTY
    yield single("A backup is kept; you can undo this.", "muted")


def _file(step: Step, look: Look) -> Iterator[TextLine]:
    """One file: created, changed, or deleted."""
    comes, goes = amount(step.diff)
    if step.before is None:
        verb, tone, much = "new", "ok", ""
    elif step.after is None:
        verb, tone, much = "delete", "error", ""
    else:
        verb, tone, much = "edit", "warning", f"  +{comes} -{goes}"
    path = Run(clean(step.path))
    first = (Run(f"  {verb:<6} ", tone),)
    yield from wrap([path, Run(much, "muted")], look.width, first, (Run(" " * 9),))


def _step(step: Step, look: Look) -> Iterator[TextLine]:
    yield single(clean(step.path), "heading")
    yield from diff_lines(step.diff, look)


# Three versions side by side: the base, mine and theirs.
#
# Only the differences, each line with its owner, because three columns would not fit.

_WIDE = 8
_NOTHING = "(nothing)"


class Part(Struct, frozen=True, kw_only=True):
    """A place where the versions differ."""

    line: int
    """Its first line in the base version, counted from 1."""
    was: Sequence[str]
    mine: Sequence[str]
    theirs: Sequence[str]

    @property
    def told(self) -> tuple[str, str]:
        """Who changed it, and the severity."""
        if self.mine == self.theirs:
            return "both made the same change", "muted"
        if self.mine == self.was:
            return "only they changed it", "muted"
        if self.theirs == self.was:
            return "only you changed it", "muted"
        return "both changed it", "warning"


def three_body(parts: Sequence[Part]) -> Body:
    """All places, one beneath the other, conflicts first."""
    both = [one for one in parts if one.told[1] == "warning"]
    others = [one for one in parts if one.told[1] != "warning"]
    return Made(lambda look: _lines([*both, *others], look))


def _lines(parts: Sequence[Part], look: Look) -> Iterator[TextLine]:
    for part in parts:
        told, tone = part.told
        yield TextLine((Run(f"line {part.line}", "heading"), Run(f"  {told}", tone)))
        yield from _text("was", part.was, "muted", look)
        if part.mine != part.was:
            yield from _text("mine", part.mine, "ok", look)
        if part.theirs not in (part.was, part.mine):
            yield from _text("theirs", part.theirs, "arrow", look)
    if not parts:
        yield single("Both are identical.", "muted")


def _text(
    whose: str, lines: Sequence[str], tone: str, look: Look
) -> Iterator[TextLine]:
    """The text of one version, labelled on its first line."""
    label = f"  {whose:<{_WIDE}}"
    for line in lines or (_NOTHING,):
        said = clean(line) if lines else line
        indent = (Run(label, "faint"),)
        yield from wrap_anywhere(
            [Run(said, tone if lines else "muted")],
            look.width,
            indent,
            (Run(" " * len(label)),),
        )
        label = " " * len(label)
