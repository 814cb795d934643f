"""What the pages say is what the program does: fields, commands, targets, version."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.places import Places
from store.settings.reading import read_settings
from store.settings.record import Settings, settings_file
from tests.commands_page import written
from tests.project import ROOT
from tui.words import COMMANDS

FIELDS_DOCUMENTED = [
    *sorted((ROOT / "store" / "records").glob("*.py")),
    *sorted((ROOT / "store" / "findings").glob("*.py")),
]

NOT_SET = {"complaints", "path", "text"}
"""What settings hold beside what the user says."""


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def fields_without_docstring(path: Path) -> Iterator[str]:
    classes = (
        node
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef) and node.decorator_list
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
def test_every_field_says_what_it_means(path: Path) -> None:
    assert list(fields_without_docstring(path)) == []


def test_every_record_is_told_field_by_field() -> None:
    assert page("COMMANDS.md") == written(page("COMMANDS.md"))


def test_every_command_is_told() -> None:
    told = page("COMMANDS.md")

    assert [one.name for one in COMMANDS if f"`recollect {one.name}" not in told] == []


def test_every_exit_code_is_told_in_the_readme() -> None:
    told = re.findall(r"^\| `?(\d)`? \|", page("README.md"), flags=re.MULTILINE)

    assert told == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_every_make_target_that_is_told_exists(name: str) -> None:
    targets = re.findall(r"^([a-z]+):", page("Makefile"), flags=re.MULTILINE)
    told = re.findall(r"(?:^|`)make ([a-z]+)", page(name), flags=re.MULTILINE)

    assert set(told) <= set(targets)


def test_the_settings_that_the_readme_shows_are_understood(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path, tmp_path)
    shown = re.search(r"```toml\n(.*?)```", page("README.md"), flags=re.DOTALL)
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


def test_the_changelog_tells_of_this_version() -> None:
    version = tomllib.loads(page("pyproject.toml"))["project"]["version"]
    told = re.findall(r"^## \[(.+?)\]", page("CHANGELOG.md"), flags=re.MULTILINE)

    assert {"Unreleased", version} & set(told)


@pytest.mark.parametrize("name", [path.name for path in sorted(ROOT.glob("*.md"))])
def test_every_file_that_a_page_links_to_exists(name: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page(name))

    assert [link for link in links if not (ROOT / link).exists()] == []
