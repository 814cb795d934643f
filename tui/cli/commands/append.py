"""`recollect append KIND FIELD=VALUE…`: add to what is only ever added to."""

import argparse

from store.errors import WrongUseError
from store.findings import Json
from store.records.intents import Append
from tui.cli.changing.assigning import assigned, json_of
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.changing.given import given
from tui.cli.session import Session

_IMPORT = "import"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Append an episode, a task or a claim, or all that a document holds."""
    fields = {} if arguments.file is None else _document(arguments)
    fields |= {name: json_of(text) for name, text in assigned(arguments.fields)}
    intent = Append(kind=arguments.kind, fields=fields)
    with changing(session, arguments) as library:
        carry_out(library, session, arguments, library.plan(intent))


def _document(arguments: argparse.Namespace) -> dict[str, Json]:
    """The object that a file holds; what is taken in may be a bare list of records."""
    file: str = arguments.file
    found = json_of(given(file).decode("utf-8", "replace"))
    if isinstance(found, list) and arguments.kind == _IMPORT:
        return {"records": found}
    if isinstance(found, dict):
        return found
    raise WrongUseError(f"{file} holds no JSON object.")
