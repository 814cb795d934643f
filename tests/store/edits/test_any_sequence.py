"""Any sequence of changes, taken back to the last, leaves the store as it was."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from store.edits.refusals import ChangedOnDiskError, NotPossibleError
from tests.store.edits.trial import Here, Trial

PATHS = ("a.md", "b.md", "notes/c.md", "new/d.md")
contents = st.binary(max_size=30) | st.none()


class Changes(RuleBasedStateMachine):
    """A store, and what it is known to have been."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.trial = Trial.at(self.folder)
        self.trees: list[dict[str, Here | None]] = [self.trial.tree()]
        self.undone: list[dict[str, Here | None]] = []

    @rule(wanted=st.dictionaries(st.sampled_from(PATHS), contents, min_size=1))
    def change(self, wanted: dict[str, bytes | None]) -> None:
        steps = [self.trial.step(path, after) for path, after in wanted.items()]
        if all(step.before == step.after for step in steps):
            return
        self.trial.apply(*steps)
        self.trees.append(self.trial.tree())
        self.undone = []

    @precondition(lambda self: len(self.trees) > 1)
    @rule()
    def undo(self) -> None:
        self.trial.engine.undo()
        self.undone.append(self.trees.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.trial.engine.redo()
        self.trees.append(self.undone.pop())

    @rule(path=st.sampled_from(PATHS), theirs=st.binary(min_size=31, max_size=40))
    def another_writes(self, path: str, theirs: bytes) -> None:
        """It is noticed, and put right by hand, so that all goes on."""
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
        assert file.stat().st_mode == about.st_mode

    @rule()
    def start_again(self) -> None:
        self.trial.close()
        self.trial = Trial.again(self.folder)
        assert self.trial.engine.recover() == []

    @invariant()
    def the_store_is_as_it_is_known(self) -> None:
        if hasattr(self, "trial"):
            assert self.trial.tree() == self.trees[-1]

    def teardown(self) -> None:
        if not hasattr(self, "trial"):
            return
        try:
            while True:
                self.trial.engine.undo()
        except NotPossibleError:
            assert self.trial.tree() == self.trees[0]
        finally:
            self.trial.close()
            shutil.rmtree(self.folder)


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=15, stateful_step_count=12)
