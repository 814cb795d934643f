from collections.abc import Mapping
from pathlib import Path

from store.formats.notes.format import FORMAT
from store.formats.port import Format
from tests.store.formats.contract import Damage, FormatContract
from tests.store.formats.notes_stores import VARIANTS, note, write


def invalid_yaml(store: Path) -> str:
    write(
        store / "v1.md", "---\nname: v1\ndescription: A: b: c\ntype: user\n---\n\nx\n"
    )
    return "v1.md"


def unclosed_header(store: Path) -> str:
    write(store / "v1.md", "---\nname: v1\ntype: user\n\nNothing closes this.\n")
    return "v1.md"


def foreign_encoding(store: Path) -> str:
    (store / "v1.md").write_bytes(
        "---\nname: 内存\ntype: user\n---\n".encode("gb18030")
    )
    return "v1.md"


def index_that_leads_out(store: Path) -> str:
    write(store / "MEMORY.md", "- [key](../../.ssh/id_rsa) — the key\n")
    return "MEMORY.md"


class TestNotes(FormatContract):
    trap = "archive/trap.md"
    damages: Mapping[str, Damage] = {
        "invalid YAML": invalid_yaml,
        "unclosed header": unclosed_header,
        "foreign encoding": foreign_encoding,
        "an index that leads out": index_that_leads_out,
    }

    @property
    def format(self) -> Format:
        return FORMAT

    def make(self, folder: Path) -> Mapping[str, int]:
        for shape, header in VARIANTS.items():
            named = header.replace("Tabs\n", f"{shape}\n", 1)
            write(folder / f"{shape.lower()}.md", note(named, "See [[V0]].\n"))
        write(folder / "MEMORY.md", "- [V1](v1.md) — Tabs, not spaces\n")
        return {"memories": len(VARIANTS), "claims": len(VARIANTS), "documents": 1}
