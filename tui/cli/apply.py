"""Shared by commands that change something: selection, confirmation, execution."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from store.clean import clean
from store.discover import Found
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Changeable
from store.edits.plan import Planned
from store.errors import (
    AmbiguousError,
    NoStoresError,
    NothingFoundError,
    RecollectError,
    UnreadableError,
    WrongUseError,
)
from store.findings import Json, Value
from store.kinds.memories import Memory
from store.kinds.problems import Problem
from store.library import Library, Page
from store.records.intents import Intent, Move, Retag
from store.records.reports import Change, Plan
from store.search.tree import EVERYTHING, Named, Node
from store.text import few, guess
from tui.cli.session import Session, complain_of_unknown, looking_back, understood
from tui.output.reports import done, told, write_conflicts, write_plans
from tui.output.text import write_json
from tui.terminal.streams import complain, is_for_a_person

# Parsing of `FIELD=VALUE` and `+TAG` words.

_TAG = re.compile(r"[+-]\s*\S")


def parted(words: Iterable[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Split words into those without an equals sign and (name, value) pairs."""
    bare: list[str] = []
    pairs: list[tuple[str, str]] = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            pairs.append((_named(word, name), value))
        else:
            bare.append(word)
    return bare, pairs


def assigned(words: Sequence[str]) -> list[tuple[str, str]]:
    """The (name, value) pairs of words that must all be assignments."""
    bare, pairs = parted(words)
    if bare:
        raise WrongUseError(f"Invalid FIELD=VALUE: {bare[0]!r}.")
    return pairs


def retagging(words: Sequence[str]) -> Retag:
    """The tag change that `+TAG` and `-TAG` words request."""
    wrong = next((word for word in words if not _TAG.match(word)), None)
    if wrong is not None:
        raise WrongUseError(f"{wrong!r} is no tag: +TAG adds one, -TAG removes one.")
    if not words:
        raise WrongUseError("No tags given: +TAG adds one, -TAG removes one.")
    return Retag(
        add=tuple(word[1:] for word in words if word[0] == "+"),
        remove=tuple(word[1:] for word in words if word[0] == "-"),
    )


def value_of(text: str) -> Value:
    """A header value: a list if the text is a JSON list of strings, else the text."""
    if text.startswith("["):
        found = json_of(text)
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return cast("list[Value]", found)
    return text


def json_of(text: str) -> Json:
    """The JSON value of a text, or the text itself if it is not valid JSON."""
    try:
        return cast("Json", json.loads(text))
    except (ValueError, RecursionError):
        return text


def _named(word: str, name: str) -> str:
    if not name.strip():
        raise WrongUseError(f"No field name in {word!r}.")
    return name


# Input from a file or stdin.

STDIN = "-"
"""The file name that means stdin."""


def given(file: str) -> bytes:
    """The bytes of a file or of stdin; raises UnreadableError."""
    if file == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(file).expanduser().read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableError(f"Can't read {file}.") from error


# Confirmation of destructive or large changes.

MANY = 10
"""Number of records from which a change has to be confirmed."""

_YES_OR_NO = "Apply? [y/N] "
_DECLINED = "Nothing was changed."

LINES = 400
"""Maximum lines of a plan shown before a question."""

_YES = frozenset({"y", "yes"})


class DeclinedError(RecollectError):
    """The user answered no to a confirmation."""


def needs_consent(planned: Sequence[Planned]) -> bool:
    """Whether a change is destructive or large enough to need confirmation."""
    is_grave = any(one.draft.is_grave for one in planned)
    return is_grave or _records(planned) >= MANY


def ask_for(planned: Sequence[Planned]) -> None:
    """Show the plans and ask for confirmation; raises DeclinedError on no."""
    if not can_be_asked():
        raise WrongUseError(
            f"{_said(planned)}: this needs confirmation; use --yes, or --dry-run "
            "to see what would change."
        )
    plans = [one.plan for one in planned]
    write_plans(plans, coloured=True, to=sys.stderr, most=LINES)
    for one in planned:
        for warning in one.draft.warnings:
            complain(warning)
    wanted = _answer_for(planned)
    what = f"{_summary(planned[0])} " if len(planned) == 1 else ""
    if wanted is None:
        agreed = answered(f"{what}{_YES_OR_NO}").casefold() in _YES
    else:
        agreed = answered(f"{what}Type “{wanted}” to confirm: ") == wanted
    if not agreed:
        raise DeclinedError(_DECLINED)


