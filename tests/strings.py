"""Print every sentence and title that users can see: `python -m tests.strings`.

Strings with a space, and single words where the screen takes them from: what looks like
SQL, CSS or a pattern is left out, and so are docstrings.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.project import ROOT

_NO_WORDS = re.compile(
    r"\b(SELECT|WHERE|FROM|JOIN|UPDATE|INSERT|CREATE|PRAGMA|ORDER BY|coalesce|AND)\b"
    r"|[a-z-]+: [^;]+;|\(\?|\\[bdsw]|^[a-z_ ]*$(?<!\w \w)|_\w+ \w+_"
)
_PROSE = re.compile(r"[A-Za-z]{2,}[,.:]? |^[A-Z][a-z]+")


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module with their lines; `{}` stands for what is filled in."""
    tree = ast.parse(path.read_bytes())
    left_out = set(_documentation(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            left_out.update(map(id, node.values))
            parts = (getattr(part, "value", None) for part in node.values)
            yield node.lineno, "".join(p if isinstance(p, str) else "{}" for p in parts)
        elif isinstance(node, ast.Constant) and id(node) not in left_out:
            yield node.lineno, node.value if isinstance(node.value, str) else ""


def _documentation(tree: ast.AST) -> Iterator[int]:
    """The ids of strings that are statements of their own, or types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)
        for name in ("annotation", "returns"):
            kind: ast.AST | None = getattr(node, name, None)
            yield from map(id, ast.walk(kind) if kind else ())


def main() -> None:
    """Print them by module, as `MODULE:LINE: TEXT`."""
    for room in ("tui", "widgets", "store"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for line, text in strings(path):
                if _PROSE.search(text) and not _NO_WORDS.search(text):
                    told = " ".join(text.split())
                    sys.stdout.write(f"{path.relative_to(ROOT)}:{line}: {told}\n")


if __name__ == "__main__":
    main()
