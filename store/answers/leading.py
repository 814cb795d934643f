"""Answers about pointers: where what proves a figure is, if it is anywhere."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.catalogue.reader import Reader
from store.catalogue.views import AGENTS, EVENTS, MEASURES, Record
from store.catalogue.views.view import View

if TYPE_CHECKING:
    from store.catalogue.leads import Pointer
    from store.records.lead import Lead
    from store.records.measure import Measure

_VIEWS: Mapping[str, View[Record]] = {
    "measures": MEASURES,
    "events": EVENTS,
    "agents": AGENTS,
}


class Leading(Finding):
    """Answers for who wants to see the proof."""

    def leads(self, kind: str, rows: Sequence[int]) -> "dict[str, Lead]":
        """Where figures, events or agents lead, by their refs.

        A claim leads to what proves it; all else to the sitting that it belongs to, or
        to whatever else goes by its name.
        """
        with self._reader() as reader:
            found = reader.rows(_VIEWS[kind], rows, self._now)
            return {
                record.ref or "": self._lead(reader, record)
                for record in found.values()
            }

    def lead_to(self, store: str, text: str) -> "Lead":
        """Where a place leads that is named as pointers name theirs."""
        from store.catalogue.leads import Pointer, meant
        from store.records.lead import Lead

        with self._reader() as reader:
            ref = meant(reader, Pointer.of(text), store, "")
        return Lead(ref=ref)

    def _lead(self, reader: Reader, record: Record) -> "Lead":
        """Where one of them leads."""
        from store.catalogue.leads import Pointer, meant
        from store.records.lead import Lead
        from store.records.measure import Measure

        if isinstance(record, Measure) and record.pointer:
            return self._pointed(reader, record, record.pointer)
        for name in _names(record):
            pointer = Pointer.of(name)
            ref = meant(reader, pointer, record.store, record.ref or "")
            if ref is not None:
                return Lead(ref=ref)
        return Lead()

    def _pointed(self, reader: Reader, claim: "Measure", text: str) -> "Lead":
        """What a claim names as its proof: a record, a file, or what lies outside."""
        from store.catalogue.leads import Pointer, meant
        from store.records.lead import Lead

        pointer = Pointer.of(text)
        ref = meant(reader, pointer, claim.store, claim.ref)
        if ref is not None:
            return Lead(ref=ref)
        if "://" in pointer.text:
            return Lead(outside=pointer.text)
        return self._file(claim, pointer)

    def _file(self, claim: "Measure", pointer: "Pointer") -> "Lead":
        """The file that a pointer names, in the claim's own store or in another.

        An entry that is not in its file is nowhere.
        """
        from store.records.lead import Lead

        if pointer.entry or not pointer.path:
            return Lead()
        named = Path(pointer.path)
        if pointer.path.startswith("~/"):
            named = Path.home() / pointer.path[2:]
        stores = [Path(claim.store), *(one for one in self.chosen)]
        for store in stores:
            inside = _within(store, store / named)
            if inside:
                return Lead(store=str(store), path=inside, line=pointer.line)
        is_path = named.is_absolute() or "/" in pointer.path
        return Lead(outside=str(named) if is_path else "")


def _names(record: Record) -> Iterator[str]:
    """What leads on from a record that points to nothing itself."""
    from store.records.agent import Agent
    from store.records.event import Event
    from store.records.measure import Measure

    match record:
        case Measure():
            names = (record.session, record.id)
        case Event():
            names = (record.session,)
        case Agent(columns=columns):
            names = (columns.get("id"), columns.get("worktree_path"))
        case _:
            names = ()
    return (name for name in names if isinstance(name, str) and name)


def _within(store: Path, path: Path) -> str:
    """The path of a plain file in a store, relative to it; empty for any other."""
    try:
        real, root = os.path.realpath(path), os.path.realpath(store)
        is_there = Path(real).is_relative_to(root) and Path(real).is_file()
    except (OSError, ValueError):
        return ""
    return os.path.relpath(real, root) if is_there else ""
