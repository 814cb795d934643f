"""`recollect rebuild WHAT --dry-run`: a derived file made anew, as a diff."""

import argparse

from store.errors import NothingFoundError, WrongUseError
from tui.cli.session import Session
from tui.cli.terminal import complain, is_for_a_person
from tui.faces.json_lines import write_json
from tui.faces.plan import write_plans


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Show what a derived file would be if it were made anew."""
    if not arguments.dry_run:
        raise WrongUseError(
            "Only --dry-run can be done so far: nothing is written yet."
        )
    with session.library() as library:
        plans = library.rebuild(arguments.what)
        if not plans:
            what: str = arguments.what
            raise NothingFoundError(f"These stores hold no {what} to be made anew.")
        if session.json:
            write_json(plans)
            return
        for plan in plans:
            for warning in plan.warnings:
                complain(warning)
        if not any(plan.steps for plan in plans):
            complain("Nothing differs from what it would be.")
        write_plans(plans, coloured=is_for_a_person())
