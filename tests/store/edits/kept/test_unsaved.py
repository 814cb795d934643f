"""Texts that were being edited when the program ended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import NotWrittenError
from tests.examples import USUAL, examples
from tests.store.edits.trial import Trial


@examples(USUAL, keeps_fixtures=True)
@given(st.text(st.characters()), st.binary(), st.none() | st.binary())
def test_any_text_is_kept_under_any_name(
    trial: Trial, name: str, raw: bytes, was: bytes | None
) -> None:
    trial.engine.unsaved.keep(name, b"before")
    trial.engine.unsaved.keep(name, raw, was)

    found = {draft.name: draft for draft in trial.engine.unsaved.all()}
    assert (found[name].raw, found[name].was) == (raw, was)
    trial.engine.unsaved.drop(name)
    assert name not in {draft.name for draft in trial.engine.unsaved.all()}


def test_drafts_are_listed_newest_first_without_other_files(trial: Trial) -> None:
    for name in ("one", "another"):
        trial.engine.unsaved.keep(name, b"text")
    (trial.changes / "drafts/broken.draft").write_bytes(b"{")

    assert [draft.name for draft in trial.engine.unsaved.all()] == ["another", "one"]
    assert (trial.changes / "drafts").stat().st_mode & 0o777 == 0o700
    trial.engine.unsaved.drop("never was")


def test_a_draft_that_cannot_be_saved_is_reported(trial: Trial) -> None:
    trial.changes.mkdir(parents=True)
    (trial.changes / "drafts").write_bytes(b"a file where the folder should be")

    with pytest.raises(NotWrittenError):
        trial.engine.unsaved.keep("a", b"text")
    with pytest.raises(
        NotWrittenError, match=r"Can't delete the draft: Not a directory\."
    ):
        trial.engine.unsaved.drop("a")
    assert trial.engine.unsaved.all() == []
