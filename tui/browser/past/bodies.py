"""The past of a file as pages of the reader: its versions, its lines with makers."""

from collections.abc import Iterator, Sequence
from functools import partial

from store.clean import clean
from store.records.blame import Blamed
from store.records.version import Version
from tui.browser.data.history import History
from tui.faces.instants import to_the_minute
from widgets.plans.diff import diff_lines
from widgets.reader.bodies import Body, Joined, Made, Plain
from widgets.reader.look import Look
from widgets.reader.runs import Run, Runs, Target, TextLine
from widgets.reader.wrapping import wrap

VERSION = "version"
"""The kind of a target that names a version, by its place among them."""

_WHEN = len("2026-02-14 10:30")
_DAY = len("2026-02-14")
_BY = len("command ")
_WHO = 8
"""Characters that tell a session, a commit or a change from others."""

_MAKER = _DAY + 1 + _WHO
_LEAST = 48
"""Cells from which on there is room for who made a line beside it."""

_NOTHING = "Nothing tells how this file came to be."
_UNTOLD = "origin unknown"


def history_body(history: History | None) -> Body:
    """A line a version, the newest first; each leads to what it changed."""
    if history is None:
        return Plain("…")
    told = Plain("\n".join(history.notices) or _NOTHING)
    if not history.versions:
        return told
    lines = Made(partial(_versions, history.versions))
    return Joined(lines, told) if history.notices else lines


def blame_body(history: History | None) -> Body:
    """The lines of the file; before the first of several who made them, and when."""
    if history is None:
        return Plain("…")
    if history.blame is None:
        return Plain("\n".join(history.notices))
    return Made(partial(_blamed, history.blame.lines))


def diff_body(version: Version) -> Body:
    """What a version changed."""
    head = Plain(" · ".join(filter(None, (_when(version.at), version.who))))
    if version.diff is None:
        return Joined(head, Plain("What it changed is not known."))
    if not version.diff:
        return Joined(head, Plain("It changed nothing in the text."))
    diff = version.diff
    return Joined(head, Made(lambda look: diff_lines(diff, look)))


def _versions(versions: Sequence[Version], look: Look) -> Iterator[TextLine]:
    for number, version in enumerate(versions):
        target = Target(VERSION, str(number))
        by = f"{version.by:{_BY}} " if look.width >= _LEAST else ""
        label: Runs = (
            Run(f"{_when(version.at):{_WHEN}} ", "muted"),
            Run(by, "faint"),
        )
        named = clean(version.what or "?").split("\n")[0]
        runs = [Run(named, "link", target), *_amount(version)]
        if version.who:
            runs.append(Run(f"  {clean(version.who)}", "muted"))
        room = look.width // 2
        indent = (Run(" " * min(_WHEN + 1 + len(by), room)),)
        yield from wrap(runs, look.width, _within(label, room), indent)


def _amount(version: Version) -> Iterator[Run]:
    """How many lines came and went."""
    if version.added is not None and version.removed is not None:
        yield Run(f"  +{version.added}", "ok" if version.added else "faint")
        yield Run(f" -{version.removed}", "error" if version.removed else "faint")


def _blamed(spans: Sequence[Blamed], look: Look) -> Iterator[TextLine]:
    has_room = look.width >= _LEAST
    blank: Runs = (Run(" " * _MAKER if has_room else ""), Run(" │ ", "faint"))
    for span in spans:
        label: Runs = (*_maker(span), Run(" │ ", "faint"))
        if not has_room:
            yield TextLine(tuple(_maker(span)))
            label = blank
        for line in span.text.split("\n"):
            said = clean(line)
            indent = Run(said[: min(len(said) - len(said.lstrip()), look.width // 4)])
            runs = [Run(said.lstrip())]
            yield from wrap(runs, look.width, (*label, indent), (*blank, indent))
            label = blank


def _maker(span: Blamed) -> Iterator[Run]:
    """The day, and what was done then: it leads to the message."""
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
    """Runs cut to a width."""
    cut: list[Run] = []
    for run in runs:
        cut.append(run._replace(text=run.text[: max(width, 0)]))
        width -= len(run.text)
    return cut
