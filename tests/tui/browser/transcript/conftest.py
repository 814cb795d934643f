"""A browser over sessions written by a test."""

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from store.discover import Found
from store.formats.notes.format import FORMAT as NOTES
from store.formats.transcripts.format import FORMAT as TRANSCRIPTS
from store.library import Library
from tests.store.answers.messages.conftest import library_of, session
from tests.store.formats import transcripts_stores as told
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.transcript import TalkPane

Lines = told.Line | bytes


@dataclass
class Reading:
    """A user who reads a session."""

    visit: Visit
    library: Library
    root: Path

    @property
    def pane(self) -> TalkPane:
        """The transcript pane, which must exist."""
        pane = self.visit.browser.parts.transcript.pane
        assert pane is not None
        return pane

    @property
    def lines(self) -> list[str]:
        """The lines below its header."""
        return [line for line in self.visit.pane("transcript")[1:] if line.strip()]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def grow(self, *lines: Lines) -> None:
        """Extend the session, and read it."""
        path = self.root / told.SLUG / f"{told.SESSION}.jsonl"
        path.write_bytes(path.read_bytes() + told.dumped(lines))
        self.library.sync()
        await self.visit.browser.parts.lists.looked()
        await self.visit.settle()


Opening = Callable[..., AbstractAsyncContextManager[Reading]]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clipboard is never used."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("SSH_CONNECTION", "here there")
    monkeypatch.setenv("PAGER", "true")
    for name in ("TMUX", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def reading(tmp_path: Path) -> Opening:
    """Opens the browser on a session, at its conversation."""

    @asynccontextmanager
    async def opened(
        *lines: Lines, size: tuple[int, int] = (120, 40), view: str = "4"
    ) -> AsyncGenerator[Reading]:
        root = tmp_path / "projects"
        session(root, *lines)
        stores = [Found(root, TRANSCRIPTS)]
        notes = root / told.SLUG / "memory"
        if notes.exists():
            stores.append(Found(notes, NOTES))
        with library_of(tmp_path, *stores) as library:
            async with visiting(library, size) as visit:
                await visit.press(view)
                yield Reading(visit, library, root)

    return opened
