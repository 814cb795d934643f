"""Commands for upkeep: health, rebuild, doctor, history, undo, redo, queries."""

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import chain, islice
from pathlib import Path

from msgspec.structs import asdict

from store.clean import clean
from store.derive.texts import difference
from store.discover import Found
from store.edits.conflict import HALF_DONE, half_done
from store.edits.plan import Planned, together
from store.errors import (
    NothingFoundError,
    NotPossibleError,
    RecollectError,
    WrongUseError,
)
from store.findings import Json, Severity
from store.formats.register import FORMATS
from store.kinds.problems import LOST, Problem
from store.library import Library
from store.records.answers import KeptQuery
from store.records.intents import Fix, Rebuild
from store.records.reports import Past, Plan, Step
from store.saved_queries import delete_query, save_query
from store.settings import read_settings
from store.state import read_history
from store.text import guess
from tui.cli.apply import (
    DeclinedError,
    able,
    agree,
    answered,
    can_be_asked,
    carry_out_fixes,
    changing,
    do_all,
    leave,
    named_problems,
    problems_of,
    refuse_if_read_only,
    show,
    show_aside,
    tell,
    tell_aside,
    telling_conflicts,
    warn_of_left,
)
from tui.cli.session import Session, answer_list, given_stores, understood
from tui.output.cells import columns_of, style_of, write_rows
from tui.output.reports import write_plans
from tui.output.text import Line, sized, write_json
from tui.start import HOME
from tui.terminal.streams import complain, is_for_a_person

# The journal of changes: needs no stores, because each change names its own.


@contextmanager
def journal(session: Session, arguments: argparse.Namespace) -> Generator[Library]:
    """The library with all stores in the journal, so that undo can sync them."""
    refuse_if_read_only(session, arguments)
    with session.library_of_none() as library:
        changes = library.journal.past()
        places = {Path(store) for past in changes for store in past.stores}
        library.stores.choose(list(_known(session, library, places)))
        yield library


def _known(
    session: Session, library: Library, places: Iterable[Path]
) -> Iterator[Found]:
    """The stores at some places; the format last read counts if none is recognised."""
    formats = {form.name: form for form in FORMATS}
    read = {known.path: known.format for known in library.stores.remembered()}
    for place in places:
        found = session.store_at(place)
        if found is None and place in read and place.is_dir():
            found = Found(place, formats[read[place]], is_given=True)
        if found:
            yield found


def within(session: Session, library: Library) -> Iterator[Past]:
    """The changes in the searched paths, newest first."""
    yield from library.journal.past(_stores(session, library))


def _stores(session: Session, library: Library) -> list[Path] | None:
    """The changed stores in the searched paths; None for all stores."""
    if not session.paths:
        return None
    places = [path.resolve() for path in session.paths]
    changed = {Path(store) for past in library.journal.past() for store in past.stores}
    return [one for one in changed if any(map(one.is_relative_to, places))]


# `recollect health`: list problems, ignore some, or fix them.

SAFE = "safe"
"""In place of codes: everything that can be fixed without a decision."""


class ProblemsFoundError(RecollectError):
    """The stores have problems that the user wants to fail on."""

    exit_code = 5


def run_health(arguments: argparse.Namespace, session: Session) -> None:
    """List problems, ignore or fix some of them; fail on some if asked to."""
    if arguments.ignore or arguments.unignore:
        _edit_ignored(arguments, session)
        return
    if not arguments.fix:
        with session.library() as library:
            if arguments.full:
                library.index.check_fully()
            if arguments.score:
                _show_scores(library, session)
            elif arguments.recheck:
                _recheck(library, session, arguments.recheck)
            else:
                _list_problems(library, session, arguments)
        return
    with changing(session, arguments) as library:
        if arguments.full:
            library.index.check_fully()
        problems = _fixable(library, session, arguments.fix)
        if problems:
            carry_out_fixes(library, session, arguments, problems)
        _fail_on(arguments.fail_on, problems_of(library))


