"""Everything that is done to memories, by keys in a real terminal, and all undone."""

import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.catalogue.stores import linked, memory, write
from tests.tui.driver.session import Session

PROGRAM = "tui.cli"
THREE = "graph/fixes/memory-3.md"
MANY = range(50, 62)
PINNED = "vault/memory-3.md"
QUIT = "Q"

EDITOR = """
import pathlib, re, sys
theirs, mine = (pathlib.Path(name) for name in sys.argv[-2:])
text = mine.read_text()
if "<<<<<<<" in text:
    both = "<<<<<<< mine.(.*?)=======.*?>>>>>>> theirs."
    mine.write_text(re.sub(both, r"\\1", text, flags=re.DOTALL))
else:
    said = theirs.read_text()
    theirs.write_text(said.replace("importance: 0.5", "importance: 0.7"))
    mine.write_text(text.replace("importance: 0.5", "importance: 0.9") + "Mine.\\n")
"""
"""Writes while an agent does; where it has to choose, it keeps its own."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store, an editor, and nobody's home."""
    root, today = linked(tmp_path / "store"), datetime.now(UTC).isoformat()
    for number in (3, 4, *MANY):
        text = memory(number, created=today, updated=today)
        write(root, f"graph/fixes/memory-{number}.md", text)
    script = write(tmp_path, "editor.py", EDITOR)
    command = [sys.executable, str(script), str(root / PINNED)]
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home" / name))
    monkeypatch.setenv("VISUAL", shlex.join(command))
    return root


class Sitting(Session):
    """Somebody sits at the terminal, and waits for what the keys do."""

    def press(self, keys: str, *then: str) -> None:
        """Press keys; wait until all of that stands on the screen."""
        super().press(keys)
        for text in then:
            self.until(lambda text=text: self.shows(text))

    def ask(self, query: str, *then: str) -> None:
        """Ask for some memories, once nothing else is asked."""
        self.press("\x07", "words  tag:redis")
        self.press("/", "^r history")
        self.press(f"{query}\r", *then)


@contextmanager
def sitting(store: Path, *then: str) -> Generator[Sitting]:
    """The browser, opened on a store; what stands there once it is read."""
    opened = Sitting("-m", PROGRAM, str(store))
    try:
        opened.press("", "live", *then)
        yield opened
        opened.press(QUIT)
        assert opened.exit_code() == 0
    finally:
        opened.close()


def test_what_is_done_by_keys_is_undone_by_keys_on_another_day(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Changes are allowed", "RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3” · u undo")
        assert not (store / THREE).exists()

        at.press("e", "both changed it", "mine    importance: 0.9")
        at.press("", "was     importance: 0.5", "theirs  importance: 0.7")
        at.press("3", "save changes?", "+ Mine.")
        at.press("\r", "edited “Memory 3” · u undo")
        text = (store / PINNED).read_text(encoding="utf-8")
        assert "importance: 0.9" in text
        assert text.endswith("Mine.\n")

        at.ask("links>0", "2/16 ·")
        at.press("a", "✓ 2")
        at.press("m", "which of them stays?")
        at.press("\r", "go on")
        at.press("\r", "will change")
        at.press("\r", "merged 2 records · u undo", "0/15")

        at.ask("created<9d", "14/15 ·")
        at.press("a", "✓ 14")
        at.press("d", "plan", "Left out: Memory 3.")
        at.press("\r", "archived 13 records · 1 left out · u undo")
    changed = _bytes(store)
    assert changed != first

    with sitting(store, "↶ 4 undo") as at:
        at.press("u", "undone: archive")
        at.press("u", "undone: merge")
        at.press("u", "undone: edit")
        at.press("u", "not done", "+ importance: 0.7")
        at.press("\x07", "14/16")
        theirs = first[THREE].replace(b"importance: 0.5", b"importance: 0.7")
        unpinned = {path: raw for path, raw in first.items() if path != THREE}
        assert _bytes(store) == unpinned | {PINNED: theirs}
        for word in ("edit", "merge", "archive"):
            at.press("\x12", f"done again: {word}")
    assert _bytes(store) == changed


def _bytes(root: Path) -> dict[str, bytes]:
    """All that lies in a store."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }
