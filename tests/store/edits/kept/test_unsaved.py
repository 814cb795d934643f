"""What somebody was writing when the program ended."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.edits.refusals import NotWrittenError
from tests.store.edits.trial import Trial


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters()), st.binary(), st.none() | st.binary())
def test_any_text_is_kept_under_any_name(
    trial: Trial, name: str, raw: bytes, was: bytes | None
) -> None:
    trial.engine.keep_draft(name, b"before")
    trial.engine.keep_draft(name, raw, was)

    found = {draft.name: draft for draft in trial.engine.drafts()}
    assert (found[name].raw, found[name].was) == (raw, was)
    trial.engine.drop_draft(name)
    assert name not in {draft.name for draft in trial.engine.drafts()}


def test_the_newest_comes_first_and_what_is_no_draft_is_left_out(trial: Trial) -> None:
    for name in ("one", "another"):
        trial.engine.keep_draft(name, b"text")
    (trial.changes / "drafts/broken.draft").write_bytes(b"{")

    assert [draft.name for draft in trial.engine.drafts()] == ["another", "one"]
    assert (trial.changes / "drafts").stat().st_mode & 0o777 == 0o700
    trial.engine.drop_draft("never was")


def test_what_cannot_be_kept_is_said(trial: Trial) -> None:
    trial.changes.mkdir(parents=True)
    (trial.changes / "drafts").write_bytes(b"a file where the folder should be")

    with pytest.raises(NotWrittenError):
        trial.engine.keep_draft("a", b"text")
    with pytest.raises(NotWrittenError, match="cannot be removed"):
        trial.engine.drop_draft("a")
    assert trial.engine.drafts() == []
