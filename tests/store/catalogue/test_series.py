"""Real sessions at successive moments: each step equals a fresh sync."""

import shutil
from pathlib import Path

import pytest

from tests.project import ROOT
from tests.store.catalogue.stores import Shelf

SERIES = ROOT.parent / "shared" / "corpus" / "series"
SESSIONS = sorted(SERIES.glob("*/*")) if SERIES.is_dir() else []

pytestmark = pytest.mark.skipif(
    not SESSIONS, reason="the corpus of real sessions is not beside the project"
)


def everything(shelf: Shelf) -> object:
    opened = [shelf.show(each.ref) for each in shelf.conversations()]
    return shelf.everything(), opened, shelf.rows()


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.name)
def test_every_later_stage_gives_the_same_as_a_fresh_sync(
    shelf: Shelf, tmp_path: Path, session: Path
) -> None:
    place = shelf.places[0] / "projects/-code-project" / f"{session.name}.jsonl"
    place.parent.mkdir(parents=True)
    for number, stage in enumerate(sorted(session.glob("*.jsonl"))):
        shutil.copyfile(stage, place)
        shelf.sync()
        fresh = Shelf(tmp_path / f"fresh-{number}/catalogue.db", *shelf.places)
        fresh.sync()

        assert shelf.messages()
        assert everything(shelf) == everything(fresh), stage.name
