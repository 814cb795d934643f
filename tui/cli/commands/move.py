"""`recollect move REF… --to STORE`: take records to another store."""

import argparse

from tui.cli.changing.elsewhere import take
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Move records."""
    take(arguments, session, keeps=False)
