"""`recollect new`: make a memory, from options, from stdin or in the user's editor."""

import argparse
import sys

from store.edits.kept.unsaved import beside
from store.errors import RecollectError, WrongUseError
from store.findings import Value
from store.library import Library
from store.records.intents import Create
from tui.cli.changing.assigning import assigned, value_of
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.changing.given import STDIN
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.manners.editor import Editor, EditorError

_FILE = "memory.md"
"""What the editor's file is called, and what a draft of it is kept under."""

_AGAIN = "recollect new --draft"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Make a memory in the one store that can be meant."""
    fields = _fields(arguments)
    if arguments.title is None and arguments.body is not None:
        raise WrongUseError("A text needs a title: --title TITLE.")
    title = None if arguments.title is None else _line(arguments.title)
    with changing(session, arguments) as library:
        if title is None:
            _write(library, session, arguments, fields)
        else:
            body = _body(arguments.body)
            intent = Create(title=title, body=body, fields=fields)
            carry_out(library, session, arguments, library.plan(intent))


def _fields(arguments: argparse.Namespace) -> dict[str, Value]:
    """What the options say of it."""
    fields = {name: value_of(text) for name, text in assigned(arguments.field)}
    if arguments.type is not None:
        fields["type"] = arguments.type
    if arguments.tag:
        fields["tags"] = list(arguments.tag)
    return fields


def _line(title: str) -> str:
    if not title.strip() or "\n" in title:
        raise WrongUseError("A title is one line that says something.")
    return title.strip()


def _body(text: str | None) -> str:
    return sys.stdin.read() if text == STDIN else text or ""


def _write(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    fields: dict[str, Value],
) -> None:
    """Have it written in the user's editor; what cannot be saved is kept."""
    drafts = [one for one in library.unsaved() if one.is_of(_FILE)]
    kept = drafts[0] if drafts and arguments.draft else None
    name = kept.name if kept else beside(_FILE, drafts)
    if drafts and not kept:
        complain(f"What was not saved is kept: {_AGAIN}")
    text = kept.raw if kept else b""

    def keep(written: bytes) -> None:
        library.keep_draft(name, written)

    try:
        text = Editor.of(session.machine.environment).edit(text, _FILE, keep)
        title, body = _told(text)
        intent = Create(title=title, body=body, fields=fields)
        carry_out(library, session, arguments, library.plan(intent))
    except RecollectError as error:
        made = error.made if isinstance(error, EditorError) else text
        if made:
            keep(made)
            complain(f"What you wrote is kept: {_AGAIN}")
        raise
    library.drop_draft(name)


def _told(raw: bytes) -> tuple[str, str]:
    """Title and text as the user writes them: the first line, and what follows it."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise WrongUseError("What was written is no UTF-8.") from error
    first, _, rest = text.replace("\r\n", "\n").partition("\n")
    return _line(first.removeprefix("# ")), rest.strip("\n")
