"""The bar of kinds: the key of each, its name, and how many there are."""

from collections.abc import Callable, Mapping

from textual.content import Content

from tui.words import KINDS

KEYS = {kind: str(number % 10) for number, kind in enumerate(KINDS, start=1)}
"""The key that shows a kind: one character each, so the tenth is 0."""

_NAME = "recollect  "

_SHORT = 3
"""How much of a kind's name is left where there is no room for it."""


def bar(counts: Mapping[str, int], shown: str, width: int) -> Content:
    """The kinds, as much of each as fits into a width.

    The one that is shown stands out, and keeps its name and its count throughout.
    """
    ladder = [_labels(counts, shown, label) for label in (_counted, _named, _short)]
    fitting = (labels for labels in ladder if _width(labels) <= width)
    labels = next(fitting, _labels(counts, shown, _key))
    has_room = len(_NAME) + _width(labels) <= width
    parts = [
        (text, _style(counts[kind], is_shown=kind == shown))
        for kind, text in labels.items()
    ]
    return Content.assemble((_NAME if has_room else "", "bold"), *parts)


def _labels(
    counts: Mapping[str, int], shown: str, label: Callable[[str, int], str]
) -> dict[str, str]:
    """What stands for each kind."""
    return {
        kind: (_counted if kind == shown else label)(kind, count)
        for kind, count in counts.items()
    }


def _counted(kind: str, count: int) -> str:
    return f" {KEYS[kind]} {kind} {count} "


def _named(kind: str, _count: int) -> str:
    return f"{KEYS[kind]} {kind} "


def _short(kind: str, _count: int) -> str:
    return f"{KEYS[kind]} {kind[:_SHORT]} "


def _key(kind: str, _count: int) -> str:
    return f"{KEYS[kind]} "


def _width(labels: Mapping[str, str]) -> int:
    return sum(map(len, labels.values()))


def _style(count: int, *, is_shown: bool) -> str:
    """What is empty stays in the background."""
    if is_shown:
        return "reverse"
    return "" if count else "dim"
