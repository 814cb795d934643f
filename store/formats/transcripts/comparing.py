"""The watched folder and its backup side by side: what was imported, what was not."""

from collections.abc import Iterator, Mapping

from store.files.beneath import Root
from store.files.jsonl import parse, split_lines
from store.findings import Json
from store.formats.port import Source
from store.formats.transcripts.bases import Bases
from store.formats.transcripts.roles import GROWING
from store.formats.transcripts.scan import sources
from store.transcript import entry_text


def compare(bases: Bases) -> Iterator[Mapping[str, Json]]:
    """Every key, where it is, how large, and when its last entry was written."""
    live = _transcripts(bases.live)
    saved = _transcripts(bases.backup) if bases.backup else {}
    for path in sorted(live.keys() | saved.keys()):
        here, there = live.get(path), saved.get(path)
        entries, last = _entries(bases, path)
        yield {
            "path": path,
            "where": "both" if here and there else "live" if here else "backup",
            "live_bytes": here.stamp.size if here else None,
            "backup_bytes": there.stamp.size if there else None,
            "entries": entries,
            "last_entry": last,
        }


def _transcripts(root: Root) -> dict[str, Source]:
    return {found.path: found for found in sources(root) if found.role in GROWING}


def _entries(bases: Bases, path: str) -> tuple[int, Json]:
    """How many entries the ingestion of spec 004 makes of a file, and its last time."""
    count, last = 0, None
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                if isinstance(value, dict) and entry_text(value):
                    count += 1
                    last = value.get("timestamp") or last
    return count, last
