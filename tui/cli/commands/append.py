"""`recollect append KIND FIELD=VALUE…`: add to what is only ever added to."""

import argparse

from store.errors import WrongUseError
from store.findings import Json
from store.records.intents import Append
from tui.cli.changing.assigning import assigned, json_of
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.changing.given import given
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Append an episode, a task or a claim, or all that a document holds."""
    fields = {} if arguments.file is None else _document(arguments.file)
    fields |= {name: json_of(text) for name, text in assigned(arguments.fields)}
    intent = Append(kind=arguments.kind, fields=fields)
    with changing(session, arguments) as library:
        carry_out(library, session, arguments, library.plan(intent))


def _document(file: str) -> dict[str, Json]:
    """The object that a file holds."""
    found = json_of(given(file).decode("utf-8", "replace"))
    if isinstance(found, dict):
        return found
    raise WrongUseError(f"{file} holds no JSON object.")