def _list_problems(
    library: Library, session: Session, arguments: argparse.Namespace
) -> None:
    """List the problems, without those that the user ignores or only these."""
    found = problems_of(library)
    shown = [one for one in found if one.ignored == arguments.ignored]
    nothing = "No ignored problems." if arguments.ignored else "No problems."
    if session.json or not is_for_a_person():
        answer_list("health", shown, json=session.json, nothing=nothing)
    else:
        _write_in_groups(library, shown, nothing)
    count = len(found) - len(shown)
    if count and not arguments.ignored:
        what = "1 ignored problem" if count == 1 else f"{count} ignored problems"
        complain(f"{what} not shown; --ignored lists them.")
    if shown and not arguments.ignored and not session.json and is_for_a_person():
        _sum_up(library, shown, given_stores(arguments))
    _fail_on(arguments.fail_on, found)


def _write_in_groups(
    library: Library, problems: Sequence[Problem], nothing: str
) -> None:
    """Print problems beneath their store and their code, the worst of each first."""
    names = {one.path: one.name for one in library.lists.stores()}
    order = dict.fromkeys((one.store, one.code) for one in problems)
    stores = list(dict.fromkeys(store for store, _ in order))
    codes = list(order)

    def headings(problem: Problem) -> list[Line]:
        fix = " · can be fixed" if problem.fix else ""
        what = f" {problem.severity}  {clean(problem.code)}{fix}"
        store = clean(names.get(problem.store, problem.store))
        return [Line(store, "bold"), Line(what, style_of(problem.severity))]

    def place(problem: Problem) -> tuple[int, int]:
        at = stores.index(problem.store)
        return at, codes.index((problem.store, problem.code))

    rows = sorted(problems, key=place)
    answer_list("health in groups", rows, json=False, nothing=nothing, above=headings)


_FEW = 3
"""The most codes that the command for fixing problems names one by one."""


def _sum_up(
    library: Library, problems: Sequence[Problem], stores: Sequence[str]
) -> None:
    """Print how many problems there are, and the command that fixes what it can."""
    counts = Counter(one.severity for one in problems)
    for one in problems:
        counts[one.severity] += one.count - 1
    parts = (
        f"{number} {severity}{'' if number == 1 else 's'}"
        for severity in Severity
        if (number := counts[severity])
    )
    fixable = [one for one in problems if one.fix]
    end = f", {sum(one.count for one in fixable)} can be fixed:" if fixable else "."
    sys.stdout.write(f"\n{', '.join(parts)}{end}\n")
    if fixable:
        codes = list(dict.fromkeys(one.code for one in fixable))
        safe = library.plans.safe_codes(fixable)
        by_name = [code for code in codes if code not in safe]
        where = [f"-s {_briefly(store)}" for store in stores]
        each = [codes] if len(codes) <= _FEW else [[SAFE] if safe else [], by_name]
        for some in filter(None, each):
            command = " ".join(["recollect health --fix", *some, *where])
            sys.stdout.write(f"  {clean(command)}\n")
    sys.stdout.write("To ignore one until it changes: recollect health --ignore ID\n")


def _briefly(path: str) -> str:
    """A path as it can be typed, with `~` for the user's folder."""
    rest = path.removeprefix(f"{Path.home()}/")
    return ("~/" if rest != path else "") + shlex.quote(rest)


def _show_scores(library: Library, session: Session) -> None:
    """Show the health score of each day."""
    scores = library.index.scores()
    rows = [
        {name: value for name, value in asdict(one).items() if name != "stores"}
        for one in scores
    ]
    if session.json:
        write_json(rows)
    else:
        write_rows(columns_of(rows, tells_store=False), rows, nothing="")


def _recheck(library: Library, session: Session, names: Sequence[str]) -> None:
    """Read the files of some problems again, and list the problems that they have."""
    problems = named_problems(library, names)
    files = {(Path(one.store), one.path) for one in problems}
    library.sync(lambda _: None, again=[store / path for store, path in files])
    left = [one for one in problems_of(library) if (Path(one.store), one.path) in files]
    answer_list("health", left, json=session.json, nothing="No problems left there.")


