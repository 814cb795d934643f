"""REFLECTION.md: themes, patterns across projects, what was used most, insights."""

import re
from collections.abc import Callable, Mapping

from store.files.beneath import Blob
from store.files.frontmatter import Page
from store.findings import Findings, Value
from store.formats.cognitive.generated import Item, findings_of, head_of, sections_of
from store.formats.cognitive.prose import read_prose

_BOLD = re.compile(r"\*\*(.+?)\*\*:?\s*(.*)")
_ACROSS = "cross-project patterns"
_MEMORIES = re.compile(r"(?<!\d)(\d++)\s++memor")
_PROJECT = re.compile(r"(?<![^\s,()])([^\s,()]++)\s++\((\d++)\)")
_ACCESSES = re.compile(r"(?<!\d)(\d++)\s++access")
_MERGES = re.compile(r"merges performed:\s*+(\d++)", re.IGNORECASE)


def read_reflection(path: str, blob: Blob) -> Findings:
    """What each of its sections says, and the memories that it names."""
    page = read_prose(blob)
    sections = sections_of(page)
    facts: dict[str, Value] = dict(head_of(page))
    for name, items in sections.items():
        read = _SECTIONS.get(name.casefold())
        if read:
            facts[name.casefold()] = [fact for fact in map(read, items) if fact]
    items = [item for items in sections.values() for item in items]
    merges = _MERGES.search(page.body)
    if merges:
        facts["merges"] = merges[1]
    return findings_of(path, page, "reflection", facts, items)


def projects_of(page: Page) -> frozenset[str]:
    """Every project that the patterns of the page name."""
    sections = sections_of(page).items()
    items = [i for name, found in sections if name.casefold() == _ACROSS for i in found]
    bolds = (_BOLD.match(item.text) for item in items)
    named = (_PROJECT.findall(bold[2]) for bold in bolds if bold)
    return frozenset(project for found in named for project, _ in found)


def _theme(item: Item) -> Mapping[str, Value] | None:
    """`**fix + python**: 52 memories ("…")`."""
    bold = _BOLD.match(item.text)
    count = _MEMORIES.search(bold[2]) if bold else None
    return {"tags": bold[1], "memories": count[1]} if bold and count else None


def _pattern(item: Item) -> Mapping[str, Value] | None:
    """`**fix**: appears in major-domo (38), homelab (22)`."""
    bold = _BOLD.match(item.text)
    if not bold:
        return None
    return {"tag": bold[1], "projects": dict(_PROJECT.findall(bold[2]))}


def _accessed(item: Item) -> Mapping[str, Value] | None:
    """`[Title](path) - 5 accesses`."""
    count = _ACCESSES.search(item.link.rest) if item.link else None
    if not item.link or not count:
        return None
    return {"title": item.link.label, "accesses": count[1]}


def _insight(item: Item) -> str | None:
    """`[Title](path) - the beginning of it…`."""
    return item.link.label if item.link else None


_SECTIONS: Mapping[str, Callable[[Item], Value | None]] = {
    "themes": _theme,
    _ACROSS: _pattern,
    "most accessed": _accessed,
    "recent insights": _insight,
}
