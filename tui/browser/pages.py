"""A record as pages of the reader."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from store.answers.records import InFull
from store.clean import clean
from store.kinds.edges import Edge, EdgeInFull
from store.kinds.journals import Event
from store.kinds.memories import Memory, MemoryInFull
from store.kinds.pages import DocumentInFull, Episode
from store.kinds.problems import Problem
from store.records.answers import Blamed, Link, Version
from tui.browser.bars import listed, singular
from tui.browser.record import (
    BLAME,
    FACTS,
    HISTORY,
    LINKS,
    RAW,
    READ,
    SEEN,
    VERSION,
    History,
    Opened,
    has_history,
)
from tui.browser.rooms.days import day_of
from tui.output.record import fields_of, text_of
from tui.output.reports import title as title_of
from tui.output.text import to_the_minute
from widgets.agenda import entry_page
from widgets.graph import Sighting, said
from widgets.memory_table import code
from widgets.page import (
    Body,
    Facts,
    Joined,
    Made,
    Markdown,
    Page,
    Plain,
    Raw,
    diff_lines,
    memory_page,
)
from widgets.problems import fix_of
from widgets.sheet import Pieces
from widgets.text import Look, Run, Runs, Target, TextLine, wrap

# Lines that link to other records: links, and mentions.

_LABEL = 14
_WHEN = 12

Line = tuple[str, Run]
"""The text before a record, and the record's link."""


def links_body(links: Sequence[Link]) -> Body:
    """The links of a record, one per line, with direction, type and title."""
    return Made(lambda look: _laid(map(_of_link, links), look))


def seen_body(sightings: Sequence[Sighting] | None) -> Body:
    """Mentions of a record, then similar ones; a placeholder while they are loaded."""
    if sightings is None:
        return Plain("…")
    if not sightings:
        return Plain("No mentions and no similar memories.")
    return Made(lambda look: _laid(map(_of_sighting, sightings), look))


def _of_link(link: Link) -> Line:
    sign = "→" if link.direction == "out" else "←"
    return f"{sign} {clean(said(link)):{_LABEL}} ", _named(link.title, link.ref)


def _of_sighting(one: Sighting) -> Line:
    told = one.when if one.likeness is None else f"{one.likeness:.2f} similar"
    return f"{clean(told):{_WHEN}} {singular(one.kind):{_LABEL}} ", _named(
        one.node.title, one.node.ref
    )


def _named(title: str | None, ref: str | None) -> Run:
    """A link with the record's title; plain text if the record does not exist."""
    if ref is None:
        return Run(f"{clean(title or '?')} (missing)", "faint")
    return Run(clean(title or ref), "link", Target("ref", ref))


