"""A change half done because another program wrote: mine, theirs or dismiss."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.conflict import HalfDoneError
from store.edits.draft import Draft, Marking
from store.edits.engine import Engine
from store.errors import NotPossibleError, NotWrittenError
from tests.examples import examples
from tests.store.edits.campaign import acts
from tests.store.edits.campaign.harness import DERIVED, Tree
from tests.store.edits.trial import FILES, Here, Trial

THEIRS = b"theirs\n"
LINES = ("lines.jsonl", "open.jsonl")

ACTS = [
    acts.tag,
    acts.link,
    acts.pin,
    acts.create,
    acts.delete,
    acts.put_away,
    acts.add_elsewhere_too,
]


def put(trial: Trial, tree: Tree, path: str) -> None:
    """Make a file as it is in a tree."""
    wanted, file = tree.get(path), trial.root / path
    if wanted is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(wanted.raw)
    file.chmod(wanted.mode)


def forget_the_end(trial: Trial) -> None:
    """Truncate the journal to before the last change was done."""
    journal = trial.changes / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))


def files(tree: Tree) -> dict[str, bytes]:
    return {path: here.raw for path, here in tree.items() if here is not None}


class HalfDone:
    """A change whose files are as before, as after, or as another program wrote."""

    def __init__(self, trial: Trial, act: acts.Act, draw: st.DataObject) -> None:
        acts.furnish(trial)
        self.trial, self.before = trial, trial.tree()
        act(trial)
        self.after = trial.tree()
        changed = sorted(
            path
            for path in files(self.before) | files(self.after)
            if self.before.get(path) != self.after.get(path)
        )
        fates = st.sampled_from(["before", "after", "theirs", "gone"])
        self.fates = {path: draw.draw(fates, label=path) for path in changed}
        victim = draw.draw(st.sampled_from([one for one in changed if one != DERIVED]))
        self.fates[victim] = "theirs"
        for path, placement in self.fates.items():
            theirs: Tree = {path: Here(THEIRS, 0o644)} if placement == "theirs" else {}
            put(
                trial,
                {"before": self.before, "after": self.after}.get(placement, theirs),
                path,
            )
        self.now = files(trial.tree())
        forget_the_end(trial)
        trial.engine.close()

    def found(self) -> str:
        """The name of the change at the next start."""
        self.trial.engine.recover()
        assert files(self.trial.tree()) == self.now
        ((past, conflicts),) = self.trial.engine.half_done()
        told = {one.path: one.theirs for one in conflicts}
        for path, placement in self.fates.items():
            if placement == "theirs" and path != DERIVED:
                assert told[path] == THEIRS
        assert past.half_done
        return past.change


def assert_over(trial: Trial) -> None:
    assert trial.engine.half_done() == []
    assert all(verdict.is_good for verdict in trial.engine.verify())


@examples(25)
@given(st.sampled_from(ACTS), st.data())
def test_mine_finishes_the_change_and_can_be_undone(
    tmp_path_factory: pytest.TempPathFactory, act: acts.Act, data: st.DataObject
) -> None:
    with Trial.at(tmp_path_factory.mktemp("mine")) as trial:
        half = HalfDone(trial, act, data)

        applied = trial.engine.resolve(half.found(), mine=True)

        assert_over(trial)
        assert applied is not None
        now, wanted = files(trial.tree()), files(half.after)
        for path in half.fates.keys() - {DERIVED, *LINES}:
            assert now.get(path) == wanted.get(path), path
        for path in half.fates.keys() & set(LINES):
            added = wanted[path][len(files(half.before)[path]) :].strip()
            assert added in now[path]
        trial.engine.undo()
        assert files(trial.tree()) == half.now


@examples(25)
@given(st.sampled_from(ACTS), st.data())
def test_theirs_stays_and_the_rest_of_the_change_is_undone(
    tmp_path_factory: pytest.TempPathFactory, act: acts.Act, data: st.DataObject
) -> None:
    with Trial.at(tmp_path_factory.mktemp("theirs")) as trial:
        half = HalfDone(trial, act, data)

        applied = trial.engine.resolve(half.found(), mine=False)

        assert_over(trial)
        now, was, ours = map(files, (trial.tree(), half.before, half.after))
        for path in half.fates:
            is_theirs = half.now.get(path) not in {was.get(path), ours.get(path)}
            expected = half.now if is_theirs else was
            assert now.get(path) == expected.get(path), path
        if applied is not None:
            trial.engine.undo()
            assert files(trial.tree()) == half.now


@given(st.sampled_from(ACTS), st.data())
def test_dismissing_leaves_everything_unchanged(
    tmp_path_factory: pytest.TempPathFactory, act: acts.Act, data: st.DataObject
) -> None:
    with Trial.at(tmp_path_factory.mktemp("dismissed")) as trial:
        half = HalfDone(trial, act, data)
        change = half.found()

        trial.engine.dismiss(change)

        assert_over(trial)
        assert files(trial.tree()) == half.now
        with pytest.raises(NotPossibleError):
            trial.engine.dismiss(change)


def test_a_half_done_undo_is_finished_as_an_undo(trial: Trial) -> None:
    acts.tag(trial)
    trial.engine.undo()
    (trial.root / "b.md").write_bytes(THEIRS)
    forget_the_end(trial)
    trial.engine.recover()
    ((past, _),) = trial.engine.half_done()
    assert past.action == "undo test"

    trial.engine.resolve(past.change, mine=True)

    assert {path: trial.raw(path) for path in FILES} == FILES
    assert [one.undone for one in trial.engine.past()] == [True]


def test_rows_of_a_database_are_resolved_as_well(trial: Trial) -> None:
    acts.furnish(trial)
    first = acts.titles(trial)
    acts.row(trial)
    with closing(sqlite3.connect(trial.root / "memory.db")) as connection, connection:
        connection.execute("UPDATE memories SET title = 'theirs' WHERE id = 1")
    forget_the_end(trial)
    trial.engine.recover()
    ((past, conflicts),) = trial.engine.half_done()
    assert [one.path for one in conflicts] == ["memory.db:memories"] * 2

    trial.engine.resolve(past.change, mine=True)

    assert acts.titles(trial) == ["first!", "new"]
    trial.engine.undo()
    assert acts.titles(trial) == ["theirs", "new"]
    assert first == ["first"]


@pytest.mark.parametrize("wins", ["mine", "theirs"])
def test_late_writes_can_be_chosen_or_rejected(trial: Trial, wins: str) -> None:
    trial.apply(trial.step("a.md", b"new\n"))
    (left,) = (trial.changes / "limbo").iterdir()
    with left.open("ab") as file:
        file.write(b"too late\n")
    trial.engine.recover()
    ((past, (conflict,)),) = trial.engine.half_done()
    late = FILES["a.md"] + b"too late\n"
    assert (conflict.ours, conflict.theirs) == (b"new\n", late)
    assert not all(verdict.is_good for verdict in trial.engine.verify())

    trial.engine.resolve(past.change, mine=wins == "mine")

    after, undone = (b"new\n", FILES["a.md"]) if wins == "mine" else (late, b"new\n")
    assert trial.raw("a.md") == after
    assert_over(trial)
    trial.engine.undo()
    assert trial.raw("a.md") == undone


def test_a_half_done_change_survives_a_purge(trial: Trial) -> None:
    acts.tag(trial)
    (trial.root / "b.md").write_bytes(THEIRS)
    forget_the_end(trial)
    trial.engine.recover()

    trial.engine.purge()

    ((_, (conflict,)),) = trial.engine.half_done()
    assert (conflict.base, conflict.theirs) == (FILES["b.md"], THEIRS)


def test_a_change_that_fails_half_way_says_how_to_resolve_it(trial: Trial) -> None:
    """Marks can't be kept, and by then another program has written to a file."""
    failures = [NotWrittenError("The marks can't be written.")]

    def remember(*_told: object) -> None:
        if failures:
            (trial.root / "a.md").write_bytes(THEIRS)
            raise failures.pop()

    steps = (trial.step("a.md", b"ours\n"), trial.step("b.md", b"ours\n"))
    mark = Marking(path="a.md", name="pinned", is_set=True)
    draft = Draft(action="pin", steps=steps, marks=(mark,))
    with Engine(trial.places, lambda: trial.now, remember) as engine:
        with pytest.raises(HalfDoneError, match="resolve") as caught:
            engine.apply(trial.root, draft)

        ((past, _),) = engine.half_done()
    assert (caught.value.exit_code, caught.value.change) == (3, past.change)
    assert [one.path for one in caught.value.conflicts] == ["a.md"]
    assert (trial.raw("a.md"), trial.raw("b.md")) == (THEIRS, FILES["b.md"])
