"""`recollect versions REF`: the changes of its file, as far as they are known."""

import argparse

from tui.cli.answer import answer_list
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.lines import write_lines
from tui.faces.versions import lines_of

_NOTHING = "Nothing tells how this file came to be."


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List the versions, the newest first, or what each of them changed."""
    with session.library() as now, session.back(now) as library:
        versions = library.versions(arguments.ref, complain)
    if arguments.diff and not session.json and versions:
        write_lines(lines_of(versions), coloured=is_for_a_person())
        return
    answer_list("versions", versions, json=session.json, nothing=_NOTHING)