def _edit_ignored(arguments: argparse.Namespace, session: Session) -> None:
    """Ignore the named problems until they change, or report them again."""
    ignores = bool(arguments.ignore)
    with changing(session, arguments) as library:
        problems = named_problems(library, arguments.ignore or arguments.unignore)
        what = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        action = f"ignore {what}" if ignores else f"report {what} again"
        if arguments.dry_run:
            show_aside(session, [action])
            return
        library.index.ignore(problems, ignores=ignores)
        ids = [problem.id for problem in problems]
        option = "--unignore" if ignores else "--ignore"
        stores = [f"-s {shlex.quote(s)}" for s in {one.store: None for one in problems}]
        undo = " ".join(["recollect health", option, *ids, *stores])
        paths = list(dict.fromkeys(problem.path for problem in problems))
        tell_aside(action, ids, session, paths=paths, undo=undo)


def _fail_on(severity: str | None, problems: Sequence[Problem]) -> None:
    """Raise ProblemsFoundError if a problem has this severity or a worse one."""
    if severity is None:
        return
    severities = list(Severity)
    bad = severities[: severities.index(Severity(severity)) + 1]
    count = sum(one.severity in bad and not one.ignored for one in problems)
    if count:
        what = "1 problem" if count == 1 else f"{count} problems"
        worse = "" if severity == Severity.ERROR else " or worse"
        raise ProblemsFoundError(f"{what} of severity {severity}{worse}.")


def _fixable(library: Library, session: Session, codes: Sequence[str]) -> list[Problem]:
    """The fixable problems with these codes or IDs; reports why others are not.

    Raises WrongUseError for a code that no problem can have.
    """
    known = problems_of(library)
    codes = [code for word in codes for code in word.split(",") if code]
    if codes == [SAFE]:
        codes = library.plans.safe_codes(known)
    present = {problem.code for problem in known}
    fixes = present.union(LOST, *(form.fixes for form in FORMATS))
    named: list[Problem] = []
    for code in codes:
        if code not in fixes:
            with suppress(NothingFoundError):
                named += named_problems(library, [code])
                continue
            meant = guess(code, sorted(fixes), "; `recollect health` lists them.")
            raise WrongUseError(f"Unknown problem code {code!r}{meant}")
        if code not in present:
            complain(f"No problem has the code {code!r}.")
    listed = (*named, *(one for one in known if one.code in codes))
    chosen = list({one.id: one for one in listed}.values())
    ignored = [one for one in chosen if one.ignored]
    warn_of_left(session, [(one, "It is ignored.") for one in ignored])
    others = [one for one in chosen if not one.ignored]
    found = able(library, session, Fix.word, others)
    return [problem for problem in found if isinstance(problem, Problem)]


# `recollect rebuild WHAT`: rebuild a derived file.


def run_rebuild(arguments: argparse.Namespace, session: Session) -> None:
    """Rebuild a derived file in every store that has it."""
    with changing(session, arguments) as library:
        planned = together(_planned(library, session, arguments.what))
        if arguments.dry_run:
            show([one.plan for one in planned], session)
            return
        agree(library, arguments, planned)
        do_all(library, session, planned)


def _planned(library: Library, session: Session, what: str) -> list[Planned]:
    """The plan for each store; reports stores that have the file but can't do it."""
    planned: list[Planned] = []
    refusals: dict[Path, NotPossibleError] = {}
    for store in library.plans.able(Rebuild.word):
        try:
            planned.append(library.plans.plan(Rebuild(name=what), store=store))
        except NotPossibleError as error:
            refusals[store] = error
    if not planned and len(refusals) == 1:
        raise next(iter(refusals.values()))
    if not planned:
        raise NothingFoundError(f"No {what} to rebuild in these stores.")
    for store in library.plans.rebuilding(what):
        if store in refusals:
            session.warn(f"{store}: {refusals[store]}")
    return planned


# `recollect doctor`: check the undo journal and backups.


