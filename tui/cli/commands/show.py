"""`recollect show REF`: one record, whole."""

import argparse

from tui.cli.faces.json_lines import write_json
from tui.cli.faces.whole import write_whole
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Show a record."""
    with session.library() as library:
        record = library.show(arguments.ref)
        if session.json:
            write_json([record])
        else:
            write_whole(record, [*library.links(arguments.ref)])
