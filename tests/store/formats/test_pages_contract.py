from collections.abc import Mapping
from pathlib import Path

from store.formats.pages.format import FORMAT
from store.formats.port import Format
from tests.store.formats.contract import Damage, FormatContract
from tests.store.formats.notes_stores import write
from tests.store.formats.pages_stores import vault


def invalid_yaml(store: Path) -> str:
    write(store / "people/Zoe.md", "---\ntitle: A: b: c\n---\n\nx\n")
    return "people/Zoe.md"


def unclosed_header(store: Path) -> str:
    write(store / "people/Zoe.md", "---\ntitle: Zoe\n\nNothing closes this.\n")
    return "people/Zoe.md"


def foreign_encoding(store: Path) -> str:
    (store / "people/Zoe.md").write_bytes("# 内存\n".encode("gb18030"))
    return "people/Zoe.md"


class TestPages(FormatContract):
    is_sniffed = False
    trap = "people/trap.md"
    damages: Mapping[str, Damage] = {
        "invalid YAML": invalid_yaml,
        "unclosed header": unclosed_header,
        "foreign encoding": foreign_encoding,
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        vault(folder)
        return {"memories": 3, "claims": 5}
