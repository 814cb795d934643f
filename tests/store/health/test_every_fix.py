"""Each problem that can be fixed: it is found, what is near it isn't, fix and undo."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from store.catalogue.vectors import VectorFile, texts
from store.formats.port import Format
from store.formats.register import FORMATS
from store.machine import Places
from tests.store.answers import damages
from tests.store.formats.changed_stores import Changed
from tests.store.formats.cognitive_stores import write
from tests.store.health.cases import (
    MODEL,
    OF_GRAPHS,
    OF_MEMORIES,
    OF_NOTES,
    Case,
    graph,
    sheets,
)

KINDS: Mapping[str, tuple[Callable[[Path], Path], Mapping[str, Case]]] = {
    "cognitive": (graph, OF_GRAPHS),
    "agent-memory": (damages.memories, OF_MEMORIES),
    "notes": (sheets, OF_NOTES),
}
CASES = [(name, code) for name, (_, cases) in KINDS.items() for code in sorted(cases)]
BY_NAME: Mapping[str, Format] = {one.name: one for one in FORMATS}


def test_every_problem_that_can_be_fixed_has_its_case() -> None:
    fixable = {(one.name, code) for one in FORMATS for code in one.fixes}

    assert set(CASES) == fixable


def made(tmp_path: Path, name: str, damage: Callable[[Path], None]) -> Changed:
    make, _ = KINDS[name]
    root = make(tmp_path / "store")
    damage(root)
    store = Changed(root, BY_NAME[name], tmp_path / "own")
    if name == "cognitive":
        _embed(store)
    store.library.index.check_fully()
    return store


def _embed(store: Changed) -> None:
    """Make vectors of all memories, as `recollect embed` does."""
    vectors = VectorFile(store.library.stores.path)
    with store.library.stores.reader() as reader:
        made = [(one, [0.5] * 768) for one in texts(reader)]
    vectors.put(store.root, MODEL, made)


@pytest.fixture(autouse=True)
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings with a provider, which nothing asks."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    told = f'[semantic]\nprovider = "ollama"\nmodel = "{MODEL}"\n'
    write(Places.usual().config, "config.toml", told)


@pytest.mark.parametrize(("name", "code"), CASES)
def test_a_problem_is_found_fixed_and_undone(
    tmp_path: Path, name: str, code: str
) -> None:
    with made(tmp_path, name, KINDS[name][1][code].wrong) as store:
        before = store.tree()
        modes = {path: (store.root / path).stat().st_mode for path in before}
        found = store.fixable(code)
        assert found, [one.code for one in store.problems()]

        planned = store.fix(code)
        store.library.index.check_fully()

        assert planned.left == ()
        assert store.problems(code) == []
        store.undo()
        assert store.tree() == before
        after = {path: (store.root / path).stat().st_mode for path in before}
        assert after == modes


@pytest.mark.parametrize(("name", "code"), CASES)
def test_what_is_nearest_to_a_problem_is_none(
    tmp_path: Path, name: str, code: str
) -> None:
    with made(tmp_path, name, KINDS[name][1][code].near) as store:
        assert store.problems(code) == []
