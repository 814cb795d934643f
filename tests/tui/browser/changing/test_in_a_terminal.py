"""What is done to memories by keys in a real terminal, each of it undone again."""

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


def test_a_pin_takes_the_file_to_the_vault_and_back(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "read-only here; ! allows changes")
        assert _bytes(store) == first

        at.press("!", "Changes are allowed", "RW")
        at.press("p", "pinned “Memory 3” · u undo")
        assert _bytes(store) == _pinned(first)
        at.press("p", "unpinned “Memory 3” · u undo")
        assert _bytes(store) == first
        at.press("u", "undone: unpin")
        assert _bytes(store) == _pinned(first)


def test_what_another_wrote_meanwhile_is_put_together_with_ones_own(
    store: Path,
) -> None:
    with sitting(store, "16/16") as at:
        at.press("!", "Changes are allowed", "RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3” · u undo")
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


def test_two_memories_become_one_field_by_field(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Changes are allowed", "RW")
        at.ask("links>0", "2/16 ·")
        at.press("a", "✓ 2")
        at.press("m", "which of them stays?")
        at.press("\r", "go on", "both, one after the other")
        at.press("\r", "will change", "What was there is kept")
        at.press("v", "view the plan")
        at.press("\r", "merged 2 records · u undo", "0/15")
        assert len(_bytes(store)) < len(first)

        at.press("u", "undone: merge", "2/16")
    assert _bytes(store) == first


def test_marks_outlive_the_query_and_much_at_once_is_shown_first(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Changes are allowed", "RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3” · u undo")
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


def test_what_was_done_one_day_is_undone_on_another(store: Path) -> None:
    first = _bytes(store)
    with sitting(store, "16/16") as at:
        at.press("!", "Changes are allowed", "RW")
        at.ask('"Memory 3"', '/ "Memory 3"', "1/16 ·")
        at.press("p", "pinned “Memory 3” · u undo")
        at.ask('"Memory 4"', '/ "Memory 4"', "1/16 ·")
        at.press("d", "archived “Memory 4” · u undo")
    changed = _bytes(store)

    with sitting(store, "↶ 2 undo") as at:
        at.press("u", "undone: archive")
        assert _bytes(store) == _pinned(first)
        file = store / PINNED
        file.write_bytes(file.read_bytes().replace(b"0.5", b"0.7"))
        at.press("u", "not done", "+ importance: 0.7")
        at.press("\x07")
        at.until(lambda: not at.shows("not done"))
        file.write_bytes(first[THREE])
        at.press("u", "undone: pin")
        assert _bytes(store) == first
        at.press("\x12", "done again: pin")
        at.press("\x12", "done again: archive")
    assert _bytes(store) == changed


def _pinned(tree: dict[str, bytes]) -> dict[str, bytes]:
    """All that lies in a store once the third memory is in its vault."""
    rest = {path: raw for path, raw in tree.items() if path != THREE}
    return rest | {PINNED: tree[THREE]}


def _bytes(root: Path) -> dict[str, bytes]:
    """All that lies in a store."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }
