"""Commands that search and ask: search, similar, ask."""

import argparse
from itertools import chain, islice
from typing import TYPE_CHECKING

from store.errors import WrongUseError
from store.library import Library, Page
from store.machine import NotWrittenError
from store.records.answers import QuestionReport
from store.search.tree import EVERYTHING, Node
from store.state import remember
from store.text import guess
from tui.cli.session import (
    Session,
    answer_list,
    answering,
    complain_of_unknown,
    meant,
    understood,
    with_saved,
)
from tui.output import reports as hits
from tui.output.cells import columns_of, write_rows
from tui.output.text import write_json
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
    best = _best(session, query, page)
    if session.json:
        hits.write_json(best.hits, explained=arguments.explain)
    elif is_for_a_person():
        hits.write_lines(best.hits, explained=arguments.explain)
    else:
        hits.write_plain(best.hits, explained=arguments.explain)
    if best.is_similar:
        complain(f"No exact match; {best.total} similar.")
    elif not best.hits:
        complain("No more matches." if best.total else "No matches.")
    elif best.total > arguments.offset + len(best.hits):
        shown = f"{arguments.offset + 1}–{arguments.offset + len(best.hits)}"
        total = f"{best.total} or more" if best.is_more else best.total
        complain(f"{shown} of {total}; for more, use --limit N and --offset N.")
    _remember(" ".join(arguments.query), session)


def _best(session: Session, query: Node, page: Page, *, waits: bool = False) -> "Best":
    """The best hits; waits for a running sync only without any hits."""
    with answering(session, query, (), waits=waits) as (library, unread):
        near = meant(library, query, session)
        best = library.search.best(query, page, near=near, unread=unread)
        if not unread:
            has_hits = bool(best.total) and not best.is_similar
            complain_of_unknown(library, (), query, has_hits=has_hits)
    if best.total or not unread:
        return best
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


# `recollect ask [NAME [WORDS…]]`: list the built-in reports, or run one.
#
# Formats answer from their files, so no sync is needed.

_LOOKED_AT = 100
"""The first rows, from which the columns are derived."""


def run_ask(arguments: argparse.Namespace, session: Session) -> None:
    """Run a report, or list those that these stores have."""
    with session.library_as_it_is() as library:
        questions = _questions(library)
        if arguments.question is None:
            answer_list(
                "questions",
                questions.values(),
                json=session.json,
                nothing="These stores have no reports.",
            )
            return
        question = _meant(arguments.question, questions)
        _answer(library, question, arguments.words, json=session.json)


def _questions(library: Library) -> dict[str, QuestionReport]:
    """The reports by name, each with all the stores that have it."""
    reports: dict[str, QuestionReport] = {}
    for found, question in library.reports.questions():
        before = reports.get(question.name)
        formats = before.formats if before else ()
        reports[question.name] = QuestionReport(
            name=question.name,
            words=before.words if before else question.words,
            help=before.help if before else question.help,
            formats=tuple(dict.fromkeys((*formats, found.format.name))),
            stores=(*(before.stores if before else ()), str(found.path)),
        )
    return reports


def _meant(name: str, questions: dict[str, QuestionReport]) -> QuestionReport:
    """The report with a name; the error for an unknown one suggests the nearest."""
    if name in questions:
        return questions[name]
    if not questions:
        raise WrongUseError(f"Unknown report {name!r}; these stores have no reports.")
    raise WrongUseError(
        f"Unknown report {name!r}{guess(name, questions)} "
        f"(choose from {', '.join(questions)})"
    )


def _answer(
    library: Library, question: QuestionReport, words: list[str], *, json: bool
) -> None:
    """Run a report and print its rows."""
    rows = library.reports.ask(question.name, words, complain)
    if json:
        write_json(rows)
        return
    first = list(islice(rows, _LOOKED_AT))
    columns = columns_of(first, tells_store=len(question.stores) > 1)
    write_rows(columns, chain(first, rows), nothing="No results.")
