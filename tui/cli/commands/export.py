"""`recollect export`: records as Markdown, JSON or an HTML page."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from store.errors import WrongUseError
from store.library import Library, Page, Record
from tui.cli.query import understood
from tui.cli.session import Session
from tui.cli.terminal import complain
from tui.faces.exported import JSON, MARKDOWN, exported, format_of
from tui.manners.writing import write_file


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Write records to a file, or to the output."""
    if bool(arguments.refs) == (arguments.query is not None):
        raise WrongUseError("Export what? Name refs, or say which with --query QUERY.")
    target: str | None = arguments.output
    form = arguments.format or format_of(target or "")
    form = form or (JSON if session.json else MARKDOWN)
    with session.library() as library:
        records = _records(arguments, library)
        if not records:
            complain("Nothing matches.")
            return
        pieces = exported(library, records, form, is_full=arguments.full)
        if target is None:
            _print(pieces)
        else:
            path = Path(target).expanduser()
            size = write_file(path, pieces, replaces=arguments.force)
            complain(f"{path} has {size} bytes now.")


def _records(arguments: argparse.Namespace, library: Library) -> list[Record]:
    """What is to be exported; a name that names nothing ends it before it begins."""
    if arguments.refs:
        return [library.named(ref) for ref in arguments.refs]
    kind: str = arguments.kind
    query = understood([arguments.query], [kind])
    return list(library.page(kind, Page(limit=arguments.limit), query=query))


def _print(pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
