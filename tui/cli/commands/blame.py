"""`recollect blame REF`: each line of a record's file, and what made it."""

import argparse

from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.blame import lines_of
from tui.faces.json_lines import write_json
from tui.faces.lines import write_lines


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Tell who made which line."""
    with session.library() as now, session.back(now) as library:
        blame = library.blame(arguments.ref, complain)
    if session.json:
        write_json([blame])
        return
    write_lines(lines_of(blame), coloured=is_for_a_person())
    if blame.maybe:
        several = f"{len(blame.maybe)} commands" if blame.maybe[1:] else "A command"
        complain(f"{several} may have changed it too; `recollect versions` tells.")
