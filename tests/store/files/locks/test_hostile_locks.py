"""Hostile lock files, each with its expected outcome.

A tool beside the project generates them; without it the tests are skipped.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from store.errors import LockedError, RefusedError
from store.files import locks as lock
from store.machine import Places
from tests.project import ROOT
from tests.store.edits.trial import Trial, tree

TOOL = ROOT.parent / "shared" / "tools" / "hostile.py"
OWED = {"ok": None, "conflict": LockedError, "refuse": RefusedError}

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason="no hostile stores here")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    subprocess.run([sys.executable, TOOL, "make", folder, "--only", "lock"], check=True)
    return folder


def test_each_hostile_lock_gets_the_expected_outcome(
    stores: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.02)
    cases = _cases(stores)
    wrong: list[str] = []
    outside = tree(stores / "outside")

    for case in cases:
        root = (stores / case["path"]).parent
        found = _attempted(root, Places(tmp_path, tmp_path, tmp_path))
        if found is not OWED[case["expect"]]:
            wrong.append(f"{case['id']}: {found}")

    assert wrong == []
    assert len(cases) >= 16
    assert tree(stores / "outside") == outside


def _attempted(root: Path, places: Places) -> type[Exception] | None:
    """Write under the store's lock; returns why that was refused."""
    before = tree(root)
    with Trial(root, places) as trial:
        try:
            trial.apply(trial.step("core_memories.jsonl", b"new\n"), lock=".lock")
        except (LockedError, RefusedError) as error:
            assert tree(root) == before
            return type(error)
    assert trial.raw("core_memories.jsonl") == b"new\n"
    return None


def _cases(stores: Path) -> list[dict[str, Any]]:
    manifest = json.loads((stores / "MANIFEST.json").read_text("utf-8"))
    return [case for case in manifest["cases"] if case["path"].endswith("/.lock")]
