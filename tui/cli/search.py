"""Commands that search and ask: search, similar, embed, report."""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import TextIOWrapper
from itertools import chain, islice
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from store.answers.reports import STATISTICS, Offered
from store.errors import NothingFoundError, WrongUseError
from store.kinds import KINDS
from store.library import Library, Page, Progress
from store.machine import NotWrittenError
from store.records.answers import Embedded, ParameterReport, QuestionReport
from store.reports import Row
from store.search.meaning import NoAnswerError
from store.search.tree import EVERYTHING, Node
from store.state import remember
from tui.cli.lists import store_names, tell_more
from tui.cli.session import (
    Session,
    answer_list,
    answering,
    complain_of_unknown,
    meant,
    progress,
    understood,
    with_saved,
)
from tui.cli.words import singular
from tui.output import reports as hits
from tui.output.cells import columns_of, summed_up, with_bars, write_csv, write_rows
from tui.output.text import Line, reported, write_json, write_lines
from tui.terminal.streams import complain, is_for_a_person

if TYPE_CHECKING:
    from store.library import Best

# `recollect search QUERY`: the best hits in all kinds that have text.


def run_search(arguments: argparse.Namespace, session: Session) -> None:
    """Print the hits of a query, best first."""
    words = with_saved(arguments.query, arguments.saved, session.places)
    query = understood(words, None)
    if query == EVERYTHING:
        raise WrongUseError(
            "Nothing to search for; to list everything, use `recollect list`."
        )
    page = Page(limit=arguments.limit, offset=arguments.offset)
    best, names = _best(session, query, page)
    if session.json:
        hits.write_json(best.hits, explained=arguments.explain)
    elif is_for_a_person():
        hits.write_lines(best.hits, names, explained=arguments.explain)
    else:
        hits.write_plain(best.hits, explained=arguments.explain)
    if best.is_similar:
        complain(f"No exact match; {best.total} similar.")
    elif not best.hits:
        complain(_none(best.total, arguments))
    elif best.total > arguments.offset + len(best.hits):
        total = f"{best.total} or more" if best.is_more else best.total
        last = arguments.offset + len(best.hits)
        tell_more(arguments.offset + 1, last, total)
    _remember(" ".join(arguments.query), session)


def _none(total: int, arguments: argparse.Namespace) -> str:
    """Why there are no hits to print, and what was probably meant."""
    if total:
        return "No more matches." if arguments.limit else f"0 of {total}."
    words = " ".join(arguments.query).split()
    for kind in KINDS:
        if {f"kind:{kind}", f"kind:{singular(kind)}"}.intersection(words):
            return f"No matches. To find {kind} only, use `recollect list {kind}`."
    return "No matches."


def _best(
    session: Session, query: Node, page: Page, *, waits: bool = False
) -> tuple["Best", dict[str, str]]:
    """The best hits, and the names of the stores if a terminal shows them.

    Waits for a running sync only without any hits.
    """
    with answering(session, query, (), waits=waits) as (library, unread):
        near = meant(library, query, session)
        best = library.search.best(query, page, near=near, unread=unread)
        if not unread:
            has_hits = bool(best.total) and not best.is_similar
            complain_of_unknown(library, (), query, has_hits=has_hits)
        names = store_names(library) if is_for_a_person() else {}
    if best.total or not unread:
        return best, names
    return _best(session, query, page, waits=True)


def _remember(query: str, session: Session) -> None:
    """Add the query to the history; a write error is only reported."""
    try:
        remember(session.places, query)
    except NotWrittenError as error:
        complain(str(error))


# `recollect similar REF`: the memories most similar to one, linked or not.


def run_similar(arguments: argparse.Namespace, session: Session) -> None:
    """List similar memories, most similar first."""
    with session.library() as library:
        found = library.search.similar(
            arguments.ref, arguments.limit, complain, unlinked=arguments.unlinked
        )
    answer_list("similar", found, json=session.json, nothing="No similar memories.")


# `recollect embed`: make vectors of memories, for search by meaning.


def run_embed(arguments: argparse.Namespace, session: Session) -> None:
    """Make the missing vectors, or say what that would send."""
    session.report(session.settings.complaints)
    with session.library_as_it_is(has_spares=False) as library:
        embeddings = library.embeddings(session.settings.semantic)
        session.brings_up_to_date(library)
        states = {
            one.store: one for one in embeddings.states(secrets=arguments.secrets)
        }
        if not states:
            raise NothingFoundError("No memories in these stores.")
        if not arguments.dry_run:
            environment = session.machine.environment
            made = embeddings.embed(environment, secrets=arguments.secrets)
            _follow(made, states, session)
    if arguments.dry_run and session.json:
        write_json(states.values())
    elif not session.json:
        rows = [asdict(one) for one in states.values()]
        write_rows(columns_of(rows, tells_store=True), rows, nothing="")
    left_out = sum(one.secret for one in states.values())
    if left_out:
        what = "1 memory that" if left_out == 1 else f"{left_out} memories that"
        complain(f"Left out {what} may contain a secret; --secrets sends them, too.")


