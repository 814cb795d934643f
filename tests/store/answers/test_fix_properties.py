"""After any fix of any damage, a fresh sync finds only what was left out."""

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.edits.plan import Left, Planned
from store.errors import NotPossibleError
from store.formats.port import Format
from store.kinds.problems import Problem
from tests.store.answers.damages import STORES, Damage
from tests.store.answers.strict_readers import is_read_strictly, says_what_files_say
from tests.store.formats.changed_stores import Changed

Names = Counter[tuple[str, str, int | None, str]]

SEEN_OTHERWISE = "hash-in-value"
"""What YAML reads in another way than this program does, which only notes it."""


def names(problems: Sequence[Problem]) -> Names:
    return Counter((one.code, one.path, one.line, one.message) for one in problems)


@pytest.mark.parametrize(("format_", "make", "damages"), STORES)
@given(st.data())
def test_a_fresh_sync_finds_only_what_was_left_out(
    format_: Format,
    make: Callable[[Path], Path],
    damages: Mapping[str, Damage],
    data: st.DataObject,
) -> None:
    wrong = st.lists(st.sampled_from(sorted(damages)), min_size=1, max_size=8)
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        root = make(here / "store")
        for name in dict.fromkeys(data.draw(wrong)):
            damages[name](root)
        with Changed(root, format_, here / "own") as store:
            before = store.tree()
            codes = sorted({one.code for one in store.fixable()})
            some = (
                data.draw(st.sets(st.sampled_from(codes)))
                if codes
                else frozenset[str]()
            )
            others = [one for one in store.problems(*some) if not one.fix]
            planned = fixed(store, store.fixable(*some)) if some else ()
            with Changed(root, format_, here / "fresh") as fresh:
                left = [one for each in planned for one in each.left]
                if planned:
                    assert_left(left, fresh.problems(*some), others)
                assert_read(root, planned, fresh.problems())
            for _ in planned:
                store.undo()
            assert store.tree() == before


def fixed(store: Changed, problems: Sequence[Problem]) -> Sequence[Planned]:
    """The change that was made; None if there was nothing to fix."""
    try:
        planned = store.library.plans.plan_fixes(problems)
    except NotPossibleError:
        return ()
    for one in planned:
        store.library.changes.apply(one, is_permitted=True)
    return planned


def assert_left(
    left: Sequence[Left], found: Sequence[Problem], others: Sequence[Problem]
) -> None:
    """A fresh sync finds exactly what was left out, each with a reason."""
    assert names(found) - names(others) == names([one.problem for one in left])
    assert all(one.reason for one in left)


def assert_read(
    root: Path, planned: Sequence[Planned], problems: Sequence[Problem]
) -> None:
    """Strict readers can read every file that was fixed and has no problem now."""
    damaged = {one.path for one in problems}
    written = {step.path for each in planned for step in each.draft.steps}
    for path in written - damaged:
        is_copy = path.startswith(".backup/")
        if (root / path).is_file() and not is_copy:
            assert is_read_strictly(path, (root / path).read_bytes()), path
    if all(one.severity == "note" and one.code != SEEN_OTHERWISE for one in problems):
        assert says_what_files_say(root)
