"""The tables of COMMANDS.md, from the records themselves.

`python -m tests.commands_page` writes them. Everything after the mark is generated; the
prose before it stays.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from store.kinds import KINDS
from tests.project import ROOT
from tui.output.columns import columns_for

PAGE = ROOT / "COMMANDS.md"
_START = "<!-- records: made by tests/commands_page.py -->\n"
_INSIDE = {"intents", "field", "kind", "table"}
"""The modules without records that commands print."""

_SPACED = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tables() -> str:
    """A section for each record: its purpose, and its fields in order."""
    return "\n".join(_section(node) for node in _records())


def _records() -> Iterator[ast.ClassDef]:
    """The classes of all records that commands print."""
    for folder in ("records", "kinds"):
        for module in sorted((ROOT / "store" / folder).glob("[!_]*.py")):
            if module.stem not in _INSIDE:
                yield from _classes(module)
    costs = ROOT / "store" / "derive" / "conversations.py"
    yield from (node for node in _classes(costs) if node.name == "Tokens")


def _classes(module: Path) -> list[ast.ClassDef]:
    body = ast.parse(module.read_text(encoding="utf-8")).body
    return [node for node in body if isinstance(node, ast.ClassDef)]


def written(page: str) -> str:
    """The page with its tables rebuilt."""
    prose, _, _ = page.partition(_START)
    before, _, rest = prose.partition(_PIPES)
    _, _, after = rest.partition(_END)
    return f"{before}{_PIPES}{pipes()}{_END}{after}{_START}\n{tables()}"


_PIPES = "<!-- pipes: made by tests/commands_page.py -->\n"
_END = "<!-- end of pipes -->\n"

_PRINTED = {
    **{f"list {kind}": kind for kind in KINDS},
    "list --forecast": "forecast",
    "search": "",
    "stores": "stores",
    "stores --new": "news",
    "links": "links",
    "similar": "similar",
    "dedupe": "doubles",
    "review": "due",
    "versions": "versions",
    "history": "changes",
    "backups": "backups",
    "health": "health",
    "queries": "queries",
    "report": "questions",
    "vault": "kept",
    "vault endangered": "endangered",
    "vault verify": "damages",
}
"""The commands that print lists, and the name of their columns."""

_UNTITLED = {
    "problems": "severity",
    "health": "severity",
    "events": "✗ if it failed",
    "links": "→ or ←",
    "changes": "undone or half-done",
    "kept": "only here",
    "stores": "read-only",
    "versions": "lines removed",
}
"""What a column without a title says, by the name of the columns."""

_HITS = ("ref", "kind", "score", "title", "snippet", "store", "reasons (`--explain`)")


def pipes() -> str:
    """A table of the cells that each list has in a pipe."""
    rows = ["| command | cells |", "|---|---|"]
    for command, name in _PRINTED.items():
        columns = columns_for(name) if name else ()
        titles = [one.title.lower() or _UNTITLED[name] for one in columns] or _HITS
        rows.append(f"| `{command}` | {' · '.join(titles)} |")
    return "\n".join([*rows, ""])


def _section(record: ast.ClassDef) -> str:
    name = _SPACED.sub(" ", record.name.removesuffix("Report")).lower()
    rows = [
        f"| `{field.target.id.rstrip('_')}` | {_told(meaning)} |"
        for field, meaning in zip(record.body, record.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    ]
    head = ["", "| field | meaning |", "|---|---|"]
    return "\n".join(
        [f"### {name}", "", ast.get_docstring(record) or "", *head, *rows, ""]
    )


def _told(statement: ast.stmt) -> str:
    """The text of an attribute's docstring, on one line of a table."""
    if not (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    ):
        return ""
    return " ".join(str(statement.value.value).split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
