"""What is to be done, or must hold, as a list of boxes."""

from collections.abc import Callable, Iterator, Sequence

from store.clean import clean
from widgets.reader.hits import marked
from widgets.reader.inline import runs_of
from widgets.reader.look import Look
from widgets.reader.parser import parser
from widgets.reader.runs import Run, TextLine
from widgets.reader.wrapping import wrap


def checklist(
    title: str, items: Sequence[str], *, is_numbered: bool
) -> Callable[[Look], Iterator[TextLine]]:
    """A heading, and a box for every item."""

    def made(look: Look) -> Iterator[TextLine]:
        yield TextLine((Run(title, "heading"),), is_heading=True)
        for number, item in enumerate(items, 1):
            box = f"☐ {number}. " if is_numbered else "☐ "
            runs = marked(runs_of(parser(), clean(item)), look.needles)
            before, beneath = (Run(box, "bullet"),), (Run(" " * len(box)),)
            yield from wrap(runs, look.width, before, beneath)

    return made
