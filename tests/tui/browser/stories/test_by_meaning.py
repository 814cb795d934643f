"""Search by meaning, asked of the provider in the settings."""

import json
from asyncio import to_thread
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest

from store.kinds.memories import Memory
from store.library import Library
from store.machine import Places
from store.settings import Semantic, Settings
from tests.store.catalogue.stores import Shelf, cognitive, memory, write
from tests.store.search.similar.provider import Local, answer
from tests.tui.browser.stories.visit import visiting
from tui.browser.session import Kept


def by_words(handler: BaseHTTPRequestHandler, local: Local) -> None:
    """Answers texts about fire with one vector, all others with another."""
    said = cast("dict[str, Any]", local.asked[-1].body)["input"]
    texts = [said] if isinstance(said, str) else said
    vectors = [
        [1.0, 0.1] if "kiln" in text.lower() or "oven" in text else [0.0, 1.0]
        for text in texts
    ]
    answer(json.dumps({"embeddings": vectors}).encode())(handler, local)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """Two memories, only one of which is about a kiln."""
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    store = cognitive(tmp_path / "stores/a", 0)
    for number, title in enumerate(("The kiln is slow", "Backup"), start=1):
        write(store, f"graph/fixes/{number}.md", memory(number, title=title))
    shelf.sync()
    with shelf.opened() as opened:
        yield opened


_LONGER_THAN_A_TEST = 3600.0
"""Seconds until a provider that never answers would be given up."""


def kept(semantic: Semantic) -> Kept:
    return Kept(Settings(semantic=semantic))


async def test_memories_are_found_in_other_words(library: Library) -> None:
    with Local(by_words) as local:
        list(library.embeddings(local.ollama()).embed({}, secrets=False))
        async with visiting(library, (120, 36), kept=kept(local.ollama())) as visit:
            await visit.press("j", "g", "f")
            await visit.type("oven")
            await visit.press("enter")

            assert "near in meaning, by ollama: oven" in visit.text
            assert "meaning 1.00" in visit.text
            await visit.press("enter")
            assert isinstance(visit.here, Memory)
            assert visit.here.title == "The kiln is slow"


async def test_a_provider_without_an_answer_is_reported(library: Library) -> None:
    def hold(_handler: BaseHTTPRequestHandler, local: Local) -> None:
        local.over.wait()

    with Local(by_words) as local:
        list(library.embeddings(local.ollama()).embed({}, secrets=False))
    with Local(hold) as local:
        semantic = local.ollama(seconds=0.2)
        async with visiting(library, (120, 36), kept=kept(semantic)) as visit:
            await visit.press("g", "f")
            await visit.type("zebra")
            await visit.press("enter")

            assert "didn't answer within 0.2 seconds" in visit.text


async def test_keys_answer_while_a_slow_provider_is_asked(library: Library) -> None:
    asked = Event()

    def hold(_handler: BaseHTTPRequestHandler, local: Local) -> None:
        asked.set()
        local.over.wait()

    with Local(by_words) as local:
        list(library.embeddings(local.ollama()).embed({}, secrets=False))
    with Local(hold) as local:
        semantic = local.ollama(seconds=_LONGER_THAN_A_TEST)
        async with visiting(library, (120, 36), kept=kept(semantic)) as visit:
            for again in (False, True):
                await visit.press("g", "f", *(("ctrl+a", "ctrl+k") if again else ()))
                await visit.pilot.press(*"oven", "enter")
                await to_thread(asked.wait)
                asked.clear()
                assert "Asking ollama" in visit.text
                before = visit.here
                await visit.pilot.press("escape", "k" if again else "j")
                await visit.settle()
                assert visit.here != before
            await visit.press("g", "f", "ctrl+a", "ctrl+k")
            await visit.pilot.press(*"oven", "enter")
            await to_thread(asked.wait)


async def test_without_a_provider_what_to_write_is_shown(
    library: Library, tmp_path: Path
) -> None:
    places = Places(*(tmp_path / name for name in ("cache", "state", "config")))
    async with visiting(library, (120, 36), kept=Kept(places=places)) as visit:
        await visit.press("g", "f")

        assert "Search by meaning is off." in visit.text
        assert "config.toml" in visit.text
        assert 'provider = "ollama"' in visit.text
