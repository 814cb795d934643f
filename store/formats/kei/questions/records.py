"""The records of a journal as they stand, for questions about single lines."""

from collections.abc import Iterator

from store.files.beneath import Root
from store.files.jsonl import parse, read_lines
from store.formats.kei.growing import Record


def numbered(root: Root, path: str) -> Iterator[tuple[int, Record]]:
    """Every record with the number of its line; raises UnreadableError."""
    for line in read_lines(root, path):
        for value in parse(line.raw).values if line.raw else ():
            if isinstance(value, dict):
                yield line.number, value
