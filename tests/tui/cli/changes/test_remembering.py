"""A page is remembered as Claudia's own tool writes it."""

from pathlib import Path

import pytest

from store.files.frontmatter import read_page
from tests.store.formats.claudia_stores import small, small_tree
from tests.tui.cli.machine import Machine

NOW = "2026-03-01T12:30:00+00:00"


@pytest.fixture
def pages(machine: Machine) -> Path:
    """A tree of pages whose owner allows changes."""
    allow(machine, "true")
    store = machine.home / "memory"
    small_tree(store)
    return store


def allow(machine: Machine, writes: str) -> None:
    settings = machine.home / "config/recollect/config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f"[claudia]\nwrites = {writes}\n", "utf-8")


def remember(machine: Machine, store: Path, title: str, *options: str) -> str:
    """What a new page says of itself, or why it isn't written."""
    command = ("new", "-s", store, "--now", NOW, "--title", title, *options)
    answer = machine.run(*command)
    return answer.out if answer.code == 0 else answer.err


def test_a_page_has_the_header_and_the_name_of_the_tool(
    machine: Machine, pages: Path
) -> None:
    title = 'Cones "bend" at 1222 degrees: watch'
    told = remember(machine, pages, title, "--tag", "glaze", "--body", "Cone 6.\n")

    path = "insights/2026-03-01-cones-bend-at-1222-degrees.md"
    assert f"in {path}" in told
    page = read_page((pages / path).read_bytes())
    assert page.fields == {
        "title": title,
        "date": "2026-03-01",
        "categories": ["insights"],
        "author": "user",
        "created_at": "2026-03-01T12:30:00.000Z",
        "updated_at": "2026-03-01T12:30:00.000Z",
        "tags": ["glaze"],
    }
    assert page.flaws == ()
    assert page.body.strip() == f"# {title}\n\nCone 6."
    assert machine.run("undo", "-s", pages).code == 0
    assert not (pages / path).exists()


def test_what_a_page_cannot_be_is_refused(machine: Machine, pages: Path) -> None:
    remember(machine, pages, "Cones")
    assert "already exists" in remember(machine, pages, "Cones")
    assert "Unknown field 'mood'" in remember(
        machine, pages, "Calm", "--field", "mood=calm"
    )
    small(machine.home / "anima")
    refused = remember(machine, machine.home / "anima", "x")
    assert "No store can do that: not possible in claudia stores." in refused
    allow(machine, "false")
    assert "read-only" in remember(machine, pages, "Later")
