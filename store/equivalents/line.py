"""The line itself: which program, which files, and what of the query it leaves out."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from store.equivalents.dialect import said
from store.equivalents.jq import Jq
from store.equivalents.sql import ELSEWHERE, Sql
from store.search.language.leaves import texts
from store.search.language.tree import All, Named, Node

_FEW = 4
"""So many files are named one by one; more of them in a folder by `*`."""

_JOURNAL = ".jsonl"
_TASKS = "tasks.jsonl"
_TOGETHER = "putting tasks together"
"""What no condition upon a line says: a task that is listed may be told by several."""

_MEANT_IN_QUOTES = frozenset('"$`\\!')
_OF_A_STORE = frozenset({"store", "path", "format"})
"""What files say by where they lie: the line names those alone."""


class Equivalent(Struct, frozen=True):
    """A line for a shell, and what it does not say."""

    line: str
    """Empty where nothing could be said."""
    program: str = ""
    left_out: tuple[str, ...] = ()


def equivalent(kind: str, tree: Node, files: Sequence[Path], now: int) -> Equivalent:
    """The line that finds in files what a query finds in a list."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    rest = All(tuple(term for term in terms if not _is_told_by_files(term)))
    journals = [file for file in files if file.suffix == _JOURNAL]
    ledgers = [file for file in files if file.suffix != _JOURNAL]
    if kind == "agents":
        return _sqlite(rest, ledgers, now)
    return _jq(kind, rest, journals, now, ledgers)


def _jq(
    kind: str, tree: Node, journals: Sequence[Path], now: int, others: Sequence[Path]
) -> Equivalent:
    """The lines of journals by jq, which cannot read those of databases."""
    if not journals:
        return Equivalent("", "jq")
    found = said(tree, Jq(kind, now))
    program = f"select({found.condition})" if found.condition else "."
    line = f"jq -c {shlex.quote(program)} {_named(journals)}"
    several = (_TOGETHER,) if any(file.name == _TASKS for file in journals) else ()
    return Equivalent(line, "jq", (*found.left_out, *several, *map(str, others)))


def _sqlite(tree: Node, ledgers: Sequence[Path], now: int) -> Equivalent:
    """The rows of the first ledger by sqlite3, which is not to change it."""
    if not ledgers:
        return Equivalent("", "sqlite3")
    found = said(tree, Sql(now))
    where = f" WHERE {found.condition}" if found.condition else ""
    query = f"SELECT * FROM agents{where} ORDER BY started_ts DESC;"
    path = shlex.quote(os.path.normpath(ledgers[0]))
    line = f"sqlite3 -readonly {path} {_in_quotes(query)}"
    narrower = (ELSEWHERE,) if texts(tree) else ()
    missing = (*found.left_out, *narrower, *map(str, ledgers[1:]))
    return Equivalent(line, "sqlite3", missing)


def _named(files: Sequence[Path]) -> str:
    """Files for a shell, many of one folder by what their names end in."""
    if len(files) <= _FEW:
        return " ".join(shlex.quote(str(file)) for file in files)
    folders = dict.fromkeys(file.parent for file in files)
    return " ".join(f"{shlex.quote(str(folder))}/*{_JOURNAL}" for folder in folders)


def _in_quotes(query: str) -> str:
    """SQL for a shell: in double quotes, where nothing in it has a meaning there."""
    is_harmless = not _MEANT_IN_QUOTES.intersection(query)
    return f'"{query}"' if is_harmless else shlex.quote(query)


def _is_told_by_files(term: Node) -> bool:
    return isinstance(term, Named) and term.name in _OF_A_STORE
