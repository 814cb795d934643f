"""Folders of plain Markdown as people keep them, and helpers to read one."""

from pathlib import Path

from store.findings import Findings, MemoryFound
from store.formats.pages.format import FORMAT
from store.formats.port import Refused, Source
from tests.project import ROOT
from tests.store.formats.notes_stores import write

CORPUS = ROOT.parent / "shared" / "corpus"
"""Real pages, beside the project where they are there at all."""


def vault(root: Path) -> Path:
    """An Obsidian vault: titles are file names, links are names or paths."""
    write(
        root / "Retry policy.md",
        "---\naliases: [Retries]\ntags:\n  - http\n  - billing\ncreated: 2026-02-03\n"
        "---\nThree tries, see [[Billing service]] and [[people/Zoe#Phone|her]].\n"
        "![[diagram.png]]\n",
    )
    write(
        root / "Billing service.md",
        "Fails often, hence the [[Retries]]. Ask [Zoe](people/Zoe.md#phone).\n",
    )
    write(root / "people/Zoe.md", "# Zoe\n\nOwns [billing](../Billing%20service.md).\n")
    write(root / ".obsidian/plugins/notes.md", "# Not a page\n")
    write(root / ".trash/Old.md", "# Deleted long ago\n")
    (root / "diagram.png").write_bytes(b"\x89PNG")
    return root


def serena(root: Path) -> Path:
    """Serena's memories of a project: no headers, names with underscores."""
    write(root / "core.md", "# Core\n\nRead [[suggested_commands]] first.\n")
    write(root / "suggested_commands.md", "# Suggested Commands\n\n`make check`\n")
    write(
        root / "topic/style_guide.md", "# Style guide\n\nTabs: see [core](../core.md)\n"
    )
    return root


def scanned(root: Path) -> list[Source | Refused]:
    with FORMAT.open(root) as store:
        return list(store.scan())


def read_all(root: Path) -> dict[str, Findings]:
    with FORMAT.open(root) as store:
        return {
            source.path: store.read(source)
            for source in list(store.scan())
            if isinstance(source, Source)
        }


def memory_at(root: Path, path: str) -> MemoryFound:
    (memory,) = read_all(root)[path].memories
    return memory
