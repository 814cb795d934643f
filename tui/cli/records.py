"""Commands about one record: show, links, export, blame, versions, backups, return."""

import argparse
import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from store.answers.records import InFull
from store.edits.plan import Planned
from store.errors import NothingFoundError, NotPossibleError, WrongUseError
from store.kinds.messages import MessageInFull
from store.library import Library, Page, Record
from store.records.intents import Return
from store.text import regex
from tui.cli.apply import (
    PROBLEM,
    carry_out,
    changing,
    named_problems,
    needs_consent,
    say,
)
from tui.cli.session import Session, answer_list, complain_of_unknown, understood
from tui.output.record import write_whole
from tui.output.reports import (
    JSON,
    MARKDOWN,
    exported,
    format_of,
    lines_of,
    lines_of_versions,
    write_plans,
)
from tui.output.text import write_json, write_lines
from tui.terminal.programs import NotExportedError, write_file
from tui.terminal.streams import complain, is_for_a_person

# `recollect show REF`: show a whole record.


def run_show(arguments: argparse.Namespace, session: Session) -> None:
    """Show a record."""
    with session.library() as now, session.back(now) as library:
        try:
            record = library.records.show(arguments.ref)
        except NothingFoundError as error:
            _show_problem(library, arguments.ref, session, error)
            return
        doubt = library.records.doubt(arguments.ref)
        if doubt:
            complain(doubt)
        if session.json:
            write_json([record])
            return
        write_whole(
            record,
            [*library.records.links(arguments.ref)],
            asked=_asked(library, record),
            now=session.now if is_for_a_person() else None,
        )


_ID = regex(f"{PROBLEM}.*|[0-9a-f]{{4,}}")
"""The ID of a problem, or its beginning as `health` shows it."""


def _show_problem(
    library: Library, name: str, session: Session, no_record: NothingFoundError
) -> None:
    """Show a problem, and how to ignore it; raises `no_record` if none is so called."""
    if not _ID.fullmatch(name):
        raise no_record
    try:
        (problem,) = named_problems(library, [name])
    except NothingFoundError as error:
        raise (error if name.startswith(PROBLEM) else no_record) from None
    if session.json:
        write_json([problem])
        return
    place = problem.path if problem.line is None else f"{problem.path}:{problem.line}"
    write_whole(replace(problem, path=place, line=None), [])
    store = shlex.quote(problem.store)
    say(
        f"\nTo ignore it until it changes: recollect health --ignore {problem.id}"
        f" -s {store}"
    )


def _asked(library: Library, record: InFull) -> Iterator[MessageInFull]:
    """The messages with the tool calls that a message answers."""
    for ref in record.answers if isinstance(record, MessageInFull) else ():
        message = library.records.show(ref)
        if isinstance(message, MessageInFull):
            yield message


# `recollect links REF`: list the links from and to a record.


def run_links(arguments: argparse.Namespace, session: Session) -> None:
    """List the links of a record."""
    with session.library() as now, session.back(now) as library:
        answer_list(
            "links",
            library.records.links(arguments.ref),
            json=session.json,
            nothing="No links.",
        )


# `recollect export`: export records as Markdown, JSON or an HTML page.


_PLAIN = frozenset({"", ".txt"})
"""The suffixes of files in which Markdown is expected without a format."""


def run_export(arguments: argparse.Namespace, session: Session) -> None:
    """Write records to a file or to stdout."""
    if bool(arguments.refs) == (arguments.query is not None):
        raise WrongUseError("Give either REF or --query QUERY.")
    target: str | None = arguments.output
    form = arguments.format or format_of(target or "")
    if target and not form and Path(target).suffix not in _PLAIN:
        complain("Written as Markdown; --format FORMAT chooses another.")
    form = form or (JSON if session.json else MARKDOWN)
    with session.library() as library:
        records = _records(arguments, library)
        if not records:
            complain("No matches.")
            return
        pieces = exported(library, records, form, is_full=arguments.full)
        if target is None:
            _print(pieces)
        else:
            path = Path(target).expanduser()
            if not arguments.force and os.path.lexists(path):
                raise NotExportedError(f"{path} already exists; --force replaces it.")
            size = write_file(path, pieces, replaces=arguments.force)
            complain(f"Wrote {path} ({size} bytes).")


def _records(arguments: argparse.Namespace, library: Library) -> list[Record]:
    """The records to export; an unknown ref aborts before anything is written."""
    if arguments.refs:
        return [library.records.named(ref) for ref in arguments.refs]
    kind: str = arguments.kind
    query = understood([arguments.query], [kind])
    page = Page(limit=arguments.limit)
    records = list(library.lists.page(kind, page, query=query))
    complain_of_unknown(library, [kind], query, has_hits=bool(records))
    return records


def _print(pieces: Iterable[bytes]) -> None:
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


# `recollect blame REF`: show who wrote each line of a record's file.


def run_blame(arguments: argparse.Namespace, session: Session) -> None:
    """Print the author of each line."""
    with session.library() as now, session.back(now) as library:
        blame = library.history.blame(arguments.ref, complain)
    if session.json:
        write_json([blame])
        return
    is_seen = is_for_a_person()
    write_lines(lines_of(blame, is_brief=is_seen), coloured=is_seen)
    if blame.maybe:
        several = f"{len(blame.maybe)} commands" if blame.maybe[1:] else "1 command"
        complain(f"{several} may have changed it too; see `recollect versions`.")


# `recollect versions REF`: list the known changes of a record's file.

_NOTHING = "No history found for this file."


def run_versions(arguments: argparse.Namespace, session: Session) -> None:
    """List the versions, newest first, or with `--diff` what each one changed."""
    with session.library() as now, session.back(now) as library:
        versions = library.history.versions(arguments.ref, complain)
    if arguments.diff and not session.json and versions:
        write_lines(lines_of_versions(versions), coloured=is_for_a_person())
        return
    answer_list("versions", versions, json=session.json, nothing=_NOTHING)


# `recollect backups REF`: list earlier versions of a record's file.


def run_backups(arguments: argparse.Namespace, session: Session) -> None:
    """List the backups of a record's file, newest first."""
    with session.library() as library:
        answer_list(
            "backups",
            library.history.backups(arguments.ref),
            json=session.json,
            nothing="No backups of this record yet.",
        )


# `recollect return REF [BACKUP]`: restore a backup.


def run_return(arguments: argparse.Namespace, session: Session) -> None:
    """Restore a backup, made by this program or by the store itself."""
    with changing(session, arguments) as library:
        if arguments.backup is None:
            planned = _returned(library, arguments.ref)
        else:
            planned = library.history.plan_return(arguments.ref, arguments.backup)
        is_shown = session.json or arguments.dry_run or needs_consent([planned])
        if is_for_a_person() and not is_shown:
            write_plans([planned.plan], coloured=True)
        carry_out(library, session, arguments, planned)


def _returned(library: Library, ref: str) -> Planned:
    """The plan for a document that is itself a backup; others have to name one."""
    try:
        return library.plans.plan(Return(), [ref])
    except NotPossibleError as error:
        if library.history.backups(ref):
            way = f"recollect backups {shlex.quote(ref)}"
            sentence = f"Name one of its backups: {way} lists them."
            raise NotPossibleError(sentence) from error
        raise
