"""What a problem names, put right; a problem without its mending says so."""

from collections.abc import Callable, Mapping, Sequence

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.mending import with_quotes
from store.files.markdown.saying import counted
from store.formats.notes.memory import DEFAULT_TYPE
from store.formats.notes.roles import Role, role_of
from store.formats.notes.scribe.lines import dropped, lines_of
from store.formats.notes.scribe.note import is_listed
from store.formats.notes.scribe.setting import put_field
from store.formats.notes.scribe.work import Work
from store.records.problem import Problem

_NONE = "Nothing mends that but an editor."


def mend(work: Work, records: Sequence[Changeable]) -> str:
    """Mend problems, each in its own way."""
    problems = [record for record in records if isinstance(record, Problem)]
    if not problems or len(problems) < len(records):
        raise NotPossibleError("What is mended is a problem.")
    for problem in problems:
        if why_not(problem):
            raise NotPossibleError(f"{problem.message} {_NONE}")
        _MENDINGS[problem.code](work, problem)
    if len(problems) == 1:
        return f"fix {problems[0].code} in {problems[0].path}"
    return f"fix {counted(len(problems), 'problem', 'problems')}"


def why_not(problem: Problem) -> str:
    """Why a problem cannot be mended; nothing where it can."""
    is_index = role_of("", problem.path) is Role.INDEX
    if problem.code == "lost-link" and not is_index:
        return _NONE
    return "" if problem.code in _MENDINGS else _NONE


def _list(work: Work, problem: Problem) -> None:
    """Put a note into the index."""
    if not is_listed(work.bench.root.path.name, problem.path):
        raise NotPossibleError(f"{problem.path} was put away, so no index lists it.")
    work.indexes.add(work.listed(problem.path))


def _drop_line(work: Work, problem: Problem) -> None:
    """Take away a line whose note is gone."""
    index, folder = problem.path, problem.path.rpartition("/")[0]
    text = (work.bench.derived(index) or b"").decode(errors="surrogateescape")
    found = [
        line
        for line in lines_of(folder, text)
        if line.number + 1 == problem.line and not work.bench.has(line.target)
    ]
    for line in found:
        if not line.leads:
            sentence = f"Line {problem.line} of {index} is a sentence; edit it."
            raise NotPossibleError(sentence)
        work.indexes.edit(index, dropped(folder, line.target))
    if not found:
        raise NotPossibleError(f"{problem.message} {_NONE}")


def _quote(work: Work, problem: Problem) -> None:
    """Put the values in quotes that YAML stumbles over."""
    try:
        raw = with_quotes(work.bench.read(problem.path))
    except HeaderError as error:
        raise NotPossibleError(f"{problem.path} cannot be mended. {error}") from error
    work.bench.write(problem.path, raw)


def _give_type(work: Work, problem: Problem) -> None:
    """Give a note the type that readers take it for."""
    memory = work.known.memory(problem.ref) if problem.ref else None
    if memory is None:
        raise NotPossibleError(f"{problem.path} is no note any more.")
    put_field(work, memory, "type", DEFAULT_TYPE)


_MENDINGS: Mapping[str, Callable[[Work, Problem], None]] = {
    "unlisted-memory": _list,
    "lost-link": _drop_line,
    "invalid-yaml": _quote,
    "hash-in-value": _quote,
    "no-type": _give_type,
}
