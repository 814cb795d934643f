"""An entry as a page: when it was, what happened, and the memory that it tells of."""

from collections.abc import Iterator, Sequence
from datetime import date

from store.records.episode import Episode
from store.records.link import Link
from store.records.memory import MemoryInFull
from widgets.calendar.names import told
from widgets.columns.cells import fit_path
from widgets.columns.cells import told as cleaned
from widgets.columns.types import code
from widgets.reader.bodies import Body, Joined, Made, Markdown
from widgets.reader.flow import flow
from widgets.reader.hits import marked
from widgets.reader.look import Look
from widgets.reader.memory_page import memory_page
from widgets.reader.runs import Run, Runs, Target, TextLine, single
from widgets.reader.wrapping import wrap

_NOTHING = "Nothing more is written of it."


def entry_page(
    entry: Episode,
    links: Sequence[Link],
    memory: MemoryInFull | None,
    now: int,
    today: date,
) -> Body:
    """All of an entry, and beneath it all of its memory."""
    said = Markdown(entry.summary or _NOTHING)
    parts: list[Body] = [Made(lambda look: _head(entry, today, look)), said]
    parts.append(Made(lambda look: _links(entry, links, look)))
    if memory is not None:
        parts += [Made(lambda look: _divider(memory, look)), memory_page(memory, now)]
    return Joined(*parts)


def _head(entry: Episode, today: date, look: Look) -> Iterator[TextLine]:
    """What is known of it, as a few lines and a rule."""
    yield from flow(list(_facts(entry, today)), look.width)
    tags = [[Run(cleaned(f"#{tag}"), "tag", Target("tag", tag))] for tag in entry.tags]
    yield from flow(
        [list(marked(tag, look.needles)) for tag in tags], look.width, gap=1
    )
    place = f"{cleaned(entry.path)}:{entry.line}"
    yield single(fit_path(place, look.width), "faint")
    yield single("─" * look.width, "faint")


def _facts(entry: Episode, today: date) -> Iterator[Runs]:
    """The day, the time, and the type in words."""
    yield [Run(cleaned(told(entry.date, today)), "heading")]
    if entry.time:
        yield [Run(cleaned(entry.time), "strong")]
    if entry.type:
        yield [Run(cleaned(entry.type), code(entry.type)[1])]
    yield [Run("only ever added to", "faint")]


def _links(entry: Episode, links: Sequence[Link], look: Look) -> Iterator[TextLine]:
    """What it tells of, a line each; a link that leads nowhere says so."""
    known = [link for link in links if link.ref]
    for link in known:
        name = Run(cleaned(link.title or link.ref or ""), "link", _target(link))
        yield from wrap(marked([name], look.needles), look.width, (Run("→ ", "arrow"),))
    if entry.link is not None and entry.memory is None:
        missing = Run(f"{cleaned(entry.link)} is not there", "warning")
        yield from wrap([missing], look.width, (Run("⚠ ", "warning"),))


def _target(link: Link) -> Target:
    return Target("ref", link.ref or "")


def _divider(memory: MemoryInFull, look: Look) -> Iterator[TextLine]:
    """What begins beneath it: the memory, by its type and title."""
    letters, tone = code(memory.memory.type)
    title = Run(
        cleaned(memory.memory.title), "strong", Target("ref", memory.memory.ref)
    )
    yield single("━" * look.width, "faint")
    yield from wrap([Run(f"{letters} ", tone), title], look.width)
