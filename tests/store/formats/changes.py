"""The contract of every editable format: any changes in any order, with failures.

A format subclasses `Changes` and provides its stores, the possible changes, and a
strict reader, independent of this program, that checks the result.
"""

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar, cast

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from store.edits.conflict import ChangedOnDiskError, Conflict
from store.edits.draft import Changeable, FileStep
from store.edits.plan import Planned
from store.errors import NotPossibleError, RecollectError
from store.formats.port import Format
from store.kinds import KINDS
from store.library import Page
from store.machine import Places
from store.records.intents import Intent
from tests.examples import examples
from tests.store.edits.campaign.harness import performed
from tests.store.edits.campaign.shim import Fault, Shim
from tests.store.edits.trial import Here, Trial, tree
from tests.store.formats.changed_stores import Changed

Tree = dict[str, Here | None]
PICKS = st.integers(0, 50)
"""Which record a step is about; identifiers are no two times the same."""

THEIRS = b"\nwhat somebody else wrote\n"
CALLS = 110
"""About so many calls of the system are in a change."""

LEFT_ALONE = frozenset({".lock"})


Asked = tuple[Intent, int, str]
"""What is asked, of how many records, and of which kind these are."""


Maker = Callable[[Path], object]
"""Writes a store."""


def asked(
    one: st.SearchStrategy[Intent],
    two: st.SearchStrategy[Intent],
    none: st.SearchStrategy[Intent],
) -> st.SearchStrategy[Asked]:
    """Intents for one memory, for two, and for the store itself."""
    return st.one_of(
        one.map(lambda intent: (intent, 1, "memories")),
        two.map(lambda intent: (intent, 2, "memories")),
        none.map(lambda intent: (intent, 0, "")),
    )


def of_kind(one: st.SearchStrategy[Intent], kind: str) -> st.SearchStrategy[Asked]:
    """Intents for one record of another kind."""
    return one.map(lambda intent: (intent, 1, kind))


