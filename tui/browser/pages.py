"""A record as pages of the reader: what it says, its links, its fields, its bytes."""

from collections.abc import Sequence

from store.clean import clean
from store.opening import InFull
from store.records.document import DocumentInFull
from store.records.edge import Edge, EdgeInFull
from store.records.episode import Episode
from store.records.event import Event
from store.records.memory import Memory, MemoryInFull
from store.records.problem import Problem
from tui.browser.data.history import has_history
from tui.browser.data.opened import Opened
from tui.browser.panes import LinksPane
from tui.browser.past.bodies import blame_body, history_body
from tui.browser.references import links_body, seen_body
from tui.browser.rooms.episodes.diary import day_of
from tui.faces.hits import title as title_of
from tui.faces.instants import to_the_minute
from tui.faces.whole import fields_of, text_of
from widgets.agenda.entry_page import entry_page
from widgets.columns.types import code
from widgets.lines.pieces import Pieces
from widgets.reader.bodies import Body, Facts, Joined, Markdown, Plain
from widgets.reader.memory_page import memory_page
from widgets.reader.page import Page
from widgets.reader.raw import Raw

READ, LINKS, SEEN = "read", LinksPane.TAB, "seen"
FACTS, RAW = "facts", "raw"
HISTORY, BLAME = "history", "blame"


def page(opened: Opened, now: int, note: str, way: Sequence[str] = ()) -> Page:
    """A record, ready to be read; `way` tells what one came through to it."""
    bodies: dict[str, Body] = {READ: _read(opened, now)}
    if opened.links:
        bodies[LINKS] = links_body(opened.links)
    if isinstance(opened.record, Memory):
        bodies[SEEN] = seen_body(opened.seen)
    if opened.full is not None:
        bodies[FACTS] = Plain(fields_of(opened.full))
    if opened.raw is not None:
        bodies[RAW] = Raw(opened.raw)
    if has_history(opened.record):
        bodies[HISTORY] = history_body(opened.history)
        bodies[BLAME] = blame_body(opened.history)
    return Page(opened.key, _title(opened), bodies, note, [clean(one) for one in way])


def _title(opened: Opened) -> Pieces:
    """What it is called; a memory's type before it."""
    title = (clean(title_of(opened.record)), "strong")
    if isinstance(opened.record, Memory):
        return [code(opened.record.type), (" ", ""), title]
    return [title]


def _read(opened: Opened, now: int) -> Body:
    """What it says; a problem is told before what it concerns."""
    noted = filter(None, (opened.failure, opened.doubt))
    parts: list[Body] = [Plain(sentence) for sentence in noted]
    if isinstance(opened.record, Problem):
        parts.append(_problem(opened.record))
    if isinstance(opened.full, Episode):
        told = entry_page(opened.full, opened.links, opened.tells, now, day_of(now))
        parts.append(told)
    elif opened.full is not None and not isinstance(opened.full, Problem):
        parts.append(_said(opened.full, now))
    return Joined(*parts)


def _said(full: InFull, now: int) -> Body:
    match full:
        case MemoryInFull():
            return memory_page(full, now)
        case DocumentInFull():
            return Markdown(full.text)
        case EdgeInFull():
            is_told = full.body.strip() == (full.edge.context or "").strip()
            told = _edge(full.edge)
            return told if is_told else Joined(told, Markdown(full.body))
        case Edge():
            return _edge(full)
        case _:
            return _of_others(full)


def _of_others(full: InFull) -> Body:
    """What is told of what is no memory, no edge and no document."""
    text = full.message if isinstance(full, Event) else text_of(full)
    return (
        Joined(Plain(text), Plain(fields_of(full))) if text else Plain(fields_of(full))
    )


def _edge(edge: Edge) -> Body:
    """An edge: from where, of which type, to where, and why."""
    facts = [
        ("from", edge.from_title or "?"),
        (edge.type, "→"),
        ("to", edge.to_title or "?"),
        ("strength", "" if edge.strength is None else f"{edge.strength:.2f}"),
        ("created", to_the_minute(edge.created or "")),
        ("written", ", ".join(edge.sides)),
    ]
    told = Facts([(name, value) for name, value in facts if value])
    return Joined(told, Markdown(edge.context)) if edge.context else told


def _problem(problem: Problem) -> Body:
    """What is wrong, where, and what would mend it."""
    facts = [
        ("severity", problem.severity),
        ("problem", problem.code),
        ("file", problem.path + (f":{problem.line}" if problem.line else "")),
        ("store", problem.store),
        ("mended by", problem.fix or ""),
    ]
    told = Facts([(name, value) for name, value in facts if value])
    return Joined(Plain(problem.message), told)
