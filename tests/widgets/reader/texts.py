"""Pages for the reader, and what their lines say."""

from collections.abc import Sequence

from widgets.reader.bodies import Body, Markdown
from widgets.reader.look import Look
from widgets.reader.page import Page
from widgets.reader.runs import Target, TextLine

WIDTH = 40


def laid(body: Body, width: int = WIDTH, needles: Sequence[str] = ()) -> list[TextLine]:
    """All lines of a body."""
    return list(body.lines(Look(width, tuple(needles))))


def said(body: Body, width: int = WIDTH) -> list[str]:
    """What they say."""
    return [line.text.rstrip() for line in laid(body, width)]


def markdown(text: str, width: int = WIDTH) -> str:
    """What Markdown says when it is laid out."""
    return "\n".join(said(Markdown(text), width))


def toned(lines: Sequence[TextLine], tone: str) -> list[str]:
    """The text in a tone."""
    runs = [run for line in lines for run in line.runs]
    return [run.text for run in runs if tone in run.tone.split()]


def targets(lines: Sequence[TextLine]) -> list[tuple[str, Target]]:
    """The text of links, and where they lead."""
    runs = [run for line in lines for run in line.runs]
    return [(run.text, run.target) for run in runs if run.target]


def a_page(text: str, key: str = "m:1", **bodies: Body) -> Page:
    """A page whose first tab is Markdown."""
    read: dict[str, Body] = {"read": Markdown(text)}
    return Page(key, [("A title", "title")], read | bodies)
