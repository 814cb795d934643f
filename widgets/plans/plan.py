"""A plan to be read: what is done to which file, and what else comes of it."""

from collections.abc import Iterator

from store.clean import clean
from store.records.reports import Plan, Step
from widgets.plans.diff import amount, diff_lines
from widgets.reader.bodies import Body, Joined, Made
from widgets.reader.look import Look
from widgets.reader.runs import EMPTY, Run, TextLine, single
from widgets.reader.wrapping import wrap

_MOST = 12
"""Files that are named; the others are counted."""


def plan_body(plan: Plan) -> Body:
    """What would be done, file by file, and what the user ought to know."""
    return Made(lambda look: _plan(plan, look))


def diff_body(plan: Plan) -> Body:
    """The difference that it makes in each file."""
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
    yield single("What was there is kept; the change can be undone.", "muted")


def _file(step: Step, look: Look) -> Iterator[TextLine]:
    """One file: made, changed by so much, or removed."""
    comes, goes = amount(step.diff)
    if step.before is None:
        verb, tone, much = "new", "ok", ""
    elif step.after is None:
        verb, tone, much = "goes", "error", ""
    else:
        verb, tone, much = "edit", "warning", f"  +{comes} -{goes}"
    path = Run(clean(step.path))
    first = (Run(f"  {verb:<5}", tone),)
    yield from wrap([path, Run(much, "muted")], look.width, first, (Run(" " * 7),))


def _step(step: Step, look: Look) -> Iterator[TextLine]:
    yield single(clean(step.path), "heading")
    yield from diff_lines(step.diff, look)
