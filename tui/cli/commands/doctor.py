"""`recollect doctor`: whether all that undo lives on is there and sound."""

import argparse

from store.errors import RecollectError
from store.findings import Json
from tui.cli.answer import answer_rows
from tui.cli.session import Session
from tui.faces.columns.answers import columns_of
from tui.faces.json_lines import write_json


class UnsoundError(RecollectError):
    """Something of it is not."""


def run(_arguments: argparse.Namespace, session: Session) -> None:
    """Look at the journal, the backups, one restore, permissions and locks."""
    with session.library_of_none() as library:
        verdicts = library.verify()
    rows: list[dict[str, Json]] = [
        {"check": one.name, "good": one.is_good, "message": one.message}
        for one in verdicts
    ]
    if session.json:
        write_json(rows)
    else:
        answer_rows(columns_of(rows, tells_store=False), rows, nothing="")
    bad = [one.name for one in verdicts if not one.is_good]
    if bad:
        raise UnsoundError(f"Not sound: {', '.join(bad)}.")
