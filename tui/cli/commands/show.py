"""`recollect show REF`: one record, whole."""

import argparse

from tui.cli.session import Session
from tui.faces.json_lines import write_json
from tui.faces.whole import write_whole


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Show a record."""
    with session.library() as library:
        record = library.show(arguments.ref)
        if session.json:
            write_json([record])
        else:
            write_whole(record, [*library.links(arguments.ref)])