class Changes(RuleBasedStateMachine):
    """A store, and its expected content after each change."""

    format: ClassVar[Format]
    first: ClassVar[st.SearchStrategy[Maker]]
    asked: ClassVar[st.SearchStrategy[Asked]]

    refusals: ClassVar[tuple[type[RecollectError], ...]] = ()
    """What else a format refuses by."""

    def assert_sound(self) -> None:
        """A strict reader finds the store valid for its own program."""
        raise NotImplementedError

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.folder = Path(mkdtemp())
        self.root = self.folder / "store"
        data.draw(self.first)(self.root)
        self.store = self.opened()
        self.trees = [self.tree()]
        self.undone: list[Tree] = []

    @rule(data=st.data(), pick=PICKS)
    def change(self, data: st.DataObject, pick: int) -> None:
        planned = self._planned(data, pick)
        if planned:
            self.store.library.changes.apply(planned, is_permitted=True)
            self._changed()

    @rule(data=st.data(), pick=PICKS, at=st.integers(1, CALLS))
    def crash(self, data: st.DataObject, pick: int, at: int) -> None:
        """Crash at any call; the next start leaves all of it or nothing."""
        planned = self._planned(data, pick)
        if not planned:
            return
        places = self._places()
        with Trial(self.root, places) as trial:
            ends = Shim(at, Fault.LAST)
            performed(
                trial,
                [lambda t: t.engine.apply(self.root, planned.draft, planned.refs)],
                ends.install,
            )
        self._again()
        if self.tree() != self.trees[-1]:
            self._changed()

    @rule()
    def undo(self) -> None:
        if len(self.trees) > 1:
            self.store.undo()
            self.undone.append(self.trees.pop())

    @rule()
    def redo(self) -> None:
        if self.undone:
            self.store.library.changes.redo(is_permitted=True)
            self.trees.append(self.undone.pop())

    @rule(data=st.data(), pick=PICKS)
    def another_writes(self, data: st.DataObject, pick: int) -> None:
        """Not one of its bytes is lost, whatever was planned; then it takes them back.

        What is derived is made from theirs, or left to them.
        """
        planned = self._planned(data, pick)
        files = [
            step
            for step in (planned.draft.steps if planned else ())
            if isinstance(step, FileStep) and step.before is not None
        ]
        if not planned or not files:
            return
        step = files[pick % len(files)]
        path = self.root / step.path
        about, raw = path.stat(), path.read_bytes()
        path.write_bytes(raw + THEIRS)
        if step.remake is None:
            with pytest.raises(ChangedOnDiskError):
                self.store.library.changes.apply(planned, is_permitted=True)
            assert path.read_bytes() == raw + THEIRS
        path.write_bytes(raw)
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))

    @rule(at=st.integers(1, CALLS), is_back=st.booleans())
    def crash_in_between(self, at: int, *, is_back: bool) -> None:
        """The same during undo and redo."""
        if (len(self.trees) > 1) if is_back else self.undone:
            ends = Shim(at, Fault.LAST)
            self.store.close()
            with Trial(self.root, self._places()) as trial:
                name = "undo" if is_back else "redo"
                performed(trial, [lambda t: getattr(t.engine, name)()], ends.install)
            self.store = self.opened()
            is_done = self.tree() != self.trees[-1]
            if is_done and is_back:
                self.undone.append(self.trees.pop())
            elif is_done:
                self.trees.append(self.undone.pop())

    @rule(pick=PICKS, is_before=st.booleans())
    def another_writes_for_good(self, pick: int, *, is_before: bool) -> None:
        """What is taken back leaves it there, or is refused with all three versions.

        What is derived may be made anew; then what they wrote is among the backups.
        What comes of it is looked at, and then all is as if nobody had written.
        """
        there = [
            name
            for name, here in self.trees[-1].items()
            if here and here.raw and not name.endswith(".db")
        ]
        if len(self.trees) < 2 or not there:
            return
        aside = self.folder.with_name(f"{self.folder.name}-aside")
        self.store.close()
        shutil.copytree(self.folder, aside, symlinks=True)
        self.store = self.opened()
        self._try_to_undo(self.root / there[pick % len(there)], is_before=is_before)
        self.store.close()
        shutil.rmtree(self.folder)
        aside.rename(self.folder)
        self.store = self.opened()

    def _try_to_undo(self, path: Path, *, is_before: bool) -> None:
        raw = path.read_bytes()
        path.write_bytes(THEIRS + raw if is_before else raw + THEIRS)
        theirs = self.tree()
        told = self._refused_to_undo()
        if told is not None:
            assert THEIRS in b"".join(one.theirs or b"" for one in told)
        else:
            kept = (self._places().state / "changes").glob("blobs/*")
            there = [file.read_bytes() for file in (path, *kept)]
            assert any(THEIRS.strip() in one for one in there)
            self.store.library.changes.redo(is_permitted=True)
        assert self.tree() == theirs

    def _refused_to_undo(self) -> Sequence[Conflict] | None:
        """Undo the last change; returns the reason if that is refused."""
        try:
            self.store.undo()
        except ChangedOnDiskError as error:
            return error.conflicts
        return None

    @rule()
    def start_again(self) -> None:
        """Another process continues, and reads the store from scratch."""
        self._again()
        own, cache = self.folder / "own", Path(mkdtemp(dir=self.folder))
        fresh = Changed(self.root, self.store.format, own, cache)
        with fresh:
            assert everything(self.store) == everything(fresh)

    @invariant()
    def it_is_as_it_is_known_and_sound(self) -> None:
        if hasattr(self, "store"):
            assert self.tree() == self.trees[-1]
            self.assert_sound()

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        for before in reversed(self.trees[:-1]):
            self.store.undo()
            assert self.tree() == before
        self.store.close()
        shutil.rmtree(self.folder)

    def tree(self) -> Tree:
        """The whole content of the store, without empty folders."""
        found = tree(self.root)
        return {
            name: here
            for name, here in found.items()
            if name not in LEFT_ALONE
            and (here or any(other.startswith(f"{name}/") for other in found))
        }

    def _planned(self, data: st.DataObject, pick: int) -> Planned | None:
        """A possible change; None if the format has none of this kind."""
        intent, count, kind = data.draw(self.asked)
        page = self.store.library.lists.page(kind, Page()) if count else ()
        there = sorted(page, key=_place)
        if len(there) < count:
            return None
        at = sorted({(pick + step * 7) % len(there) for step in range(count)})
        if len(at) < count:
            return None
        try:
            records = [cast("Changeable", there[one]) for one in at]
            planned = self.store.plan(intent, *records)
        except (NotPossibleError, *self.refusals):
            return None
        return None if planned.is_idle or not planned.draft.steps else planned

    def _changed(self) -> None:
        self.trees.append(self.tree())
        self.undone = []

    def _again(self) -> None:
        self.store.close()
        self.store = self.opened()

    def opened(self) -> Changed:
        """The store, its catalogue and its journal as they are now."""
        return Changed(self.root, self.format, self.folder / "own")

    def _places(self) -> Places:
        beside = self.folder / "own"
        return Places(beside / "cache", beside / "state", beside / "config")


def _place(record: object) -> tuple[str, int, str]:
    """The place of a record, since its ref depends on the folder."""
    told = [getattr(record, name, None) for name in ("path", "line", "title")]
    path, line, title = told
    return str(path), line or 0, str(title)


def everything(store: Changed) -> dict[str, list[str]]:
    """Everything in a catalogue, in a fixed order."""
    return {
        kind: sorted(map(repr, store.library.lists.page(kind, Page())))
        for kind in KINDS
    }


USUAL = examples(5, steps=10, shrinks=False)
"""With new identifiers each time, shrinking takes minutes and leads nowhere."""
