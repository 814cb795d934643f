"""Notes stores as their writers make them, and helpers to read one."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from store.files.beneath import Root
from store.findings import Findings, MemoryFound, Severity
from store.formats.notes.format import FORMAT
from store.formats.port import Refused, Source
from tests.project import ROOT

CORPUS = ROOT.parent / "shared" / "corpus" / "memory"
"""Real stores, beside the project where they are there at all."""

NAMED = "name: Tabs\ndescription: Tabs, not spaces\n"

VARIANTS: Mapping[str, str] = {
    "V0": "",
    "V1": f"{NAMED}type: feedback\n",
    "V2": f"{NAMED}type: feedback\noriginSessionId: 0e207608\n",
    "V3": f"{NAMED}metadata:\n  type: feedback\n",
    "V4": f"{NAMED}metadata: \n  node_type: memory\n  type: feedback\n",
    "V5": f"{NAMED}metadata: \n  node_type: memory\n  type: feedback\n"
    "  originSessionId: 0e207608\n",
    "V6": f"{NAMED}metadata: \n  node_type: memory\n  type: feedback\n"
    "  originSessionId: 0e207608\n  modified: 2026-08-06T16:42:40.669Z\n",
}
"""A header of every known shape, as its writer leaves it."""


def write(path: Path, text: str) -> Path:
    """Write a file of a store, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def note(header: str, body: str = "Use tabs.\n") -> str:
    return f"---\n{header}---\n\n{body}" if header else body


def scanned(store: Path) -> dict[str, Source | Refused]:
    with FORMAT.open(store) as opened:
        return {found.path: found for found in opened.scan()}


def refusals(store: Path) -> dict[str, str]:
    """The code of every refusal, by path."""
    found = scanned(store).values()
    return {each.path: each.flaw.code for each in found if isinstance(each, Refused)}


def read_all(store: Path) -> dict[str, Findings]:
    with FORMAT.open(store) as opened:
        sources = [found for found in opened.scan() if isinstance(found, Source)]
        return {source.path: opened.read(source) for source in sources}


def read_note(folder: Path, text: str, path: str = "tabs.md") -> Findings:
    """The findings in the only file of a store."""
    store = folder / "one-note"
    shutil.rmtree(store, ignore_errors=True)
    write(store / path, text)
    return read_all(store)[path]


def memory_of(findings: Findings) -> MemoryFound:
    (memory,) = findings.memories
    return memory


def codes(findings: Findings) -> list[str]:
    """The codes of all problems except notes."""
    worse = (flaw for flaw in findings.flaws if flaw.severity is not Severity.NOTE)
    return [flaw.code for flaw in worse]


def sniffs(folder: Path) -> bool:
    with Root(folder) as root:
        return FORMAT.sniff(root)


def corpus(name: str) -> Path:
    """A real store of the corpus."""
    store = CORPUS / name / ".claude" / "memory"
    if not store.is_dir():
        pytest.skip("The corpus of real stores is not beside the project.")
    return store


def write_untyped(root: Path, count: int) -> None:
    """Many notes without a type, each of which names the next one."""
    for number in range(count):
        name = f"note-{number:04d}"
        header = f"name: {name}\ndescription: The note {number}\n"
        write(root / f"{name}.md", note(header, f"See [[note-{number + 1:04d}]].\n"))
