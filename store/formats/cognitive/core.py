"""CORE.md: the summary of the memories that matter most now."""

import re

from store.files.beneath import Blob
from store.findings import Findings, Value
from store.formats.cognitive.generated import findings_of, head_of, sections_of
from store.formats.cognitive.prose import read_prose

_ACTIVE = re.compile(r"(?<!\d)(\d++)\s*+/\s*+(\d++)")


def read_core(path: str, blob: Blob) -> Findings:
    """When it was made, how much is active, how many memories each section names."""
    page = read_prose(blob)
    head = head_of(page)
    facts: dict[str, Value] = {}
    if "last updated" in head:
        facts["last updated"] = head["last updated"]
    active = _ACTIVE.search(head.get("active memories", ""))
    if active:
        facts |= {"active": active[1], "total": active[2]}
    sections = sections_of(page)
    facts["sections"] = {
        name: str(sum(item.link is not None for item in items))
        for name, items in sections.items()
        if name or items
    }
    items = [item for items in sections.values() for item in items]
    return findings_of(path, page, "core", facts, items)