class UnsoundError(RecollectError):
    """A check of the doctor failed."""


class UndecidedError(RecollectError):
    """A change is half done and the user has to resolve it."""

    exit_code = 3


def run_doctor(_arguments: argparse.Namespace, session: Session) -> None:
    """Check the journal, the backups, one restore, permissions and locks."""
    with session.library_of_none() as library:
        verdicts = library.journal.verify()
    rows: list[dict[str, Json]] = [
        {"check": one.name, "good": one.is_good, "message": one.message}
        for one in verdicts
    ]
    if session.json:
        write_json(rows)
    else:
        write_rows(columns_of(rows, tells_store=False), rows, nothing="")
    bad = [one.name for one in verdicts if not one.is_good]
    if bad == [HALF_DONE]:
        raise UndecidedError("A change is half done; see `recollect resolve`.")
    if bad:
        raise UnsoundError(f"Failed checks: {', '.join(bad)}.")


# `recollect history`: list the changes, newest first.

_WORD = "purge"


def run_history(arguments: argparse.Namespace, session: Session) -> None:
    """List the changes in the searched paths, or with `--purge` forget all changes."""
    first: int = arguments.offset
    with session.library_of_none() as library:
        if arguments.purge:
            session.require_writable()
            _purge(library, is_agreed=arguments.yes)
            return
        undecided = half_done_within(session, library)
        found = sorted(
            chain(undecided, within(session, library)),
            key=lambda past: past.at,
            reverse=True,
        )
        nothing = "No more changes." if first else "No changes yet."
        changes = islice(found, first, first + arguments.limit)
        answer_list("changes", changes, json=session.json, nothing=nothing)
        for past in undecided:
            complain(_told(past))


def half_done_within(session: Session, library: Library) -> list[Past]:
    """The half-done changes of stores in the searched paths."""
    places = [path.resolve() for path in session.paths]
    return [
        past
        for past in library.journal.half_done()
        if not places
        or any(
            Path(store).is_relative_to(place)
            for store in (past.store, *(one.store for one in past.conflicts))
            for place in places
        )
    ]


def _told(past: Past) -> str:
    """A description of a half-done change and of what the user can do."""
    return half_done(past, [one.path for one in past.conflicts])


def _purge(library: Library, *, is_agreed: bool) -> None:
    """Delete the journal and its backups, which may contain secrets."""
    if not is_agreed:
        if not can_be_asked():
            raise WrongUseError("--purge needs confirmation; use --yes.")
        complain("This deletes all history and backups. It can't be undone.")
        if answered(f"Type “{_WORD}” to confirm: ") != _WORD:
            raise DeclinedError("Nothing was deleted.")
    complain(f"History deleted; freed {sized(library.journal.purge()) or 'nothing'}.")


# `recollect undo [CHANGE]`: undo a change.


def run_undo(arguments: argparse.Namespace, session: Session) -> None:
    """Undo the named change, or the newest one in the searched paths."""
    with journal(session, arguments) as library:
        _refuse_half_done(session, library, arguments.change)
        stores = _stores(session, library)
        if arguments.dry_run:
            show([library.changes.undo_plan(arguments.change, stores).plan], session)
            return
        with telling_conflicts():
            undone = library.changes.undo(arguments.change, stores, is_permitted=True)
        tell(undone, session)


def _refuse_half_done(session: Session, library: Library, change: str | None) -> None:
    """Raise UndecidedError if a half-done change has to be resolved before an undo.

    With a name, only that change counts.
    """
    for past in half_done_within(session, library):
        if change is None or past.change.startswith(change):
            write_plans([_versions(past)], coloured=sys.stderr.isatty(), to=sys.stderr)
            raise UndecidedError(_told(past))


def _versions(past: Past) -> Plan:
    """Both versions of the files of a half-done change, as diffs to the base."""
    steps = [
        Step(
            path=one.path,
            before=one.base,
            after=text,
            diff=difference(f"{one.path} ({whose})", one.base, text),
        )
        for one in past.conflicts
        for whose, text in (("mine", one.mine), ("theirs", one.theirs))
    ]
    return Plan(action=past.action, steps=tuple(steps), warnings=())


