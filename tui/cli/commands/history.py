"""`recollect history`: the changes that were made, newest first."""

import argparse
from itertools import islice

from store.errors import WrongUseError
from store.library import Library
from tui.cli.answer import answer_list
from tui.cli.changing.consent import DeclinedError, answered, can_be_asked
from tui.cli.changing.journal import within
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.faces.quantities import sized

_WORD = "purge"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the changes of the stores that are looked at, or forget all there are."""
    first: int = arguments.offset
    with session.library_of_none() as library:
        if arguments.purge:
            _purge(library, is_agreed=arguments.yes)
            return
        changes = islice(within(session, library), first, first + arguments.limit)
        answer_list(
            "changes", changes, json=session.json, nothing="Nothing was changed yet."
        )


def _purge(library: Library, *, is_agreed: bool) -> None:
    """Forget them: what they kept may be secret."""
    if not is_agreed:
        if not can_be_asked():
            raise WrongUseError("Where nobody can be asked, --purge needs --yes.")
        complain("All changes are forgotten then; none of them can be undone any more.")
        if answered(f"Type “{_WORD}” to do this: ") != _WORD:
            raise DeclinedError("Nothing was forgotten.")
    complain(f"Forgotten; that gave back {sized(library.purge()) or 'nothing'}.")
