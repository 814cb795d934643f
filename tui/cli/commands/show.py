"""`recollect show REF`: one record, whole."""

import argparse
from collections.abc import Iterator

from store.library import Library
from store.opening import InFull
from store.records.conversation import MessageInFull
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.json_lines import write_json
from tui.faces.whole import write_whole


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Show a record."""
    with session.library() as now, session.back(now) as library:
        record = library.show(arguments.ref)
        doubt = library.doubt(arguments.ref)
        if doubt:
            complain(doubt)
        if session.json:
            write_json([record])
            return
        write_whole(
            record,
            [*library.links(arguments.ref)],
            asked=_asked(library, record),
            coloured=is_for_a_person(),
        )


def _asked(library: Library, record: InFull) -> Iterator[MessageInFull]:
    """The messages whose calls a message answers."""
    for ref in record.answers if isinstance(record, MessageInFull) else ():
        message = library.show(ref)
        if isinstance(message, MessageInFull):
            yield message