def agree_to(sentence: str) -> None:
    """Ask for confirmation of a sentence; raises DeclinedError on no."""
    if not can_be_asked():
        raise WrongUseError(f"{sentence}: this needs confirmation; use --yes.")
    complain(f"{sentence}.")
    if answered(_YES_OR_NO).casefold() not in _YES:
        raise DeclinedError(_DECLINED)


def can_be_asked() -> bool:
    """Whether stdin and stderr are both terminals, so that the user can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def answered(question: str) -> str:
    """The answer that the user types; empty at end of input."""
    return typed(question) or ""


def typed(question: str) -> str | None:
    """The answer that the user types; None at end of input."""
    sys.stderr.write(question)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None


def _answer_for(planned: Sequence[Planned]) -> str | None:
    """The phrase to type if all changes are deletions; None if a yes is enough."""
    if any(one.word != "delete" for one in planned):
        return None
    return f"delete {_records(planned)}"


def _records(planned: Sequence[Planned]) -> int:
    """The number of records that change, or of problems if that is larger.

    A record that is changed twice counts once.
    """
    refs = {ref for one in planned for ref in one.refs}
    return max(len(refs), *(one.count for one in planned), 0)


def _summary(planned: Planned) -> str:
    """The action of a plan as a question, as the plan may have left the screen."""
    action = clean(planned.draft.action)
    return f"{action[:1].upper()}{action[1:]}?"


def _said(planned: Sequence[Planned]) -> str:
    """The actions of the plans, in one line."""
    return "; ".join(one.draft.action for one in planned)


# Execution of changes and dry runs.

_NOTHING = "Nothing to change."


@contextmanager
def changing(session: Session, arguments: argparse.Namespace) -> Generator[Library]:
    """Open the library for a change; raises ReadOnlyError before anything is read."""
    refuse_if_read_only(session, arguments)
    with session.library() as library:
        yield library


def refuse_if_read_only(session: Session, arguments: argparse.Namespace) -> None:
    """Raise ReadOnlyError if the session is read-only, except for dry runs."""
    if not arguments.dry_run:
        session.require_writable()


def carry_out_each(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    intent: Intent,
    records: Sequence[Changeable],
) -> None:
    """Apply one intent to each record; all must be possible before any is changed."""
    planned = library.plans.plan_each(intent, records)
    if arguments.dry_run:
        show([one.plan for one in planned], session)
        return
    agree(library, arguments, planned)

    def again(one: Planned) -> Planned:
        here = [record for record in records if Path(record.store) == one.root]
        return library.plans.plan(intent, here)

    do_all(library, session, planned, again)


def carry_out_fixes(
    library: Library,
    session: Session,
    arguments: argparse.Namespace,
    problems: Sequence[Problem],
) -> None:
    """Fix problems; reports those that cannot be fixed."""
    from widgets.problems import fix_of  # noqa: PLC0415  # loads rich

    planned = library.plans.plan_fixes(problems, arguments.way)
    does = {one.ref: f"{fix_of(one)}: {one.message}" for one in problems if one.ref}
    planned = [
        replace(one, titles=tuple(does.get(ref, "") for ref in one.refs))
        for one in planned
    ]
    warn_of_left(session, [left for one in planned for left in one.left])
    if arguments.dry_run:
        show([one.plan for one in planned], session)
        return
    agree(library, arguments, planned)

    def again(one: Planned) -> Planned:
        here = [problem for problem in problems if Path(problem.store) == one.root]
        return library.plans.plan_fixes(here, arguments.way)[0]

    do_all(library, session, planned, again)


def carry_out(
    library: Library, session: Session, arguments: argparse.Namespace, planned: Planned
) -> Change | None:
    """Make a change and report it; with `--dry-run` only show the plan."""
    if arguments.dry_run:
        show([planned.plan], session)
        return None
    agree(library, arguments, [planned])
    return do(library, session, planned)


def agree(
    library: Library, arguments: argparse.Namespace, planned: Sequence[Planned]
) -> None:
    """Check that the stores may be changed, and ask for confirmation if needed."""
    for one in planned:
        for root in one.roots:
            library.access.require_writable(root)
    if needs_consent(planned) and not arguments.yes:
        ask_for(planned)
    else:
        _warn_shortly([w for one in planned for w in one.draft.warnings])


def do(library: Library, session: Session, planned: Planned) -> Change | None:
    """Make a change and report it; report if there is nothing to change."""
    if planned.is_idle:
        leave(planned.draft.action, planned.refs, session)
        return None
    with telling_conflicts():
        change = library.changes.apply(planned, is_permitted=True)
    tell(change, session, planned.draft.warnings)
    return change


def do_all(
    library: Library,
    session: Session,
    planned: Sequence[Planned],
    again: Callable[[Planned], Planned] | None = None,
) -> None:
    """Make changes in order; if one fails, report how many were made.

    `again` plans a change again, because an earlier one may have written to the same
    files.
    """
    for number, one in enumerate(planned):
        try:
            do(library, session, again(one) if again and number else one)
        except RecollectError:
            if len(planned) > 1:
                left = len(planned) - number
                complain(f"{number} of {len(planned)} changes made, {left} not.")
            raise


@contextmanager
def telling_conflicts() -> Generator[None]:
    """Show the other program's version of the files if one wrote to them meanwhile."""
    try:
        yield
    except ChangedOnDiskError as error:
        write_conflicts(
            error.conflicts, coloured=sys.stderr.isatty(), to=sys.stderr, most=LINES
        )
        raise


