"""What pickers offer around a memory: others like it, and the way to another."""

from collections.abc import Sequence

from store.records.similar import Similar
from tui.browser.data.way import Step
from tui.browser.popups.named import at_a_glance, told_of
from tui.browser.popups.rows import Choice
from widgets.columns.cells import told
from widgets.columns.strengths import fraction
from widgets.columns.strokes import stroke
from widgets.lines.pieces import Pieces

_ARROW = 18
"""Cells that an arrow of a way takes."""

_LINKED, _APART = "→ ", "  "


def alike_menu(found: Sequence[Similar]) -> list[Choice[str]]:
    """Memories like one, each with why; those that are linked with it are marked."""
    return [
        Choice(
            one.memory.ref,
            one.memory.title,
            before=[
                (_LINKED if one.linked else _APART, "arrow"),
                *at_a_glance(one.memory),
            ],
            right=[(f"{one.score:.2f}", "muted")],
            detail=told(one.reason),
        )
        for one in found
    ]


def way_menu(way: Sequence[Step]) -> list[Choice[str]]:
    """The memories on a way, in its order, each behind the link that leads to it."""
    return [
        Choice(
            step.memory.ref,
            step.memory.title,
            before=[*_come_by(step), (" ", ""), *at_a_glance(step.memory)],
            right=[(_strength(step), "muted")],
            detail=told(told_of(step.memory)),
        )
        for step in way
    ]


def _come_by(step: Step) -> Pieces:
    """The link from the memory before, as the graph draws it."""
    link = step.link
    if link is None:
        return [(" " * _ARROW, "")]
    return stroke(link.type, link.strength, _ARROW, comes_in=link.direction == "in")


def _strength(step: Step) -> str:
    link = step.link
    return "" if link is None or link.strength is None else fraction(link.strength)
