"""The shape of the tree: its modules, who imports them, and its class families."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from tests.project import ROOMS, ROOT, sources

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Tree:
    """Every module of the program, parsed once."""

    def __init__(self) -> None:
        self.paths = {self._name(path): path for path in sources(*ROOMS)}
        self.modules = {
            name: ast.parse(path.read_bytes()) for name, path in self.paths.items()
        }

    def lines(self, module: str) -> int:
        """How many lines a module has."""
        return len(self.paths[module].read_text(encoding="utf-8").splitlines())

    def functions(self) -> Iterator[tuple[str, int]]:
        """Every function, by module and name, and how many lines it has."""
        for module, tree in self.modules.items():
            for node in ast.walk(tree):
                if isinstance(node, Function):
                    assert node.end_lineno is not None
                    yield f"{module}.{node.name}", node.end_lineno - node.lineno + 1

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """The modules that import a module, anywhere in their text."""
        found = defaultdict[str, set[str]](set)
        for module, tree in self.modules.items():
            for node in ast.walk(tree):
                for target in self._targets(node):
                    found[target].add(module)
        return found

    def imports_inside_functions(self) -> list[str]:
        """Imports of our own modules that run when a function is called."""
        return sorted(
            {
                f"{module}:{node.lineno}"
                for module, tree in self.modules.items()
                for function in ast.walk(tree)
                if isinstance(function, Function)
                for node in ast.walk(function)
                if isinstance(node, ast.Import | ast.ImportFrom) and self._targets(node)
            }
        )

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """Every class at the top of a module, by its full name."""
        return {
            f"{module}.{node.name}": node
            for module, tree in self.modules.items()
            for node in tree.body
            if isinstance(node, ast.ClassDef)
        }

    def family(self, name: str) -> set[str]:
        """A class and all its ancestors that are our own."""
        found = {name}
        for base in self._bases(name):
            found |= self.family(base)
        return found

    def methods(self, family: set[str]) -> set[str]:
        """The names of all methods in a class family."""
        return {
            node.name
            for name in family
            for node in self.classes[name].body
            if isinstance(node, Function)
        }

    def _bases(self, name: str) -> Iterator[str]:
        module = name.rpartition(".")[0]
        imported = {
            alias.asname or alias.name: f"{node.module}.{alias.name}"
            for node in ast.walk(self.modules[module])
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for base in self.classes[name].bases:
            plain = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(plain, ast.Name):
                full = imported.get(plain.id, f"{module}.{plain.id}")
                if full in self.classes:
                    yield full

    def _targets(self, node: ast.AST) -> list[str]:
        if isinstance(node, ast.Import):
            return [alias.name for alias in node.names if alias.name in self.paths]
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            return []
        inner = [f"{node.module}.{alias.name}" for alias in node.names]
        found = [name for name in inner if name in self.paths]
        if len(found) < len(inner) and node.module in self.paths:
            found.append(node.module)
        return found

    @staticmethod
    def _name(path: Path) -> str:
        parts = path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts).removesuffix(".__init__")
