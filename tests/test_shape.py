"""The tree stays easy to find one's way in.

The numbers are limits. A commit lowers them when it can; one that raises a limit does
so together with a feature, and says why.
"""

import ast
import re
import tomllib

from store.findings import FORMATS
from store.formats.register import FORMATS as REGISTERED
from tests.project import ROOT, sources
from tests.shape import Tree

TREE = Tree()

MODULES = 320
LINES = 116_940
LINES_OF_A_MODULE = 710
LINES_OF_A_FUNCTION = 60
LINES_OF_A_TEST_MODULE = 400
MODULES_WITH_ONE_IMPORTER = 0.20
GERUND_NAMES = 2
ANCESTORS = 4
METHODS = 30
IMPORTS_INSIDE_FUNCTIONS = 78

TABLES_OF_DATA = {"tui.commands.table"}
"""Modules that are one long table, which reads best in one piece."""

NOUNS = {"ranking", "opening", "spacing", "heading", "setting", "meaning"}


def test_there_are_few_enough_modules_and_lines_to_know() -> None:
    modules, lines = len(TREE.paths), sum(map(TREE.lines, TREE.paths))
    raised = "a commit that adds a feature raises this limit, and says so"

    assert modules <= MODULES, raised
    assert lines <= LINES, raised


def test_a_module_can_be_read_in_one_sitting() -> None:
    long = {
        module: lines
        for module in TREE.paths.keys() - TABLES_OF_DATA
        if (lines := TREE.lines(module)) > LINES_OF_A_MODULE
    }

    assert long == {}


def test_a_function_fits_on_a_screen() -> None:
    long = {
        name: lines for name, lines in TREE.functions() if lines > LINES_OF_A_FUNCTION
    }

    assert long == {}


def test_a_test_module_is_short_as_well() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sources("tests", "screenshots")
        if (lines := len(path.read_text(encoding="utf-8").splitlines()))
        > LINES_OF_A_TEST_MODULE
    }

    assert long == {}


def test_few_modules_are_private_to_another() -> None:
    modules = [name for name, path in TREE.paths.items() if path.name != "__init__.py"]
    private = [name for name in modules if len(TREE.importers[name]) == 1]

    assert len(private) <= MODULES_WITH_ONE_IMPORTER * len(modules)


def test_modules_are_named_by_nouns() -> None:
    gerunds = [
        name
        for name in TREE.paths
        if (last := name.rpartition(".")[2]) not in NOUNS
        and re.fullmatch(r"[a-z_]*ing", last)
    ]

    assert len(gerunds) <= GERUND_NAMES


def test_a_class_is_composed_rather_than_inherited() -> None:
    families = {name: TREE.family(name) for name in TREE.classes}
    large = [
        name
        for name, family in families.items()
        if len(family) > ANCESTORS or len(TREE.methods(family)) > METHODS
    ]

    assert large == []


def test_no_two_rooms_import_each_other() -> None:
    def room(module: str) -> str:
        return ".".join(module.split(".")[:2])

    pairs = {
        (room(importer), room(module))
        for module, importers in TREE.importers.items()
        for importer in importers
        if room(importer) != room(module)
    }

    assert {pair for pair in pairs if pair[::-1] in pairs} == set()


def test_every_format_is_registered_named_and_a_stranger_to_the_others() -> None:
    folders = {
        f"store.formats.{path.parent.name}"
        for path in (ROOT / "store/formats").glob("*/format.py")
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {one["id"]: one for one in project["tool"]["importlinter"]["contracts"]}

    assert {type(one).__module__ for one in REGISTERED} == {
        f"{folder}.format" for folder in folders
    }, "store/formats/register.py"
    assert {one.name for one in REGISTERED} == set(FORMATS), "store/findings.py"
    for name, key in (
        ("formats-are-strangers", "modules"),
        ("one-door-to-formats", "forbidden_modules"),
    ):
        assert set(contracts[name][key]) == folders, f"pyproject.toml, {name}"


def test_imports_are_at_the_top_but_for_what_loads_late() -> None:
    assert len(TREE.imports_inside_functions()) <= IMPORTS_INSIDE_FUNCTIONS


def test_no_part_of_the_browser_knows_the_application() -> None:
    """Its start alone does, and the display, which lends the parts a few methods and
    styles the panes."""
    known = {
        name: {
            node.name if isinstance(node, ast.alias) else node.attr
            for node in ast.walk(TREE.modules[name])
            if isinstance(node, ast.alias | ast.Attribute)
        }
        & {"App", "Keyboard", "app"}
        for name in TREE.paths
        if name.startswith("tui.browser.")
    }

    assert TREE.importers["tui.browser.app"] == {"tui.cli.browse"}
    assert {name: found for name, found in known.items() if found} == {
        "tui.browser.app": {"Keyboard"},
        "tui.browser.display": {"Keyboard", "app"},
        "tui.browser.layout": {"App"},
    }


def test_a_part_of_the_browser_uses_everything_that_it_asks_for() -> None:
    asked = {
        f"{name}.{field}": field in _of_self(part)
        for name, part in TREE.classes.items()
        if TREE.family(name) - {name} == {"tui.browser.display.Part"}
        for field in _asked(part)
    }

    assert len(asked) > 100
    assert [name for name, is_used in asked.items() if not is_used] == []


def _asked(part: ast.ClassDef) -> list[str]:
    """The fields without a default, which a part has to be given."""
    return [
        node.target.id
        for node in part.body
        if isinstance(node, ast.AnnAssign)
        and node.value is None
        and isinstance(node.target, ast.Name)
    ]


def _of_self(part: ast.ClassDef) -> set[str]:
    """What the methods of a class use of the object."""
    return {
        node.attr
        for node in ast.walk(part)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
