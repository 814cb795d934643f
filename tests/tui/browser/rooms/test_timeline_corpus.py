"""A real session on the screen matches independent counts."""

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.store.answers.test_spans_corpus import (
    CORPUS,
    ORACLE,
    divided,
    typed_meanwhile,
)
from tests.store.catalogue.stores import micros
from tests.tui.browser.stories.visit import Visit, visiting
from widgets.timeline import tokens_of
from widgets.timeline_lines import lasting

SESSION = "03a1382e-ecd5-42c4-b3d4-5c659e165904"
"""Three conversations of one day, with hours between them."""

pytestmark = pytest.mark.skipif(
    not ORACLE.exists(), reason="the corpus of real sessions is not beside the project"
)


@pytest.fixture
def transcript() -> Path:
    return next((CORPUS / "claude").glob(f"*/projects/*/{SESSION}.jsonl"))


@pytest.fixture
def library(tmp_path: Path, transcript: Path) -> Iterator[Library]:
    """The project of the session, as of the next day."""
    now = micros("2026-02-08T12:00:00Z")
    with Library(tmp_path / "catalogue.db", now) as opened:
        opened.stores.choose(beneath([transcript.parents[1]], FORMATS).stores)
        opened.sync()
        yield opened


async def test_a_real_session_is_three_blocks_with_pauses_between(
    library: Library, transcript: Path
) -> None:
    oracle = told_of(transcript)
    talks = list(divided(transcript))
    queued = len(list(typed_meanwhile(transcript)))

    async with visiting(library, (220, 50)) as visit:
        await visit.press("4")
        await visit.ask(f"session:{SESSION}")
        await visit.press("equals_sign")
        text = "\n".join(visit.pane("list-conversations"))
        told = re.findall(r"┊ (.*) quiet$", text, flags=re.MULTILINE)
        assert told == [lasting(b[0] - a[-1]) for a, b in pairwise(talks)]
        assert "3 conv" in text

        assert await column(visit, "entries") == sorted(map(len, talks), reverse=True)
        assert sum(await column(visit, "tools")) == oracle["tool_uses"]
        prompts = oracle["user_kinds"]["prompt"] + queued
        assert sum(await column(visit, "prompts")) == prompts
        kinds = ("input_tokens", "output_tokens", "cache_read", "cache_creation")
        spent = sum(oracle[kind] for kind in kinds)
        talked = [one for one in visit.table.rows.page(0, 3) if one is not None]
        assert sum(map(tokens_of, talked)) == spent


async def column(visit: Visit, name: str) -> list[int]:
    """The text of the column that the list is sorted by."""
    visit.browser.parts.lists.order.sort(name)
    await visit.settle()
    head, *lines = visit.pane("list-conversations")
    found = re.search(rf"\b{name} ?▼|▼{name}\b", head)
    assert found
    end = found.end()
    return [int(line[:end].split()[-1]) for line in lines if line.strip()]


def told_of(transcript: Path) -> dict[str, Any]:
    """The oracle's counts of a session."""
    place = transcript.relative_to(CORPUS).as_posix()
    lines = map(json.loads, ORACLE.read_text(encoding="utf-8").splitlines())
    return next(one for one in lines if one["path"] == place)
