"""The pages match the program: fields, commands, targets, version."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.findings import FORMATS
from store.machine import Places
from store.settings import Settings, read_settings, settings_file
from tests.commands_page import written
from tests.project import ROOT
from tui.names import COMMANDS
from tui.start import VERSION

FIELDS_DOCUMENTED = [
    *sorted((ROOT / "store/records").glob("*.py")),
    ROOT / "store/findings.py",
]

NOT_SET = {"complaints", "store_complaints", "path", "text"}
"""What settings hold beside what the user says."""


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def fields_without_docstring(path: Path) -> Iterator[str]:
    classes = (
        node
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef)
    )
    for node in classes:
        for statement, following in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(statement, ast.AnnAssign) and not is_docstring(following):
                yield f"{node.name}.{ast.unparse(statement.target)}"


def is_docstring(statement: ast.stmt | None) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


@pytest.mark.parametrize("path", FIELDS_DOCUMENTED, ids=lambda path: path.stem)
def test_every_field_is_documented(path: Path) -> None:
    assert list(fields_without_docstring(path)) == []


def test_the_commands_page_describes_every_field() -> None:
    text = page("COMMANDS.md")

    assert text == written(text), "run .venv/bin/python -m tests.commands_page"


def test_the_commands_page_describes_every_command() -> None:
    text = page("COMMANDS.md")

    assert [one.name for one in COMMANDS if f"`recollect {one.name}" not in text] == []


def test_the_readme_lists_every_exit_code() -> None:
    codes = re.findall(r"^\| `?(\d)`? \|", page("README.md"), flags=re.MULTILINE)

    assert codes == ["0", "1", "2", "3", "4", "5"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_every_make_target_on_a_page_exists(name: str) -> None:
    targets = re.findall(r"^([a-z]+):", page("Makefile"), flags=re.MULTILINE)
    mentioned = re.findall(r"(?:^|`)make ([a-z]+)", page(name), flags=re.MULTILINE)

    assert set(mentioned) <= set(targets)


def test_the_settings_page_shows_all_settings_and_valid_ones(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path, tmp_path)
    shown = re.search(r"```toml\n(.*?)```", page("docs/settings.md"), flags=re.DOTALL)
    assert shown
    settings_file(places).write_text(shown[1], encoding="utf-8")

    settings = read_settings(places)

    assert settings.complaints == ()
    tables = [name for name in Settings.__annotations__ if name not in NOT_SET]
    assert [one for one in tables if one.partition("_")[0] not in shown[1]] == []
    assert settings.prices.models["claude-opus"].cache_read == 0.5


def test_the_readme_opens_with_two_commands() -> None:
    commands = re.search(r"```sh\n(.*?)```", page("README.md"), flags=re.DOTALL)

    assert commands
    assert [line.partition("#")[0].strip() for line in commands[1].splitlines()] == [
        "make demo",
        "make test",
    ]


def test_the_changelog_and_the_program_have_this_version() -> None:
    version = tomllib.loads(page("pyproject.toml"))["project"]["version"]
    told = re.findall(r"^## \[(.+?)\]", page("CHANGELOG.md"), flags=re.MULTILINE)

    assert {"Unreleased", version} & set(told)
    assert version == VERSION


PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_file_and_heading_that_a_page_links_to_exists(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text(encoding="utf-8"))

    assert [link for link in links if not is_there(path, link)] == []


def is_there(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    return target.exists() and (not anchor or anchor in anchors(target))


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "store/formats").glob("*/README.md")),
    ids=lambda path: path.parent.name,
)
def test_a_format_describes_the_modules_that_it_has(path: Path) -> None:
    rows = re.findall(r"^\| (`\w+\.py`.*?) \|", path.read_text("utf-8"), re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+\.py)`", row)}
    modules = {one.name for one in path.parent.glob("*.py")} - {"__init__.py"}

    assert told == modules or not told


def test_every_format_is_described() -> None:
    described = re.findall(r"^## (\S+)$", page("docs/formats.md"), re.MULTILINE)

    assert sorted(FORMATS) == sorted(described), "docs/formats.md"
    assert [name for name in FORMATS if f"`{name}`" not in page("README.md")] == []


def test_every_function_in_the_flows_exists() -> None:
    names = re.findall(r"`((?:store|tui|widgets)\.[\w.]+)`", page("ARCHITECTURE.md"))

    assert names
    assert [name for name in names if not is_defined(name.split("."))] == []


def is_defined(parts: list[str]) -> bool:
    """Whether a dotted name is a module, or a class, function or method in one."""
    for count in range(len(parts), 1, -1):
        path = ROOT.joinpath(*parts[:count])
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if file.exists():
            body = ast.parse(file.read_bytes()).body
            return is_in(body, parts[count:])
    return False


def is_in(body: list[ast.stmt], names: list[str]) -> bool:
    if not names:
        return True
    found = (
        node
        for node in body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name == names[0]
    )
    return any(is_in(node.body, names[1:]) for node in found)


def test_every_file_in_the_architecture_exists() -> None:
    names = re.findall(
        r"`((?:store|tui|widgets|tests)/[\w/.]+)`", page("ARCHITECTURE.md")
    )

    assert [n for n in names if "NAME" not in n and not (ROOT / n).exists()] == []
