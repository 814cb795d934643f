"""After a sync is killed at any moment, the next one repairs everything."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.bench.stores import make_store
from tests.bench.transcripts import make_transcripts
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf

TIMES = int(os.environ.get("RECOLLECT_TEST_KILLS", "6"))
LONGEST = 1.2
"""Seconds after which such a sync is over on any machine but a slow one."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Memories and transcripts, one of which is read in several pieces."""
    place = tmp_path_factory.mktemp("stores")
    make_store(place / "graph", 200)
    make_transcripts(place / "projects", 12_000_000)
    transcripts = sorted((place / "projects").rglob("*.jsonl"))
    whole = b"".join(path.read_bytes() for path in transcripts)
    (place / "projects/-code-all").mkdir()
    (place / "projects/-code-all/all.jsonl").write_bytes(whole)
    return place


@pytest.fixture(scope="module")
def whole(stores: Path, tmp_path_factory: pytest.TempPathFactory) -> object:
    shelf = Shelf(tmp_path_factory.mktemp("fresh") / "catalogue.db", stores)
    shelf.sync()
    return shelf.everything(), shelf.rows()


@pytest.mark.parametrize("seed", range(TIMES))
def test_the_next_sync_repairs_everything(
    stores: Path, whole: object, tmp_path: Path, seed: int
) -> None:
    moment = Random(seed).uniform(0.05, LONGEST)  # noqa: S311  # nothing secret
    command = [sys.executable, "-P", ROOT / "tui/start.py", "sync", "--events"]
    with subprocess.Popen(
        [*command, "--store", stores],
        stdout=subprocess.DEVNULL,
        env=dict(os.environ) | {"XDG_CACHE_HOME": str(tmp_path)},
    ) as process:
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)

    shelf = Shelf(tmp_path / "recollect/catalogue.db", stores)
    shelf.sync()
    assert (shelf.everything(), shelf.rows()) == whole
