"""Folders opened with `--as` or from the settings."""

import json
from pathlib import Path

import pytest

from tests.store.catalogue.stores import notes, write
from tests.store.formats.pages_stores import vault
from tests.tui.cli.machine import Answer, Machine

PAGES = ["Billing service", "Retry policy", "Zoe"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return vault(tmp_path / "vault")


def titles(machine: Machine, *arguments: str | Path) -> list[str]:
    return sorted(
        row["title"]
        for row in machine.run("list", "memories", "--json", *arguments).rows
    )


def names(machine: Machine, *arguments: str | Path) -> dict[str, str]:
    rows = machine.run("stores", "--json", *arguments).rows
    return {row["name"]: row["format"] for row in rows}


def settle(machine: Machine, text: str) -> Path:
    """Write the settings; returns their path."""
    return write(machine.home, "config/recollect/config.toml", text)


def named(path: Path, name: str = "brain", form: str = "pages") -> str:
    return f'[stores."{name}"]\npath = {json.dumps(str(path))}\nformat = "{form}"\n'


def test_a_folder_is_a_store_only_if_the_user_says_so(
    machine: Machine, folder: Path
) -> None:
    refused = machine.run("list", "memories", "-s", folder)

    assert refused.code == 1
    assert "--as pages" in refused.err
    assert titles(machine, "-s", folder, "--as", "pages") == PAGES
    assert machine.run("list", "memories", "-s", folder).code == 1


def test_the_given_format_overrides_the_content(
    machine: Machine, tmp_path: Path
) -> None:
    notes(tmp_path / "work/.memory", "tabs")

    assert names(machine, "-s", tmp_path) == {"work": "notes"}
    place = tmp_path / "work/.memory"
    assert names(machine, "-s", place, "--as", "pages") == {".memory": "pages"}
    assert names(machine, "-s", tmp_path) == {"work": "notes"}


def test_without_a_sync_a_folder_is_a_store_only_while_the_user_says_so(
    machine: Machine, folder: Path
) -> None:
    notes(folder / "work/.memory", "tabs")
    plain = titles(machine, "-s", folder)
    pages = titles(machine, "-s", folder, "--as", "pages")

    assert titles(machine, "-s", folder, "--no-sync") == plain
    assert titles(machine, "-s", folder, "--no-sync", "--as", "pages") == pages
    assert names(machine, "--no-sync") == {"work": "notes"}


def test_without_a_sync_a_store_opened_as_its_own_format_is_still_one(
    machine: Machine, tmp_path: Path
) -> None:
    notes(tmp_path / ".memory", "tabs")

    opened = names(machine, "-s", tmp_path / ".memory", "--as", "notes")
    assert names(machine, "-s", tmp_path) == opened
    assert names(machine, "-s", tmp_path, "--no-sync") == opened


def test_without_a_sync_stores_follow_the_settings(
    machine: Machine, folder: Path
) -> None:
    notes(folder / "work/memory", "tabs")
    assert names(machine, "-s", folder) == {"memory": "notes"}
    settings = settle(machine, named(folder))
    assert names(machine, "-s", folder) == {"brain": "pages"}

    assert names(machine, "-s", folder, "--no-sync") == {"brain": "pages"}
    settings.unlink()
    assert names(machine, "-s", folder, "--no-sync") == {"memory": "notes"}


def test_the_option_may_precede_the_command_or_be_in_the_environment(
    machine: Machine, folder: Path
) -> None:
    before = machine.run("--as", "pages", "list", "memories", "--json", "-s", folder)
    around = machine.run(
        "list", "memories", "--json", "--as", "pages", RECOLLECT_STORES=str(folder)
    )

    assert len(before.rows) == len(around.rows) == len(PAGES)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--as", "pages"], "--as needs a folder"),
        (["--as", "page", "-s", "."], "did you mean 'pages'?"),
        (["--as", "pages", "-s", "missing"], "does not exist"),
    ],
)
def test_wrong_use_is_reported(
    machine: Machine, arguments: list[str], sentence: str
) -> None:
    answer = machine.run("list", "memories", *arguments)

    assert answer.code in {1, 2}
    assert sentence in answer.err


def test_a_store_of_the_settings_is_found_everywhere_by_its_name(
    machine: Machine, folder: Path
) -> None:
    settle(machine, named(folder))

    assert names(machine) == {"brain": "pages"}
    assert names(machine, "-s", folder.parent) == {"brain": "pages"}
    assert titles(machine, "-s", "brain") == PAGES
    assert titles(machine, "-s", folder) == PAGES
    assert titles(machine, "store:brain") == PAGES
    assert machine.run("list", "memories", "-s", machine.home / "cache").code == 1


