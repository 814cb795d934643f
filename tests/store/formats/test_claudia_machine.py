"""Databases of Claudia pass the contract of editable formats."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from store.errors import LockedError
from store.formats.claudia.format import FORMAT
from store.records.intents import Delete, Intent, Set, Transit
from tests.store.formats.changes import USUAL, Changes, of_kind
from tests.store.formats.claudia_stores import small

STATUSES = (
    *("active", "ready", "queued", "processing"),
    *("archived", "skipped", "review"),
)
ASKED: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Transit, status=st.sampled_from(STATUSES), summary=st.none() | st.text()),
    st.builds(Set, name=st.just("summary"), value=st.none() | st.text()),
    st.just(Delete()),
)


class Databases(Changes):
    """SQLite finds the database intact, and its other tables are unchanged."""

    format = FORMAT
    first = st.sampled_from([small, lambda root: small(root, level=6)])
    asked = st.one_of(
        of_kind(ASKED, "conversations"),
        st.just((Transit(status="queued"), 0, "")),
    )
    refusals = (LockedError,)

    def assert_sound(self) -> None:
        with closing(sqlite3.connect(self.root / "anima.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
            found = connection.execute("SELECT status FROM memory_conversations")
            assert {status for (status,) in found} <= set(STATUSES)


@pytest.fixture
def allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner allows changes of Claudia's databases."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = tmp_path / "config" / "recollect" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[claudia]\nwrites = true\n", encoding="utf-8")


@pytest.mark.usefixtures("allowed")
def test_databases_can_be_changed_in_any_order() -> None:
    run_state_machine_as_test(Databases, settings=USUAL)
