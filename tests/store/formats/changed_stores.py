"""A store changed through the library, and read again by independent readers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import yaml

from store.discover import Found
from store.edits.draft import Changeable
from store.edits.plan import Planned
from store.formats.port import Format
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.kinds.problems import Problem
from store.library import Library, Page, Writing
from store.machine import Places
from store.records.intents import Intent
from store.resource import Closing
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
        self.library.stores.choose([Found(root, format_)])
        self.library.sync()

    def plan(self, intent: Intent, *records: Changeable) -> Planned:
        return self.library.plans.plan(intent, records, self.root)

    def do(self, intent: Intent, *records: Changeable) -> Planned:
        """Plan a change and make it at once."""
        planned = self.plan(intent, *records)
        if not planned.is_idle:
            self.library.changes.apply(planned, is_permitted=True)
        return planned

    def fix(self, *codes: str, way: str = "") -> Planned:
        """Fix every problem with some codes, or all, in one change."""
        (planned,) = self.library.plans.plan_fixes(self.fixable(*codes), way)
        self.library.changes.apply(planned, is_permitted=True)
        return planned

    def fixable(self, *codes: str) -> list[Problem]:
        """The fixable problems with some codes, or all."""
        return [one for one in self.problems(*codes) if one.fix]

    def undo(self) -> None:
        self.library.changes.undo(is_permitted=True)

    def memory(self, title: str) -> Memory:
        (found,) = (one for one in self.memories() if one.title == title)
        return found

    def memories(self) -> Sequence[Memory]:
        found = self.library.lists.page("memories", Page())
        return [one for one in found if isinstance(one, Memory)]

    def edge(self, kind: str) -> Edge:
        (found,) = (one for one in self.edges() if one.type == kind)
        return found

    def edges(self) -> Sequence[Edge]:
        found = self.library.lists.page("edges", Page())
        return [one for one in found if isinstance(one, Edge)]

    def record(self, kind: str, path: str) -> Changeable:
        (found,) = (
            one
            for one in self.library.lists.page(kind, Page())
            if getattr(one, "path", None) == path
        )
        assert isinstance(found, Changeable)
        return found

    def problems(self, *codes: str) -> list[Problem]:
        found = self.library.lists.page("problems", Page())
        told = [one for one in found if isinstance(one, Problem)]
        return [one for one in told if not codes or one.code in codes]

    def codes(self) -> list[str]:
        """The codes of the store's problems, without notes."""
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
    """A header as a strict YAML reader sees it."""
    _, header, _ = text.replace("\r\n", "\n").removeprefix("\ufeff").split("---\n", 2)
    fields = yaml.safe_load(header)
    assert isinstance(fields, dict)
    return cast("dict[str, Any]", fields)
