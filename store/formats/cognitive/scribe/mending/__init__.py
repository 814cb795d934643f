"""What a problem names, put right; a problem without its mending says so."""

from collections.abc import Mapping, Sequence

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.markdown.job import Job
from store.files.markdown.saying import counted
from store.formats.cognitive.layout import Role, role_of
from store.formats.cognitive.scribe.mending import of_edges, of_files
from store.formats.cognitive.scribe.mending.mender import Mender, Mending
from store.formats.cognitive.scribe.remaking import rebuild
from store.records.problem import Problem

_NONE = "Nothing mends that but an editor."

_MENDINGS: Mapping[str, Mending] = {
    "dangling-link": of_edges.unlink_dangling,
    "one-sided-link": of_edges.complete,
    "missing-edge-file": of_edges.make_edge_file,
    "stale-title": of_edges.copy_titles,
    "duplicate-relation": of_edges.drop_doubles,
    "edge-name": of_edges.name_after_type,
    "duplicate-id": of_files.give_new_id,
    "missing-id": of_files.give_id,
    "missing-type": of_files.give_type,
    "type-folder": of_files.put_home,
    "invalid-yaml": of_files.quote_values,
    "hash-in-value": of_files.quote_values,
    "nul-tail": of_files.cut_tail,
    "secret-not-ignored": of_files.ignore,
    "derived-not-ignored": of_files.ignore,
}

_REBUILDS: Mapping[Role, tuple[str, frozenset[str]]] = {
    Role.INDEX: ("index", frozenset()),
    Role.STATE: ("state", frozenset({"state-without-memory", "bad-score"})),
    Role.CORE: ("core", frozenset({"lost-link", "link-leads-out"})),
    Role.REFLECTION: ("reflection", frozenset({"lost-link", "link-leads-out"})),
}
"""What is derived: the word that makes it anew, and what that mends; nothing named is
everything."""


def mend(job: Job, records: Sequence[Changeable]) -> str:
    """Mend problems; what is derived is made anew once, whatever is wrong with it."""
    problems = [record for record in records if isinstance(record, Problem)]
    if not problems or len(problems) < len(records):
        raise NotPossibleError("What is mended is a problem.")
    mender = Mender(job)
    words: dict[str, None] = {}
    for problem in problems:
        word, mending = _rebuilding(problem), _MENDINGS.get(problem.code)
        if word:
            words[word] = None
        elif mending:
            mending(mender, problem)
        else:
            raise NotPossibleError(f"{problem.message} {_NONE}")
    for word in words:
        rebuild(job, word)
    if len(problems) == 1:
        return f"fix {problems[0].code} in {problems[0].path}"
    return f"fix {counted(len(problems), 'problem', 'problems')}"


def why_not(problem: Problem) -> str:
    """Why a problem cannot be mended; nothing where it can."""
    return "" if _rebuilding(problem) or problem.code in _MENDINGS else _NONE


def _rebuilding(problem: Problem) -> str | None:
    """The word of what mends it by being made anew."""
    role = role_of(problem.path)
    word, codes = _REBUILDS.get(role, ("", frozenset[str]())) if role else ("", ())
    return word if word and (not codes or problem.code in codes) else None
