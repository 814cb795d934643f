"""Programs started for a file get it harmless."""

import shutil
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive
from tests.tui.browser.safety.sent import sent
from tests.tui.browser.safety.texts import SEQUENCES
from tests.tui.browser.safety.walking import Stores, walking
from tests.tui.terminal.terminal import terminal

QUIT = b"\x11"


def with_a_hostile_memory(folder: Path) -> Path:
    store = cognitive(folder / "store", 1)
    note = next(store.rglob("memory-1.md"))
    with note.open("a", encoding="utf-8", newline="") as file:
        file.write("\n\n".join(SEQUENCES) + "\nTHE END\n")
    return store


@pytest.mark.parametrize("pager", ["cat", "less -R"])
def test_a_pager_gets_a_harmless_file(tmp_path: Path, pager: str) -> None:
    if shutil.which(pager.partition(" ")[0] or "less") is None:
        pytest.skip(f"{pager} is not installed")
    store = with_a_hostile_memory(tmp_path)
    with terminal("tui.start", str(store), home=tmp_path, PAGER=pager) as opened:
        opened.until("Memory 1")
        opened.type(b"o")
        opened.until("\x1b[?1049l")
        shown = opened.until("PWNED")
        opened.type(b"" if pager == "cat" else b"q")
        opened.until("\x1b[?1049h")
        opened.until("\x1b[?2004h")
        opened.type(QUIT)

        assert opened.end() == 0
    before, _, _ = shown.partition(b"PWNED")
    assert "␛]0;".encode() in before
    assert b"\x1b]" not in before


@pytest.mark.parametrize(
    ("pager", "told"), [("'less", "quote"), ("no-such-program", "Can't run")]
)
def test_a_missing_pager_is_reported(tmp_path: Path, pager: str, told: str) -> None:
    store = with_a_hostile_memory(tmp_path)
    with terminal("tui.start", str(store), home=tmp_path, PAGER=pager) as opened:
        opened.until("Memory 1")
        opened.type(b"o")
        opened.until(told)
        opened.type(QUIT)

        assert opened.end() == 0


def test_copied_text_is_harmless(at_home: Stores) -> None:
    steps = [["1", "/", "text:path:vault", "enter", "enter", "enter"], ["y", "b"]]
    with walking(at_home, steps, "frugal", PATH="/nowhere") as opened:
        assert opened.end() == 0
    (copied,) = at_home.home.rglob("recollect-clip")
    text = copied.read_text(encoding="utf-8")
    assert "PWNED" in text
    assert not set(text) & {chr(one) for one in (*range(9), *range(11, 32), 127)}
    assert sent(opened.shown[-200:], is_shown=False).acting == ()