def _laid(lines: Iterable[Line], look: Look) -> Iterator[TextLine]:
    """The lines, with those that are wrapped indented."""
    for before, record in lines:
        label: Runs = (Run(before[: look.width // 2], "muted"),)
        indent: Runs = (Run(" " * min(len(before), look.width // 2)),)
        yield from wrap([record], look.width, label, indent)


# The history of a file: its versions, and its lines with authors.

_BODIES_WHEN = len("2026-02-14 10:30")
_DAY = len("2026-02-14")
_BY = len("command ")
_WHO = 8
"""Characters shown of the id of a session, commit or change."""

_MAKER = _DAY + 1 + _WHO
_LEAST = 48
"""Minimum cells to show the author beside a line."""

_NOTHING = "No history found for this file."
_UNTOLD = "origin unknown"


def history_body(history: History | None) -> Body:
    """The versions, newest first, one per line; each links to its diff."""
    if history is None:
        return Plain("…")
    told = Plain("\n".join(history.notices) or _NOTHING)
    if not history.versions:
        return told
    lines = Made(partial(_versions, history.versions))
    return Joined(lines, told) if history.notices else lines


def blame_body(history: History | None) -> Body:
    """The lines of the file, each run of lines with its author and date."""
    if history is None:
        return Plain("…")
    if history.blame is None:
        return Plain("\n".join(history.notices))
    return Made(partial(_blamed, history.blame.lines))


def diff_body(version: Version) -> Body:
    """The changes of a version."""
    head = Plain(" · ".join(filter(None, (_when(version.at), version.who))))
    if version.diff is None:
        return Joined(head, Plain("Change not recorded."))
    if not version.diff:
        return Joined(head, Plain("The text didn't change."))
    diff = version.diff
    return Joined(head, Made(lambda look: diff_lines(diff, look)))


def _versions(versions: Sequence[Version], look: Look) -> Iterator[TextLine]:
    for number, version in enumerate(versions):
        target = Target(VERSION, str(number))
        by = f"{version.by:{_BY}} " if look.width >= _LEAST else ""
        label: Runs = (
            Run(f"{_when(version.at):{_BODIES_WHEN}} ", "muted"),
            Run(by, "faint"),
        )
        named = clean(version.what or "?").split("\n")[0]
        runs = [Run(named, "link", target), *_amount(version)]
        if version.who:
            runs.append(Run(f"  {clean(version.who)}", "muted"))
        room = look.width // 2
        indent = (Run(" " * min(_BODIES_WHEN + 1 + len(by), room)),)
        yield from wrap(runs, look.width, _within(label, room), indent)


def _amount(version: Version) -> Iterator[Run]:
    if version.added is not None and version.removed is not None:
        yield Run(f"  +{version.added}", "ok" if version.added else "faint")
        yield Run(f" -{version.removed}", "error" if version.removed else "faint")


def _blamed(spans: Sequence[Blamed], look: Look) -> Iterator[TextLine]:
    has_room = look.width >= _LEAST
    blank: Runs = (Run(" " * _MAKER if has_room else ""), Run(" │ ", "faint"))
    for span in spans:
        label: Runs = (*_maker_bodies(span), Run(" │ ", "faint"))
        if not has_room:
            yield TextLine(tuple(_maker_bodies(span)))
            label = blank
        for line in span.text.split("\n"):
            said = clean(line)
            indent = Run(said[: min(len(said) - len(said.lstrip()), look.width // 4)])
            runs = [Run(said.lstrip())]
            yield from wrap(runs, look.width, (*label, indent), (*blank, indent))
            label = blank


def _maker_bodies(span: Blamed) -> Iterator[Run]:
    """The day and the author, as a link to the message if possible."""
    if span.by == "unknown":
        yield Run(_UNTOLD[:_MAKER].ljust(_MAKER), "faint")
        return
    yield Run(f"{_when(span.at)[:_DAY]:{_DAY}} ", "muted")
    who = clean(span.session or span.ref or "")[:_WHO].ljust(_WHO)
    if span.conversation and span.ref:
        yield Run(who, "link", Target("ref", span.ref))
    else:
        yield Run(who, "muted")


def _when(at: str | None) -> str:
    return to_the_minute(at or "")


def _within(runs: Runs, width: int) -> Runs:
    cut: list[Run] = []
    for run in runs:
        cut.append(replace(run, text=run.text[: max(width, 0)]))
        width -= len(run.text)
    return cut


# A record in tabs: text, links, mentions, fields, raw bytes, history.


def page(opened: Opened, now: int, note: str, way: Sequence[str] = ()) -> Page:
    """The page of a record; `way` has the titles of the records visited before.

    Most tabs are not opened, so what they show is made when it is read.
    """
    bodies: dict[str, Body] = {READ: _read(opened, now)}
    if opened.links:
        bodies[LINKS] = links_body(opened.links)
    if isinstance(opened.record, Memory):
        bodies[SEEN] = seen_body(opened.seen)
    if (full := opened.full) is not None:
        bodies[FACTS] = Made(lambda look: _facts(full, now).lines(look))
    if opened.raw is not None:
        bodies[RAW] = Raw(opened.raw)
    if has_history(opened.record):
        bodies[HISTORY] = history_body(opened.history)
        bodies[BLAME] = blame_body(opened.history)
    return Page(opened.key, _title(opened), bodies, note, [clean(one) for one in way])


def _facts(full: InFull, now: int) -> Body:
    """All fields of a record; for a memory that fades, what its strength means."""
    is_fading = isinstance(full, MemoryInFull) and full.memory.strength is not None
    told = Plain(fields_of(full, now))
    return Joined(told, Plain(_STRENGTH)) if is_fading else told


_STRENGTH = (
    "Use raises the strength; without it, half is gone after 23 days.\n"
    "From 0.5 a memory is active, from 0.2 fading, from 0.05 dormant."
)


def _title(opened: Opened) -> Pieces:
    """The title of a record, for a memory after its type."""
    title = (clean(title_of(opened.record)), "strong")
    if isinstance(opened.record, Memory):
        known = opened.record.type
        return [code(known), (" ", ""), title] if known else [title]
    return [title]


def _read(opened: Opened, now: int) -> Body:
    """The text of a record; for a problem, its description."""
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
            return _of_others(full, now)


def _of_others(full: InFull, now: int) -> Body:
    """The body of a record that is not a memory, edge or document."""
    text = full.message if isinstance(full, Event) else text_of(full)
    facts = Plain(fields_of(full, now))
    return Joined(Plain(text), facts) if text else facts


_SIDES = {
    "file": "an edge file",
    "wikilink": "the text of its source",
    "outgoing": "its source",
    "incoming": "its target",
    "index": "the index",
}
"""Where an edge may be written."""


def _edge(edge: Edge) -> Body:
    """An edge: its ends, type, strength and reason."""
    facts = [
        ("from", edge.from_title or "?"),
        ("type", edge.type),
        ("to", edge.to_title or "?"),
        ("strength", "" if edge.strength is None else f"{edge.strength:.2f}"),
        ("created", to_the_minute(edge.created or "")),
        ("written in", listed(_SIDES.get(one, one) for one in edge.sides)),
    ]
    told = Facts([(name, value) for name, value in facts if value])
    return Joined(told, Markdown(edge.context)) if edge.context else told


def _problem(problem: Problem) -> Body:
    """A problem: what is wrong, where, and what fixes it."""
    facts = [
        ("severity", problem.severity),
        ("problem", problem.code),
        ("file", problem.path + (f":{problem.line}" if problem.line else "")),
        ("store", problem.store),
        ("fix", fix_of(problem) if problem.fix else "none that is automatic"),
        ("in a shell", f"{problem.fix} (all of this kind)" if problem.fix else ""),
        ("ignored", "until it changes" if problem.ignored else ""),
    ]
    told = Facts([(name, value) for name, value in facts if value])
    return Joined(Plain(problem.message), told)