def _follow(
    made: Iterator[Embedded], states: dict[str, Embedded], session: Session
) -> None:
    """Show the progress: a line of JSON for each batch, or a bar on a terminal."""
    total = sum(one.missing for one in states.values())
    with progress(name="embedding") as report:
        try:
            for state in made:
                states[state.store] = state
                left = sum(one.missing for one in states.values())
                report(Progress(total - left, total))
                if session.json:
                    write_json([state])
                    sys.stdout.flush()
        except NoAnswerError as error:
            left = sum(one.missing for one in states.values())
            raise NoAnswerError(
                f"{error} {total - left} of {total} vectors are saved; run "
                "`recollect embed` again for the rest."
            ) from error


# `recollect report [NAME [PARAMETER=VALUE…]]`: list the built-in reports, or run one.
#
# Formats answer from their files, so no sync is needed.

_LOOKED_AT = 100
"""The first rows, from which the columns are derived."""

_NO_ROWS = "No results."


def run_report(arguments: argparse.Namespace, session: Session) -> None:
    """Run a report, or list those that these stores have."""
    with session.library_as_it_is() as library:
        if arguments.report is None:
            _list_reports(library, session)
            return
        offered = library.reports.named(arguments.report)
        if offered.report.is_of_index:
            session.brings_up_to_date(library)
        rows = library.reports.answer(offered, arguments.words, complain)
        if session.json:
            write_json(reported(rows, _NO_ROWS))
        elif arguments.csv:
            out = TextIOWrapper(sys.stdout.buffer, "utf-8", "replace", newline="")
            write_csv(rows, offered.report.header, out)
            out.detach()
        else:
            stores = library.lists.stores() if is_for_a_person() else ()
            names = {one.path: one.name for one in stores}
            if names and offered.report is STATISTICS and not arguments.words:
                rows = list(rows)
                if _sums_up(rows, names):
                    return
            _write_table(iter(rows), offered, names or None, is_plotted=arguments.plot)


def _list_reports(library: Library, session: Session) -> None:
    """List the reports; for people, beneath the formats that have them."""
    reports = list(map(_listed, library.reports.offered().values()))
    nothing = "These stores have no reports."
    if session.json or not is_for_a_person() or not reports:
        answer_list("questions", reports, json=session.json, nothing=nothing)
        return
    every = max(len(one.formats) for one in reports)
    by_formats: dict[str, list[QuestionReport]] = {}
    for one in sorted(reports, key=lambda one: (-len(one.formats), one.formats)):
        whose = ", ".join(one.formats) if len(one.formats) < every else "every store"
        by_formats.setdefault(whose, []).append(one)
    for whose, some in by_formats.items():
        write_lines([Line(whose, "bold")], coloured=True)
        write_lines(chain.from_iterable(map(_usage, some)), coloured=True)


_COLUMN = 28
"""The column in which the help of a report begins, as in the help of commands."""


def _usage(report: QuestionReport) -> Iterator[Line]:
    """A report with its parameters, and its help beside or beneath them."""
    width = get_terminal_size().columns
    wrapper = partial(textwrap.wrap, break_long_words=False, break_on_hyphens=False)
    usage = f"  {report.name} {report.words}".rstrip()
    texts = wrapper(report.help, max(width - _COLUMN, _COLUMN))
    lines = wrapper(usage, width, subsequent_indent=" " * 6)
    if len(usage) < _COLUMN - 1 and texts:
        lines = [f"{usage:{_COLUMN}}{texts.pop(0)}"]
    yield from map(Line, (*lines, *(" " * _COLUMN + text for text in texts)))


_SHORT = 20
"""The most rows of statistics that a terminal shows one by one."""


def _sums_up(rows: Sequence[Row], names: Mapping[str, str]) -> bool:
    """Print a row for each store, or each part of one, if the statistics are long."""
    found = summed_up(rows) if len(rows) > _SHORT else None
    if found:
        columns = columns_of(found[1], tells_store=True, names=names)
        write_rows(columns, found[1], nothing="")
        parts = ", ".join(dict.fromkeys(str(row["part"]) for row in rows))
        complain(
            f"One row for each {found[0]}; tags and fading memories don't include "
            f"archived ones. `report statistics PART…` shows more: {parts}."
        )
    return bool(found)


def _listed(offered: Offered) -> QuestionReport:
    report = offered.report
    return QuestionReport(
        name=report.name,
        words=report.words,
        help=report.help,
        formats=offered.formats,
        stores=tuple(str(found.path) for found in offered.stores),
        parameters=tuple(map(ParameterReport.of, report.parameters)),
        columns=tuple(report.columns.split()),
    )


def _write_table(
    rows: Iterator[Row],
    offered: Offered,
    names: Mapping[str, str] | None,
    *,
    is_plotted: bool,
) -> None:
    """Print a report's rows as a table or lines; a table has bars beside a number."""
    report, tells_store = offered.report, len(offered.stores) > 1
    is_drawn = bool(report.plot) and (is_plotted or is_for_a_person())
    first = list(rows if is_drawn else islice(rows, _LOOKED_AT))
    columns = columns_of(first, tells_store=tells_store, names=names)
    if is_drawn:
        drawn = with_bars(columns, first, report)
        write_rows(drawn, first, nothing=_NO_ROWS, is_table=True)
    else:
        write_rows(columns, chain(first, rows), nothing=_NO_ROWS)
