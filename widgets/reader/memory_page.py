"""A memory as a page: what is known of it at a glance, what to do, what it says."""

from collections.abc import Iterable, Iterator

from store.clean import clean
from store.records.memory import Memory, MemoryInFull
from widgets.columns.ages import age
from widgets.columns.cells import fit_path
from widgets.columns.strengths import bar, figure, fraction, share
from widgets.columns.types import glyph
from widgets.reader.bodies import Body, Joined, Made, Markdown
from widgets.reader.checklist import checklist
from widgets.reader.flow import flow
from widgets.reader.forecast import DAYS, changes, curve
from widgets.reader.hits import marked
from widgets.reader.look import Look
from widgets.reader.runs import Run, Runs, Target, TextLine, single
from widgets.reader.wrapping import wrap

_BAR, _SMALL_BAR = 10, 6
_TOLD = 2
"""Stages to come that are told."""
_DAY, _MINUTE = len("2026-02-14"), len("2026-02-14T10:30")


def memory_page(full: MemoryInFull, now: int) -> Body:
    """All of a memory."""
    lists = (
        ("Before", full.preconditions, False),
        ("Steps", full.steps, True),
        ("After", full.postconditions, False),
    )
    parts: list[Body] = [
        Made(lambda look: head(full.memory, now, look)),
        *(
            Made(checklist(title, items, is_numbered=is_numbered))
            for title, items, is_numbered in lists
            if items
        ),
    ]
    return Joined(*parts, Markdown(full.body))


def head(memory: Memory, now: int, look: Look) -> Iterator[TextLine]:
    """What is known of it, as a few lines and a rule."""
    yield from flow([*_state(memory), *_shares(memory)], look.width)
    yield from flow(list(_times(memory, now, look)), look.width)
    yield from flow(list(_future(memory)), look.width)
    yield from flow([_problem(code) for code in memory.problems], look.width)
    tags = [[Run(clean(f"#{tag}"), "tag", Target("tag", tag))] for tag in memory.tags]
    yield from flow(
        [list(marked(tag, look.needles)) for tag in tags], look.width, gap=1
    )
    at = f":{memory.line}" if memory.line else ""
    yield single(fit_path(clean(f"{memory.path}{at}"), look.width), "faint")
    yield single("─" * look.width, "faint")
    if memory.description:
        told = [Run(clean(memory.description), "italic")]
        yield from wrap(marked(told, look.needles), look.width)


def _state(memory: Memory) -> Iterator[Runs]:
    """Stage, strength, and both as a bar."""
    name = "vault" if memory.pinned else memory.stage
    sign, tone = glyph(name)
    if name is None:
        if memory.archived:
            yield [Run("· archived", "archived")]
        return
    shown = [Run(f"{sign} ".lstrip(), tone), Run(clean(name), tone)]
    if memory.strength is None:
        yield shown
    elif memory.pinned:
        yield [*shown, Run(" pinned, does not fade", "muted")]
    else:
        drawn = _bar(share(memory.strength), _BAR, tone)
        yield [*shown, Run(" "), *drawn, Run(f" {figure(memory.strength)}", tone)]


def _shares(memory: Memory) -> Iterator[Runs]:
    """Importance and confidence."""
    value = memory.importance
    if isinstance(value, str):
        yield [Run("importance ", "faint"), Run(clean(value), "importance")]
    elif value is not None:
        drawn = _bar(value, _SMALL_BAR, "importance")
        yield [Run("importance ", "faint"), *drawn, Run(f" {fraction(value)}")]
    if memory.confidence is not None:
        yield [Run("confidence ", "faint"), Run(fraction(memory.confidence))]


def _times(memory: Memory, now: int, look: Look) -> Iterator[Runs]:
    """How often and when it was used: ages, and the day on which it was made.

    Whoever reads it on the whole screen is told every instant as it is written.
    """
    if memory.access_count:
        yield [Run(f"used {memory.access_count}×", "muted")]
    is_changed = memory.updated != memory.created
    for word, instant, usual in (
        ("seen", memory.accessed, 0),
        ("created", memory.created, _DAY),
        ("updated", memory.updated if is_changed else None, 0),
    ):
        if instant:
            told = clean(instant[: _MINUTE if look.is_zoomed else usual])
            ago = f"{word} {_ago(age(instant, now))}".rstrip()
            at = [Run(f" {told.replace('T', ' ')}", "faint")] if told else []
            yield [Run(ago, "muted"), *at]


def _ago(told: str) -> str:
    """An age in a sentence."""
    if told in {"", "now"}:
        return told
    return f"in {told[1:]}" if told.startswith("+") else f"{told} ago"


def _future(memory: Memory) -> Iterator[Runs]:
    """What becomes of it when nobody recalls it."""
    if memory.strength is None or memory.pinned or memory.archived:
        return
    to_come = changes(memory.strength)
    if to_come:
        yield [Run(f"next {DAYS}d ", "faint"), *curve(memory.strength)]
    for name, days in to_come[:_TOLD]:
        yield [Run(f"{name} in {days}d", name)]


def _problem(code: str) -> Runs:
    return [Run("⚠ ", "warning"), Run(clean(code), "warning")]


def _bar(filled: float, width: int, tone: str) -> Iterable[Run]:
    return [Run(*piece) for piece in bar(filled, width, tone)]
