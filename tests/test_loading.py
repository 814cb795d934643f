"""A command loads what it uses: nothing that reads files if none has changed."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import demo
from tests.conftest import Recollect
from tests.paths import WATCH

Loaded = Callable[..., dict[str, bool]]


@pytest.fixture
def loaded(recollect: Recollect, tmp_path: Path) -> Loaded:
    """Run a command; returns the modules that it loads, and whether each is used."""
    place, ahead = tmp_path / "loaded.json", tmp_path / "ahead"
    ahead.mkdir()
    text = WATCH.replace("PLACE", repr(str(place)))
    (ahead / "sitecustomize.py").write_text(text, encoding="utf-8")

    def run(*words: str) -> dict[str, bool]:
        answer = recollect(*words, ahead=ahead)
        assert answer.returncode == 0, answer.stderr
        return json.loads(place.read_text(encoding="utf-8"))

    return run


@pytest.fixture
def stores(tmp_path: Path) -> str:
    demo.write(tmp_path / "samples", datetime(2026, 3, 1, tzinfo=UTC))
    return str(tmp_path / "samples")


def test_a_list_of_unchanged_stores_loads_few_modules_and_uses_most(
    loaded: Loaded, stores: str
) -> None:
    loaded("sync", "-s", stores)

    modules = loaded("list", "memories", "--json", "-s", stores)

    unused = sorted(name for name, is_used in modules.items() if not is_used)
    assert len(modules) <= 68
    assert len(unused) <= 13, unused
    assert not {name for name in modules if name.endswith((".read", ".edit"))}


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_loads_no_stores(loaded: Loaded, option: str) -> None:
    modules = loaded(option)

    assert len(modules) <= 30
    assert "store.library" not in modules
    assert not {name for name in modules if name.startswith("store.formats.")}