def leave(action: str, refs: Sequence[str], session: Session) -> None:
    """Report that there is nothing to change; as JSON, a change without an id."""
    session.warn(_NOTHING)
    if session.json:
        write_json([_aside(session, action, refs, (), None)])


def tell_aside(
    action: str,
    refs: Sequence[str | None],
    session: Session,
    *,
    paths: Sequence[str] = (),
    undo: str | None = None,
) -> None:
    """Report an action that is not a change of a store, so the journal omits it."""
    if session.json:
        write_json([_aside(session, action, refs, paths, undo)])
    else:
        say(f"{done(action)} · undo with: {undo}" if undo else done(action))


def show_aside(session: Session, actions: Iterable[str]) -> None:
    """Report what a dry run of such an action would do."""
    for action in actions:
        if session.json:
            write_json([Plan(action=action, steps=(), warnings=())])
        else:
            say(clean(action))


def _aside(
    session: Session,
    action: str,
    refs: Sequence[str | None],
    paths: Sequence[str],
    undo: str | None,
) -> dict[str, object]:
    change = {"change": None, "action": action, "refs": refs, "paths": paths}
    return {**change, "backup": None, "undo": undo, "notes": session.notes()}


def show(plans: Sequence[Plan], session: Session) -> None:
    """Print the plans of a dry run."""
    if session.json:
        notes = session.notes()
        first = (replace(one, warnings=(*notes, *one.warnings)) for one in plans[:1])
        write_json([*first, *plans[1:]])
        return
    for plan in plans:
        _warn(plan.warnings)
    if not all(plan.steps for plan in plans):
        complain(_NOTHING)
    write_plans(plans, coloured=is_for_a_person())


def tell(change: Change, session: Session, warned: Sequence[str] = ()) -> None:
    """Report a change: what was done, how to undo it, and its notes.

    `warned` are earlier warnings about it, which JSON lists among the notes.
    """
    for note in change.notes:
        complain(note)
    if session.json:
        notes = (*session.notes(), *warned, *change.notes)
        write_json([replace(change, notes=notes)])
        return
    say(told(change))


def say(line: str) -> None:
    """Print a line that is already cleaned."""
    sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _warn(warnings: Iterable[str]) -> None:
    for warning in warnings:
        complain(warning)


def _warn_shortly(warnings: Sequence[str]) -> None:
    """Print one warning of each kind, and how many of that kind there are."""
    told = few(warnings)
    _warn(told)
    if len(told) < len(warnings):
        complain("--dry-run lists all warnings.")


# Selection of records, by ref or by query.

_KIND = "memories"

_MOST = 5
"""Maximum omitted records that are named; the rest are counted."""


