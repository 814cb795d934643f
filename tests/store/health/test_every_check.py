"""Each check that offers no fix: it finds what is wrong, and nothing that is near."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import copytree

import pytest

from store.discover import Found
from store.kinds.problems import Problem
from store.library import Library, Page, Writing
from store.machine import Places
from tests.store.answers.damages import Damage
from tests.store.formats.changed_stores import NOW
from tests.store.health import (
    checks_of_graphs,
    checks_of_memories,
    checks_of_notes,
    checks_of_sessions,
)
from tests.store.health.near_misses import Table

TABLES = {
    name: table
    for module in (
        checks_of_graphs,
        checks_of_memories,
        checks_of_notes,
        checks_of_sessions,
    )
    for name, table in module.TABLES.items()
}


def checked(
    table: Table, tmp_path: Path, damages: Mapping[str, Damage]
) -> dict[str, list[Problem]]:
    """The problems of many stores, read at once, by the name of the store."""
    healthy = tmp_path / "healthy"
    table.make(healthy)
    for name in damages:
        copytree(healthy, tmp_path / name / "store")
    roots = {name: tmp_path / name / "store" / table.within for name in damages}
    found: dict[str, list[Problem]] = {str(root): [] for root in roots.values()}
    places = Places(*(tmp_path / name for name in ("cache", "state", "config")))
    writing = Writing(places, clock=lambda: NOW)
    with Library(places.cache / "catalogue.db", NOW, writing=writing) as library:
        library.stores.choose([Found(root, table.format) for root in roots.values()])
        if table.is_seen_before:
            library.sync()
        for name, damage in damages.items():
            damage(roots[name])
        library.sync()
        library.index.check_fully()
        for one in library.lists.page("problems", Page()):
            assert isinstance(one, Problem)
            found[one.store].append(one)
    return {name: found[str(root)] for name, root in roots.items()}


def where(problems: Iterable[Problem], code: str) -> list[str]:
    """Where problems of a code are reported."""
    return sorted(
        f"{one.path}:{one.line}" if one.line else one.path
        for one in problems
        if one.code == code
    )


@pytest.mark.parametrize("name", TABLES)
def test_every_check_finds_what_is_wrong_and_nothing_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table = TABLES[name]
    for limit, value in table.limits.items():
        monkeypatch.setattr(limit, value)
    stores = {
        f"{which}/{code}": damage
        for code, row in table.rows.items()
        for which, damage in (("wrong", row.wrong), ("near", row.near))
    }

    found = checked(table, tmp_path, stores)

    assert {
        code: told
        for code, row in table.rows.items()
        if (told := _told(found, code)) != ([row.at], [])
    } == {}


def _told(found: Mapping[str, list[Problem]], code: str) -> tuple[list[str], list[str]]:
    """Where a problem is reported in the store that has it, and in the one near it."""
    return where(found[f"wrong/{code}"], code), where(found[f"near/{code}"], code)
