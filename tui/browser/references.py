"""Other records as lines of the reader that lead to them: links, and sightings."""

from collections.abc import Callable, Iterator, Sequence

from store.clean import clean
from store.records.link import Link
from tui.browser.first.counting import singular
from widgets.graph.sightings import Sighting
from widgets.reader.bodies import Body, Made, Plain
from widgets.reader.look import Look
from widgets.reader.runs import Run, Runs, Target, TextLine
from widgets.reader.wrapping import wrap

_LABEL = 14
_WHEN = 12

Line = tuple[str, Run]
"""What stands before a record, and the record."""


def links_body(links: Sequence[Link]) -> Body:
    """A line a link: which way, of which kind, to what."""
    return _lines([_of_link(link) for link in links])


def seen_body(sightings: Sequence[Sighting] | None) -> Body:
    """Where it is told of, then what is like it; nothing yet, as long as one looks."""
    if sightings is None:
        return Plain("…")
    if not sightings:
        return Plain("Nothing tells of it, and nothing is like it.")
    return _lines([_of_sighting(one) for one in sightings])


def _of_link(link: Link) -> Line:
    sign = "→" if link.direction == "out" else "←"
    return f"{sign} {clean(link.type):{_LABEL}} ", _named(link.title, link.ref)


def _of_sighting(one: Sighting) -> Line:
    told = one.when if one.likeness is None else f"{one.likeness:.2f} alike"
    return f"{clean(told):{_WHEN}} {singular(one.kind):{_LABEL}} ", _named(
        one.node.title, one.node.ref
    )


def _named(title: str | None, ref: str | None) -> Run:
    """A record by its title; one that is not there leads nowhere."""
    if ref is None:
        return Run(f"{clean(title or '?')} is not there", "faint")
    return Run(clean(title or ref), "link", Target("ref", ref))


def _lines(lines: Sequence[Line]) -> Body:
    return Made(_maker(lines))


def _maker(lines: Sequence[Line]) -> Callable[[Look], Iterator[TextLine]]:
    """What lays the lines out; where they go on they are indented."""

    def make(look: Look) -> Iterator[TextLine]:
        for before, record in lines:
            label: Runs = (Run(before[: look.width // 2], "muted"),)
            indent: Runs = (Run(" " * min(len(before), look.width // 2)),)
            yield from wrap([record], look.width, label, indent)

    return make
