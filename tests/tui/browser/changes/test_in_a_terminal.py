"""Changes by keys in a real terminal, each undone again."""

import shlex
import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.machine import Places
from store.state import count_start
from tests.store.catalogue.stores import linked, memory, write
from tests.tui.driver.session import Session

PROGRAM = "tui.start"
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
    """A store, an editor, and an empty home."""
    root, today = linked(tmp_path / "store"), datetime.now(UTC).isoformat()
    for number in (3, 4, *MANY):
        text = memory(number, created=today, updated=today)
        write(root, f"graph/fixes/memory-{number}.md", text)
    script = write(tmp_path, "editor.py", EDITOR)
    command = [sys.executable, str(script), str(root / PINNED)]
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home" / name))
    count_start(Places.usual())
    monkeypatch.setenv("VISUAL", shlex.join(command))
    return root


class Sitting(Session):
    """A user at the terminal who waits for the effect of each key."""

    def press(self, keys: str, *then: str) -> None:
        """Press keys, and wait until these texts are on the screen."""
        super().press(keys)
        for text in then:
            self.until(lambda text=text: self.shows(text))

    def ask(self, query: str, *then: str) -> None:
        """Search for memories once no other search is running."""
        self.press("\x07", "words  tag:redis")
        self.press("/", "^r history")
        self.press(f"{query}\r", *then)


@contextmanager
def sitting(store: Path, *then: str) -> Generator[Sitting]:
    """The browser, opened on a store that has been read."""
    opened = Sitting("-m", PROGRAM, str(store))
    try:
        opened.press("", "live", *then)
        yield opened
        opened.press(QUIT)
        assert opened.exit_code() == 0
    finally:
        opened.close()


def test_a_pin_moves_the_file_to_the_vault_and_back(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "Press ! to allow edits")
        assert _bytes(store) == first

        at.press("!", "Edits allowed", " RW")
        at.press("p", "pinned “Memory 3”, moved to vault/ · u undo")
        assert _bytes(store) == _pinned(first)
        at.press("p", "unpinned “Memory 3”, moved to graph/fixes/")
        assert _bytes(store) == first
        at.press("u", "undone: unpin")
        assert _bytes(store) == _pinned(first)


def test_a_concurrent_edit_is_merged_with_ones_own(
    store: Path,
) -> None:
    with sitting(store, "16/16") as at:
        at.press("!", "Edits allowed", " RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3”, moved to vault/ · u undo")
        pinned = _bytes(store)
        at.press("e", "both changed it", "mine    importance: 0.9")
        at.press("", "was     importance: 0.5", "theirs  importance: 0.7")
        at.press("3", "save changes?", "+ Mine.")
        at.press("\r", "edited “Memory 3” · u undo")
        text = (store / PINNED).read_text(encoding="utf-8")
        assert "importance: 0.9" in text
        assert text.endswith("Mine.\n")

        at.press("u", "undone: edit")
        theirs = pinned[PINNED].replace(b"importance: 0.5", b"importance: 0.7")
        assert _bytes(store) == pinned | {PINNED: theirs}


def test_two_memories_are_merged_field_by_field(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Edits allowed", " RW")
        at.ask("links>0", "2/16 ·")
        at.press("a", "✓ 2")
        at.press("m", "keep which memory?")
        at.press("\r", "continue", "both, concatenated")
        at.press("\r", "will change", "A backup is kept")
        at.press("v", "show plan")
        at.press("\r", "merged 1 other memory into “", "15/15")
        assert len(_bytes(store)) < len(first)

        at.press("u", "undone: merge", "16/16")
    assert _bytes(store) == first


def test_marks_survive_the_query_and_large_changes_are_shown_first(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Edits allowed", " RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3”, moved to vault/ · u undo")
        pinned = _bytes(store)
        at.ask("created<9d", "14/16 ·")
        at.press("a", "✓ 14")
        at.press("/", "^r history")
        at.press("\x15", "16/16")
        at.press('"Memory 50"\r', "1/16 ·", "✓ 14")
        at.press("d", "plan", "Left out: Memory 3.", "13 files will change")
        assert _bytes(store) == pinned
        at.press("\r", "archived 13 records · 1 left out · u undo")
        assert sum(raw != pinned[path] for path, raw in _bytes(store).items()) == 13

        at.press("u", "undone: archive")
        assert _bytes(store) == pinned == _pinned(first)


def test_a_change_of_one_day_is_undone_on_another(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Edits allowed", " RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3”, moved to vault/ · u undo")
        at.ask('"Memory 4"', '/ "Memory 4"', "1/16 ·")
        at.press("d", "archived “Memory 4” · u undo")
    changed = _bytes(store)

    with sitting(store, "↶2  This search is from your last session") as at:
        at.press("u", "undone: archive")
        assert _bytes(store) == _pinned(first)
        file = store / PINNED
        file.write_bytes(file.read_bytes().replace(b"0.5", b"0.7"))
        at.press("u", "Couldn't do that", "+ importance: 0.7")
        at.press("\x07")
        at.until(lambda: not at.shows("Couldn't do that"))
        file.write_bytes(first[THREE])
        at.press("u", "undone: pin")
        assert _bytes(store) == first
        at.press("\x12", "redone: pin")
        at.press("\x12", "redone: archive")
    assert _bytes(store) == changed


def _pinned(tree: dict[str, bytes]) -> dict[str, bytes]:
    """The content of a store once the third memory is in its vault."""
    rest = {path: raw for path, raw in tree.items() if path != THREE}
    return rest | {PINNED: tree[THREE]}


def _bytes(root: Path) -> dict[str, bytes]:
    """The content of a store."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


HANGS_UP = '#!/bin/sh\necho Half. >> "$1"\nkill -HUP $PPID\nexec sleep 60\n'


def test_a_terminal_lost_in_the_editor_leaves_a_draft_and_no_copy(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies, editor = tmp_path / "copies", write(tmp_path, "hangs-up", HANGS_UP)
    copies.mkdir()
    editor.chmod(0o700)
    monkeypatch.setenv("TMPDIR", str(copies))
    monkeypatch.setenv("VISUAL", str(editor))
    at = Sitting("-m", PROGRAM, str(store))
    try:
        at.press("", "live", "16/16")
        at.press("!", "Edits allowed", " RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("e")
        assert at.exit_code() == 128 + signal.SIGHUP
    finally:
        at.close()

    assert list(copies.iterdir()) == []
    (draft,) = (tmp_path / "home/XDG_STATE_HOME").rglob("drafts/*")
    assert draft.read_bytes().endswith(b"Half.\n")
