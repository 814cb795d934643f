"""`recollect health`: every problem, and with `--fix` what mends it."""

import argparse
from collections.abc import Sequence

from store.edits.port import Changeable
from store.library import Library, Page
from store.records.intents import Mend
from store.records.problem import Problem
from store.search.nearest import nearest
from tui.cli.answer import answer_list
from tui.cli.changing.carrying import carry_out_each, changing
from tui.cli.changing.naming import able
from tui.cli.session import Session
from tui.cli.terminal import complain

_KIND = "problems"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List problems, or mend those with some codes."""
    if not arguments.fix:
        with session.library() as library:
            answer_list(
                "health", _problems(library), json=session.json, nothing="All is well."
            )
        return
    with changing(session, arguments) as library:
        problems = _mendable(library, arguments.fix)
        carry_out_each(library, session, arguments, Mend(way=arguments.way), problems)


def _problems(library: Library) -> list[Problem]:
    """All of them, the worst first."""
    found = library.page(_KIND, Page())
    return [problem for problem in found if isinstance(problem, Problem)]


def _mendable(library: Library, codes: Sequence[str]) -> Sequence[Changeable]:
    """The problems with some codes that can be mended; of the others, why not."""
    known = _problems(library)
    present = sorted({problem.code for problem in known})
    for code in codes:
        if code not in present:
            near = f"; the nearest is {nearest(code, present)!r}" if present else ""
            complain(f"No problem here has the code {code!r}{near}.")
    return able(library, Mend.word, [one for one in known if one.code in codes])