# `recollect resolve [CHANGE]`: resolve a change that another program interrupted.


def run_resolve(arguments: argparse.Namespace, session: Session) -> None:
    """Resolve a half-done change, or show both versions of its files."""
    if arguments.way is None:
        with session.library_of_none() as library:
            _show_half_done(_named(session, library, arguments.change), session)
        return
    with journal(session, arguments) as library:
        found = _named(session, library, arguments.change)
        if len(found) != 1:
            what = "Several changes are half done" if found else "No half-done changes"
            raise NotPossibleError(f"{what}; see `recollect history`.")
        _resolve(library, session, arguments, found[0])


def _resolve(
    library: Library, session: Session, arguments: argparse.Namespace, past: Past
) -> None:
    way: str = arguments.way
    action = f"{way} {past.action}"
    if way == "dismiss":
        if arguments.dry_run:
            show_aside(session, [action])
            return
        library.changes.dismiss(past.change)
        tell_aside(action, past.refs, session)
        return
    if arguments.dry_run:
        show(
            [library.changes.resolve_plan(past.change, mine=way == "mine").plan],
            session,
        )
        return
    with telling_conflicts():
        change = library.changes.resolve(
            past.change, mine=way == "mine", is_permitted=True
        )
    if change is None:
        leave(action, past.refs, session)
    else:
        tell(change, session)


def _named(session: Session, library: Library, change: str | None) -> list[Past]:
    """The half-done changes in the searched paths, or those with this name."""
    found = half_done_within(session, library)
    return [past for past in found if past.change.startswith(change or "")]


def _show_half_done(found: Sequence[Past], session: Session) -> None:
    """Show both versions of every file; raises UndecidedError if there are any."""
    if session.json:
        write_json(found)
    else:
        write_plans(map(_versions, found), coloured=is_for_a_person())
    if found:
        raise UndecidedError("\n".join(map(_told, found)))
    complain("No half-done changes.")


# `recollect redo`: redo the last change that was undone.


def run_redo(arguments: argparse.Namespace, session: Session) -> None:
    """Redo the last change that was undone in the searched paths."""
    with journal(session, arguments) as library:
        stores = _stores(session, library)
        _refuse_half_done(session, library, None)
        if arguments.dry_run:
            show([library.changes.redo_plan(stores).plan], session)
            return
        with telling_conflicts():
            change = library.changes.redo(stores, is_permitted=True)
        tell(change, session)


# `recollect queries`: saved queries and the query history.


def run_queries(arguments: argparse.Namespace, session: Session) -> None:
    """Save or delete a query, or list saved and recent ones."""
    text = " ".join(arguments.query)
    if arguments.save is not None or arguments.delete is not None:
        session.require_writable()
    if arguments.save is not None:
        understood(arguments.query, None)
        save_query(session.places, arguments.save, text)
        complain(f"Saved; use it with --saved {arguments.save}.")
        return
    if arguments.delete is not None:
        delete_query(session.places, arguments.delete)
        complain(f"Deleted the saved query {arguments.delete!r}.")
        return
    if text:
        raise WrongUseError("To save a query, use --save NAME.")
    settings = read_settings(session.places)
    history = read_history(session.places)
    if history.notice:
        complain(history.notice)
    saved = [KeptQuery(query=q, name=name) for name, q in settings.queries.items()]
    asked = [KeptQuery(query=q, name=None) for q in reversed(history.queries)]
    answer_list(
        "queries",
        [*saved, *asked],
        json=session.json,
        nothing="No saved or recent queries.",
    )


# The benchmarks are not installed: a clone has them beside its tests.


def run_bench(arguments: argparse.Namespace, session: Session) -> None:
    """Run the benchmarks of this clone."""
    if not (HOME / "tests" / "bench").is_dir():
        raise NotPossibleError(
            "The benchmarks are not installed; run `make bench` in a clone."
        )
    import_module("tests.bench.command").run(arguments, session)
