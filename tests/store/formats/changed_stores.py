"""A store that is changed through the library, and read again by strangers to it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import yaml

from store.closing import Closing
from store.discover import Found
from store.edits.port import Changeable
from store.formats.port import Format
from store.library import Library, Page, Writing
from store.places import Places
from store.planning import Planned
from store.records.edge import Edge
from store.records.intents import Intent
from store.records.memory import Memory
from store.records.problem import Problem
from store.times import parse
from tests.store.formats.contract import tree

NOW_TEXT = "2026-03-01T12:00:00+00:00"
NOW = parse(NOW_TEXT).micros or 0


class Changed(Closing):
    """One store, its catalogue and its journal."""

    def __init__(
        self, root: Path, format_: Format, beside: Path, cache: Path | None = None
    ) -> None:
        """`cache` is where the catalogue is, if not beside the journal."""
        self.root = root
        self.format = format_
        cache = cache or beside / "cache"
        places = Places(cache, beside / "state", beside / "config")
        writing = Writing(places, clock=lambda: NOW)
        self.library = Library(cache / "catalogue.db", NOW, writing=writing)
        self.library.choose([Found(root, format_)])
        self.library.sync()

    def plan(self, intent: Intent, *records: Changeable) -> Planned:
        return self.library.plan(intent, records, self.root)

    def do(self, intent: Intent, *records: Changeable) -> Planned:
        """Plan a change and make it; nothing is left between both."""
        planned = self.plan(intent, *records)
        if not planned.is_idle:
            self.library.change(planned, is_permitted=True)
        return planned

    def undo(self) -> None:
        self.library.undo(is_permitted=True)

    def memory(self, title: str) -> Memory:
        (found,) = (one for one in self.memories() if one.title == title)
        return found

    def memories(self) -> Sequence[Memory]:
        found = self.library.page("memories", Page())
        return [one for one in found if isinstance(one, Memory)]

    def edge(self, kind: str) -> Edge:
        (found,) = (one for one in self.edges() if one.type == kind)
        return found

    def edges(self) -> Sequence[Edge]:
        found = self.library.page("edges", Page())
        return [one for one in found if isinstance(one, Edge)]

    def record(self, kind: str, path: str) -> Changeable:
        (found,) = (
            one
            for one in self.library.page(kind, Page())
            if getattr(one, "path", None) == path
        )
        assert isinstance(found, Changeable)
        return found

    def problems(self, *codes: str) -> list[Problem]:
        found = self.library.page("problems", Page())
        told = [one for one in found if isinstance(one, Problem)]
        return [one for one in told if not codes or one.code in codes]

    def codes(self) -> list[str]:
        """What is wrong in the store, as far as it is more than a note."""
        return sorted(p.code for p in self.problems() if p.severity != "note")

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def tree(self) -> dict[str, bytes]:
        return {
            path: (self.root / path).read_bytes()
            for path in tree(self.root)
            if (self.root / path).is_file()
        }

    def close(self) -> None:
        self.library.close()


def strictly(text: str) -> dict[str, Any]:
    """A header as a reader reads it that knows nothing but YAML."""
    _, header, _ = text.replace("\r\n", "\n").removeprefix("\ufeff").split("---\n", 2)
    fields = yaml.safe_load(header)
    assert isinstance(fields, dict)
    return cast("dict[str, Any]", fields)
