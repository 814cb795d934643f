"""The contract of every format, for a database and a tree of pages."""

from collections.abc import Mapping
from pathlib import Path

from store.formats.claudia.format import FORMAT
from store.formats.port import Format
from tests.store.formats.claudia_stores import page, small, small_tree
from tests.store.formats.contract import Damage, FormatContract


def garbage(store: Path) -> str:
    (store / "anima.db").write_bytes(b"\x8f\x07garbage" * 1000)
    return "anima.db"


def truncated(store: Path) -> str:
    raw = (store / "anima.db").read_bytes()
    (store / "anima.db").write_bytes(raw[:150])
    return "anima.db"


def emptied(store: Path) -> str:
    (store / "anima.db").write_bytes(b"")
    return "anima.db"


def no_settings(store: Path) -> str:
    page(store, "anima.json", "{ memory: { watchPath: ")
    return "anima.json"


def unclosed_header(store: Path) -> str:
    page(store, "insights/cones.md", "---\ntitle: Cones\n\nNothing closes this.\n")
    return "insights/cones.md"


class TestDatabase(FormatContract):
    trap = "claudia.db"
    damages: Mapping[str, Damage] = {
        "garbage": garbage,
        "a truncated file": truncated,
        "an empty file": emptied,
        "settings that are cut off": no_settings,
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        small(folder)
        page(folder, "anima.json", '{"memory": {"enabled": true}}')
        page(folder, "memory/libby/logs/1.md", "One episode is to be written.\n")
        return {"conversations": 2, "messages": 4, "documents": 3}


class TestTree(FormatContract):
    trap = "insights/trap.md"
    damages: Mapping[str, Damage] = {"an unclosed header": unclosed_header}

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        small_tree(folder)
        return {"episodes": 3, "documents": 5}
