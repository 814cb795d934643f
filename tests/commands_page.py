"""The tables of COMMANDS.md, from the records themselves.

`python -m tests.commands_page` makes them anew. What stands after the mark is made;
what stands before it is prose and stays.
"""

import ast
import re

from tests.project import ROOT

PAGE = ROOT / "COMMANDS.md"
_START = "<!-- records: made by tests/commands_page.py -->\n"
_INSIDE = {"intents", "spans", "tally"}
"""The records that no command prints."""

_SPACED = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tables() -> str:
    """A section for every record: what it is, and its fields in order."""
    modules = sorted((ROOT / "store" / "records").glob("[!_]*.py"))
    classes = [
        node
        for module in modules
        if module.stem not in _INSIDE
        for node in ast.parse(module.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    return "\n".join(_section(node) for node in classes)


def written(page: str) -> str:
    """The page with its tables made anew."""
    prose, _, _ = page.partition(_START)
    return f"{prose}{_START}\n{tables()}"


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