def chosen(
    library: Library,
    session: Session,
    names: Sequence[str],
    arguments: argparse.Namespace,
    word: str,
) -> Sequence[Changeable]:
    """The records with the given refs, or the memories that `--query` finds.

    `word` is the action. Memories of a query that do not support it are reported and
    left out.
    """
    query: str | None = arguments.query
    if query is None:
        if not names:
            raise WrongUseError("Give a REF or --query QUERY.")
        return library.plans.changeable(names)
    if names:
        raise WrongUseError("Give either REF or --query, not both.")
    return able(library, session, word, _found(library, session, query))


def able(
    library: Library, session: Session, word: str, records: Sequence[Changeable]
) -> Sequence[Changeable]:
    """The records that support an action; reports why the others do not."""
    found, others = library.plans.sifted(word, records)
    warn_of_left(session, others)
    return found


def warn_of_left(session: Session, others: Sequence[tuple[Changeable, str]]) -> None:
    """Report which records are left out, and why."""
    for record, reason in others[:_MOST]:
        session.warn(f"Skipped {_name(record)}: {reason}")
    if len(others) > _MOST:
        session.warn(f"Skipped {len(others) - _MOST} more.")


def _name(record: Changeable) -> str:
    """The ref of a record; for a problem, its code and line."""
    if not isinstance(record, Problem):
        return record.ref
    path = str(Path(record.store, record.path))
    place = path if record.line is None else f"{path}:{record.line}"
    return clean(f"{record.code} in {place}")


def _found(library: Library, session: Session, query: str) -> Sequence[Memory]:
    tree = understood([query], [_KIND], is_change=True)
    if tree == EVERYTHING:
        raise WrongUseError("--query is empty, which would match everything.")
    looking_back(library, tree, session.places)
    records = library.lists.page(_KIND, Page(), query=tree)
    memories = [record for record in records if isinstance(record, Memory)]
    complain_of_unknown(library, [_KIND], tree, has_hits=bool(memories))
    return memories


# Problems, which have an ID that lasts as long as they do.

_PROBLEMS, PROBLEM = "problems", "problem:"
_EACH = Named("is", ("each",))


def named_problems(library: Library, names: Sequence[str]) -> list[Problem]:
    """The problems with these names, or of the records with these refs.

    A unique beginning is enough. Raises NothingFoundError and AmbiguousError.
    """
    listed = [*problems_of(library), *problems_of(library, _EACH)]
    problems = {problem.id: problem for problem in listed}
    found: dict[str, Problem] = {}
    for name in names:
        ids = {one for one in problems if one.startswith((name, f"{PROBLEM}{name}"))}
        refs = {p.ref for p in listed if p.ref and p.ref.startswith(name)}
        if len(ids) + len(refs) > 1:
            raise AmbiguousError(f"{name!r} matches several problems.")
        if not ids and not refs:
            raise NothingFoundError(f"No problem matches {name!r}.")
        found |= {k: p for k, p in problems.items() if k in ids or p.ref in refs}
    return list(found.values())


def problems_of(library: Library, query: Node = EVERYTHING) -> list[Problem]:
    """All problems, or those that a query finds; worst first."""
    found = library.lists.page(_PROBLEMS, Page(), query=query)
    return [problem for problem in found if isinstance(problem, Problem)]


# Moving and copying to another store, which may be outside the searched folders.


def take(arguments: argparse.Namespace, session: Session, *, keeps: bool) -> None:
    """Move records, or copy them."""
    with changing(session, arguments) as library:
        records = chosen(library, session, arguments.refs, arguments, Move.word)
        there = _store(library, session, arguments.to)
        library.stores.choose_also(there)
        intent = Move(to=str(there.path), keeps=keeps)
        carry_out_each(library, session, arguments, intent, records)


def _store(library: Library, session: Session, name: str) -> Found:
    """The store with a name in the settings, at this path, or the open one so named."""
    found = session.store_at(name)
    stores = [] if found else library.lists.names()
    paths = [one.path for one in stores if one.name == name]
    found = found or (session.store_at(paths[0]) if len(paths) == 1 else None)
    if found is None:
        names = [one.name for one in stores]
        known = ", ".join([*names[:_MOST], *(["…"] if names[_MOST:] else [])])
        raise NoStoresError(
            f"No store at {Path(name)}{guess(name, names)} (open stores: {known})."
        )
    return found
