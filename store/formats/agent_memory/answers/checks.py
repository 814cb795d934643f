"""The report on loading a store: permissions, reading, syntax, schema, index."""

from collections.abc import Iterator

from store.findings import UNREADABLE, Flaw
from store.formats.agent_memory.answers.index import index
from store.formats.agent_memory.answers.rows import Row
from store.formats.agent_memory.layout import INDEX, Role
from store.formats.agent_memory.taken import Taken
from store.formats.port import Refused

STEPS = ("permissions", "readable", "syntax", "schema", "index")
"""What is looked at, in order."""

_READABLE = frozenset({UNREADABLE, "refused", "too-large"})
_SYNTAX = frozenset({"damaged-line", "damaged-json", "glued-lines", "not-a-memory"})


def validate(taken: Taken, now: int) -> Iterator[Row]:
    """Every finding by its step; a step without any is said to be fine."""
    found: dict[str, list[Row]] = {step: [] for step in STEPS}
    for one in taken.found:
        if isinstance(one, Refused):
            step = "permissions" if one.flaw.code == "open-permissions" else "readable"
            found[step].append(_finding(step, one.path, one.flaw))
            continue
        for flaw in taken.read[one.path].flaws:
            step = _step(one.role, flaw)
            found[step].append(_finding(step, one.path, flaw))
    found["index"] += (
        _row("index", INDEX, None, "warning", f"{told['part']}: {_disagreement(told)}.")
        for told in index(taken, now)
        if not told["agrees"]
    )
    for step in STEPS:
        yield from found[step] or [_row(step, None, None, "fine", "Nothing was found.")]


def _step(role: str, flaw: Flaw) -> str:
    if flaw.code in _READABLE:
        return "readable"
    if role == Role.INDEX:
        return "index"
    return "syntax" if flaw.code in _SYNTAX else "schema"


def _finding(step: str, path: str, flaw: Flaw) -> Row:
    return _row(step, path, flaw.line, flaw.severity.value, flaw.message)


def _row(
    step: str, path: str | None, line: int | None, severity: str, message: str
) -> Row:
    return {
        "step": step,
        "severity": severity,
        "path": path,
        "line": line,
        "message": message,
    }


def _disagreement(told: Row) -> str:
    return f"{told['name']} is {told['index']} there and {told['files']} in the files"
