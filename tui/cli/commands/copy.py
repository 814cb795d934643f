"""`recollect copy REF… --to STORE`: have records in another store as well."""

import argparse

from tui.cli.changing.elsewhere import take
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Copy records."""
    take(arguments, session, keeps=True)
