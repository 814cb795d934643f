"""Hostile transcripts, each with its expected outcome."""

from pathlib import Path

import pytest

from store.formats.port import Refused, Source
from store.formats.transcripts.format import FORMAT
from tests.store.formats.hostile import make_hostile
from tests.store.formats.transcripts_stores import read

NOTHING_OF_OURS = {"no-fields", "million-tiny", "empty", "only-newlines"}
"""Files that hold no line of Claude Code's; all but the empty ones are named."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "stores"
    make_hostile(folder, "transcript")
    return folder


def test_every_case_meets_its_expectation(hostile: Path) -> None:
    projects = hostile / "transcripts" / "projects"
    paths = sorted(projects.rglob("*.jsonl"))
    assert paths
    for path in paths:
        found = read(path, projects)
        name = path.stem
        if name in NOTHING_OF_OURS:
            assert not found.messages
            assert bool(found.flaws) is (name in {"no-fields", "million-tiny"})
        else:
            assert found.messages, name
            assert len({message.key for message in found.messages}) == len(
                found.messages
            )


def test_intact_parts_are_read(hostile: Path) -> None:
    folder = hostile / "transcripts" / "projects" / "-x-proj"
    texts = {
        path.stem: " ".join(m.text for m in read(path).messages)
        for path in folder.glob("*.jsonl")
    }
    for name in ("nul-hole", "lone-surrogate", "huge-numbers", "deep", "base64-5mb"):
        assert "CANARY-EV-0001" in texts[name], name
    for name in ("bom", "crlf", "torn-tail", "good"):
        assert "CANARY-EV-0000" in texts[name], name


def test_nothing_leads_out(hostile: Path) -> None:
    with FORMAT.open(hostile / "transcripts" / "projects") as opened:
        for found in opened.scan():
            assert isinstance(found, (Source, Refused))
            assert ".." not in found.path
