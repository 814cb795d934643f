"""Pages for the reader, and the text of their lines."""

from collections.abc import Sequence

from widgets.page import Body, Markdown, Page
from widgets.text import Look, Target, TextLine

WIDTH = 40


def laid(body: Body, width: int = WIDTH, needles: Sequence[str] = ()) -> list[TextLine]:
    """All lines of a body."""
    return list(body.lines(Look(width, tuple(needles))))


def said(body: Body, width: int = WIDTH) -> list[str]:
    """The text of lines."""
    return [line.text.rstrip() for line in laid(body, width)]


def markdown(text: str, width: int = WIDTH) -> str:
    """The text of Markdown after layout."""
    return "\n".join(said(Markdown(text), width))


def toned(lines: Sequence[TextLine], tone: str) -> list[str]:
    """The text in a tone."""
    runs = [run for line in lines for run in line.runs]
    return [run.text for run in runs if tone in run.tone.split()]


def targets(lines: Sequence[TextLine]) -> list[tuple[str, Target]]:
    """The text of links, and their targets."""
    runs = [run for line in lines for run in line.runs]
    return [(run.text, run.target) for run in runs if run.target]


def a_page(text: str, key: str = "m:1", **bodies: Body) -> Page:
    """A page whose first tab is Markdown."""
    read: dict[str, Body] = {"read": Markdown(text)}
    return Page(key, [("A title", "title")], read | bodies)
