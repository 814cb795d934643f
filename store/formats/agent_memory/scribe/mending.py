"""What is done about each kind of problem."""

from collections.abc import Callable, Mapping, Sequence

from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from store.formats.agent_memory.index import VERSION
from store.formats.agent_memory.layout import INDEX, Role, kind_of, role_of
from store.formats.agent_memory.permissions import OWNERS
from store.formats.agent_memory.scan import exposed_in
from store.formats.agent_memory.scribe.copies import FIRST, make_one
from store.formats.agent_memory.scribe.defaults import MENDERS, complete, put_right
from store.formats.agent_memory.scribe.draft import USUAL, Manner
from store.formats.agent_memory.scribe.held import Held
from store.formats.agent_memory.scribe.limiting import relieve
from store.formats.agent_memory.scribe.recovering import divide_line, mend_line
from store.formats.agent_memory.scribe.whole import (
    from_newest_backup,
    index_anew,
    later_version,
)
from store.formats.agent_memory.scribe.work import Work
from store.records.intents import Mend
from store.records.problem import Problem

Mender = Callable[[Work, Problem, str], Manner]

_BY_HAND = "There is no telling what it ought to be; edit it by hand."


def why_not(problem: Problem) -> str:
    """Why a problem cannot be mended here; empty where it can."""
    if problem.code in _REASONS:
        return _REASONS[problem.code]
    is_known = problem.code in MENDERS or problem.code in _MENDERS
    return "" if is_known else _BY_HAND


def mend(work: Work, intent: Mend, problems: Sequence[Problem]) -> Manner:
    """Mend problems, line by line and then what takes a whole file."""
    manner = USUAL
    for problem in sorted(problems, key=lambda one: one.code in _WHOLE):
        reason = why_not(problem)
        if reason:
            raise NotPossibleError(reason)
        mender = _MENDERS.get(problem.code, _of_memory)
        found = mender(work, problem, intent.way)
        manner = found if found is not USUAL else manner
    return manner


def _of_memory(work: Work, problem: Problem, way: str) -> Manner:
    del way
    for held in _at(work, problem):
        put_right(work, held, problem.code)
    return USUAL


def _copies(work: Work, problem: Problem, way: str) -> Manner:
    for held in _at(work, problem):
        own = held.thing.get("id")
        if isinstance(own, str):
            make_one(work, own, way or FIRST)
    return Manner(is_grave=True)


def _line(work: Work, problem: Problem, way: str) -> Manner:
    del way
    if role_of(problem.path) is Role.AGENT:
        return from_newest_backup(work, problem.path)
    if work.file(problem.path).held() or problem.line is None:
        mend_line(work, problem.path, problem.line or 0)
        return USUAL
    try:
        mend_line(work, problem.path, problem.line)
    except NotPossibleError:
        return from_newest_backup(work, problem.path)
    return USUAL


def _document(work: Work, problem: Problem, way: str) -> Manner:
    if problem.path == INDEX:
        return _index(work, problem, way)
    return from_newest_backup(work, problem.path)


def _divide(work: Work, problem: Problem, way: str) -> Manner:
    del way
    divide_line(work, problem.path, problem.line or 0)
    return USUAL


def _limit(work: Work, problem: Problem, way: str) -> Manner:
    del way
    kind = kind_of(problem.path)
    if kind:
        relieve(work, kind, problem.path)
    return USUAL


def _index(work: Work, problem: Problem, way: str) -> Manner:
    del problem, way
    return index_anew(work)


def _close(work: Work, problem: Problem, way: str) -> Manner:
    """Let nobody but its owner use the store; a mode that gives him less stays so."""
    del problem, way
    work.modes = [(path, mode, mode & OWNERS) for path, mode in exposed_in(work.root)]
    return USUAL


def _migrate(work: Work, problem: Problem, way: str) -> Manner:
    """Bring memories and index to the version that is known."""
    del problem, way
    later = later_version(work)
    if later:
        raise NotPossibleError(f"Version {later} is later than what is known here.")
    for held in work.all_held():
        complete(work, held)
    return index_anew(work, VERSION)


def _at(work: Work, problem: Problem) -> list[Held]:
    """The memories on the line that a problem names."""
    held = [one for one in work.file(problem.path).held() if one.line == problem.line]
    if held:
        return held
    sentence = f"Line {problem.line} of {problem.path} holds no memory any more."
    raise ChangedOnDiskError(sentence)


_MENDERS: Mapping[str, Mender] = {
    "duplicate-id": _copies,
    "damaged-line": _line,
    "glued-lines": _divide,
    "damaged-json": _document,
    "over-hard-limit": _limit,
    "over-soft-limit": _limit,
    "index-drift": _index,
    "bad-index": _index,
    "bad-count": _index,
    "old-index": _index,
    "unknown-version": _migrate,
    "open-permissions": _close,
}

_WHOLE = frozenset(
    {"damaged-json", "index-drift", "bad-index", "bad-count", "old-index"}
)
"""What is mended by making a file anew, once all else is done."""

_REASONS: Mapping[str, str] = {
    "stale-lock": "It counts no more: whoever writes next takes it over.",
    "locked": "Somebody is at work in the store.",
    "long-line": "Nothing is wrong with it but its length; shorten its text.",
    "stray-task-metadata": "Either it is a task or it has none; edit it by hand.",
}
