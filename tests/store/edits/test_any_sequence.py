"""Undoing any sequence of changes restores the store."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import Step
from store.errors import NotPossibleError
from store.files.writable import Attributes, attributes
from tests.examples import examples
from tests.store.edits.trial import Trial

PATHS = ("a.md", "b.md", "notes/c.md", "new/d.md")
contents = st.binary(max_size=30) | st.none()
lines = st.lists(
    st.binary(max_size=9).filter(lambda line: b"\n" not in line), min_size=1
)

Tree = dict[str, tuple[bytes, Attributes]]


def whole(root: Path) -> Tree:
    """Every file with its attributes and its time."""
    found: Tree = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                about = attributes(file.fileno())
                found[path.relative_to(root).as_posix()] = file.read(), about
    return found


class Changes(RuleBasedStateMachine):
    """A store, and its expected content."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.trial = Trial.at(self.folder)
        for number, path in enumerate(sorted(self.trial.root.rglob("*.*"))):
            path.chmod(0o600 + number)
            with suppress(OSError):
                os.setxattr(path, "user.note", b"%d" % number)
            os.utime(path, (number, number))
        self.trees: list[Tree] = [whole(self.trial.root)]
        self.undone: list[Tree] = []

    @rule(wanted=st.dictionaries(st.sampled_from(PATHS), contents, min_size=1))
    def change(self, wanted: dict[str, bytes | None]) -> None:
        steps = [self.trial.step(path, after) for path, after in wanted.items()]
        if all(step.before == step.after for step in steps):
            return
        self._change(*steps)

    @rule(path=st.sampled_from(PATHS), added=lines)
    def add(self, path: str, added: list[bytes]) -> None:
        if (self.trial.root / path).exists():
            self._change(self.trial.adding(path, *added))

    def _change(self, *steps: Step) -> None:
        self.trial.apply(*steps)
        self.trees.append(whole(self.trial.root))
        self.undone = []

    @precondition(lambda self: len(self.trees) > 1)
    @rule()
    def undo(self) -> None:
        self.trial.engine.undo()
        self.undone.append(self.trees.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        """Redo; times may differ."""
        self.trial.engine.redo()
        now, then = whole(self.trial.root), self.undone.pop()
        assert {p: raw for p, (raw, _) in now.items()} == {
            p: raw for p, (raw, _) in then.items()
        }
        self.trees.append(now)

    @rule(path=st.sampled_from(PATHS), theirs=st.binary(min_size=31, max_size=40))
    def another_writes(self, path: str, theirs: bytes) -> None:
        """Another program's write is noticed, and reverted by hand."""
        file = self.trial.root / path
        if not file.exists():
            return
        about, raw = file.stat(), file.read_bytes()
        step = self.trial.step(path, b"ours")
        file.write_bytes(theirs)
        with pytest.raises(ChangedOnDiskError) as caught:
            self.trial.apply(step)
        assert caught.value.conflicts[0].theirs == theirs
        assert file.read_bytes() == theirs
        file.write_bytes(raw)
        os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))

    @rule()
    def start_again(self) -> None:
        self.trial.close()
        self.trial = Trial.again(self.folder)
        assert self.trial.engine.recover() == []

    @invariant()
    def the_store_is_as_it_is_known(self) -> None:
        if hasattr(self, "trial"):
            assert whole(self.trial.root) == self.trees[-1]

    def teardown(self) -> None:
        if not hasattr(self, "trial"):
            return
        try:
            while True:
                self.trial.engine.undo()
        except NotPossibleError:
            assert whole(self.trial.root) == self.trees[0]
        finally:
            self.trial.close()
            shutil.rmtree(self.folder)


TestChanges = Changes.TestCase
TestChanges.settings = examples(15, steps=12)