def test_a_name_takes_precedence_over_a_folder_of_the_same_name(
    machine: Machine, folder: Path
) -> None:
    notes(machine.home / "brain", "tabs")
    settle(machine, named(folder))

    assert titles(machine, "-s", "brain") == PAGES
    assert titles(machine, "-s", "./brain") == ["tabs"]


def test_a_new_name_is_shown_at_once(machine: Machine, folder: Path) -> None:
    settle(machine, named(folder))
    assert names(machine) == {"brain": "pages"}
    settle(machine, named(folder, "mind"))

    assert names(machine) == {"mind": "pages"}


def test_an_apparent_store_inside_is_a_part_of_it(
    machine: Machine, folder: Path
) -> None:
    notes(folder / "work/memory", "tabs")
    notes(folder / ".home/memory", "spaces")

    assert len(machine.run("stores", "--json", "-s", folder).rows) == 2
    settle(machine, named(folder))

    assert names(machine, "-s", folder) == {"brain": "pages", "memory": "notes"}
    assert titles(machine, "-s", "brain", "tabs") == ["MEMORY", "tabs"]


def test_a_store_of_the_settings_may_be_of_any_format(
    machine: Machine, tmp_path: Path
) -> None:
    notes(tmp_path / ".memory", "tabs")
    settle(machine, named(tmp_path / ".memory", "work", "notes"))

    assert names(machine) == {"work": "notes"}


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (named(Path("/gone")), 2, "/gone does not exist."),
        (named(Path("/dev/null")), 2, "/dev/null is not a folder."),
        (
            named(Path("/"), form="page"),
            3,
            "Unknown format 'page'; did you mean 'pages'? (choose from cognitive, kei,",
        ),
        ("[stores.x]\npath = '/'\n", 1, "'format' is missing."),
        ("[stores\n", 1, "Invalid TOML"),
    ],
)
def test_a_wrong_store_is_reported_once_and_the_others_are_there(
    machine: Machine, folder: Path, text: str, line: int, sentence: str
) -> None:
    file = settle(machine, f"{text}\n{named(folder, 'good')}")

    answer = machine.run("stores", "--json")

    assert answer.err.count(f"{file}:{line}: {sentence}") == 1
    if "TOML" not in sentence:
        assert [row["name"] for row in answer.rows] == ["good"]


def test_a_store_is_given_by_the_name_that_stores_shows(
    machine: Machine, samples: Path
) -> None:
    def run(*words: str) -> Answer:
        return machine.run(*words, RECOLLECT_STORES=str(samples))

    (row,) = run("stores", "-s", "homelab", "--json").rows

    assert row["name"] == "homelab"
    assert run("list", "-s", "homelab").out == run("list", "-s", row["path"]).out
    assert "did you mean 'homelab'?" in run("list", "-s", "homelap").err
    missing = run("list", "-s", "nothing-like-it").err
    assert missing == (
        "recollect: No folder or store 'nothing-like-it'; "
        "`recollect stores` lists them.\n"
    )
    assert "'cognitive-memory' or 'kei/memory'" in run("list", "-s", "memory").err
    for row in run("stores", "--json").rows:
        assert run("stores", "-s", row["name"], "--json").rows[0]["path"] == row["path"]


def test_the_name_of_a_store_may_begin_with_a_dash(
    machine: Machine, tmp_path: Path
) -> None:
    notes(tmp_path / "-home-kiln" / "memory", "tabs")
    notes(tmp_path / "-home-glaze" / "memory", "cones")

    def run(*words: str) -> Answer:
        return machine.run(*words, RECOLLECT_STORES=str(tmp_path))

    for row in run("stores", "--json").rows:
        assert row["name"].startswith("-home-")
        for option in ("-s", "--store"):
            (found,) = run(option, row["name"], "stores", "--json").rows
            assert found["path"] == row["path"]
            listed = run("list", option, row["name"], "--json")
            assert {one["store"] for one in listed.rows} == {row["path"]}
    assert "--store needs a value" in run("list", "-s", "--json").err


def test_every_command_reports_invalid_settings_by_line(
    machine: Machine, folder: Path
) -> None:
    file = settle(
        machine, 'foo = 1\ntheme = "lihgt"\n\n[semantic]\nprovider = "olama"\n'
    )

    for command in ("list", "history", "queries"):
        err = machine.run(command, "-s", folder, "--as", "pages").err
        told = [line for line in err.splitlines() if str(file) in line]
        lines = [
            line.removeprefix(f"recollect: {file}:").partition(":")[0] for line in told
        ]
        assert lines == ["1", "2", "5"]
