"""`recollect ask [NAME [WORDS…]]`: what stores can be asked, and their answers.

Formats answer from their files, so nothing has to be brought up to date for it.
"""

import argparse
from itertools import chain, islice

from store.errors import WrongUseError
from store.library import Library
from store.records.question import QuestionReport
from store.search.nearest import nearest
from tui.cli.answer import answer_list, answer_rows
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.faces.columns.answers import columns_of
from tui.faces.json_lines import write_json

_LOOKED_AT = 100
"""How many rows say which columns an answer has."""


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Answer a question, or list those that can be asked."""
    with session.library_as_it_is() as library:
        questions = _questions(library)
        if arguments.question is None:
            answer_list(
                "questions",
                questions.values(),
                json=session.json,
                nothing="There is nothing that these stores can be asked.",
            )
            return
        question = _meant(arguments.question, questions)
        _answer(library, question, arguments.words, json=session.json)


def _questions(library: Library) -> dict[str, QuestionReport]:
    """The questions by name, each with all the stores that can answer it."""
    told: dict[str, QuestionReport] = {}
    for found, question in library.questions():
        before = told.get(question.name)
        formats = before.formats if before else ()
        told[question.name] = QuestionReport(
            name=question.name,
            words=before.words if before else question.words,
            help=before.help if before else question.help,
            formats=tuple(dict.fromkeys((*formats, found.format.name))),
            stores=(*(before.stores if before else ()), str(found.path)),
        )
    return told


def _meant(name: str, questions: dict[str, QuestionReport]) -> QuestionReport:
    """The question of a name; one that is not there is named with the nearest one."""
    if name in questions:
        return questions[name]
    if not questions:
        raise WrongUseError(
            f"{name!r} is no question; there is nothing that these stores can be asked."
        )
    raise WrongUseError(
        f"{name!r} is no question that these stores can be asked; "
        f"did you mean {nearest(name, questions)!r}? "
        f"There are: {', '.join(questions)}."
    )


def _answer(
    library: Library, question: QuestionReport, words: list[str], *, json: bool
) -> None:
    """Put a question, and print its answer row by row."""
    rows = library.ask(question.name, words, complain)
    if json:
        write_json(rows)
        return
    first = list(islice(rows, _LOOKED_AT))
    columns = columns_of(first, tells_store=len(question.stores) > 1)
    answer_rows(columns, chain(first, rows), nothing="Nothing to tell.")
