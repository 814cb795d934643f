"""Plans for people: what would be done, and the diff of each file, fit to show."""

import sys
from collections.abc import Iterable, Iterator

from store.clean import clean
from store.records.reports import Plan

_STYLES = {"+": "green", "-": "red", "@": "cyan", "\\": "dim"}
"""The style of a line of a diff, by its first character."""

_HEAD = ("+++ ", "--- ")


def write_plans(plans: Iterable[Plan], *, coloured: bool) -> None:
    """Print plans one after another; rich is loaded only for colours."""
    if coloured:
        _write_coloured(plans)
        return
    for line, _ in _lines(plans):
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _write_coloured(plans: Iterable[Plan]) -> None:
    from rich.console import Console  # noqa: PLC0415  # rich is slow
    from rich.text import Text  # noqa: PLC0415  # the same

    console = Console(highlight=False)
    for line, style in _lines(plans):
        console.print(Text(line, style), soft_wrap=True)


def _lines(plans: Iterable[Plan]) -> Iterator[tuple[str, str]]:
    """Every line with its style; one without steps has nothing to show."""
    for plan in plans:
        if plan.steps:
            yield clean(plan.action), "bold"
        for step in plan.steps:
            in_head = True
            for line in step.diff.removesuffix("\n").split("\n"):
                in_head = in_head and line.startswith(_HEAD)
                style = "bold" if in_head else _STYLES.get(line[:1], "")
                yield clean(line), style
