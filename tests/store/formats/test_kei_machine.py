"""Journals of the kit pass the contract of editable formats."""

import json
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from store.formats.kei.format import FORMAT
from store.records.intents import Append, Intent, Set
from tests.store.formats.changes import USUAL, Changes, of_kind
from tests.store.formats.kei_stores import CLAIMS, TASKS, TRACE, jsonl, user, write

TEXTS = st.text(min_size=1, max_size=20)
TASK = st.fixed_dictionaries({"name": TEXTS, "duration_s": st.integers(0, 10**6)})
CLAIM = st.fixed_dictionaries(
    {"value": TEXTS, "evidence_tier": st.just("REAL"), "pointer": TEXTS}
)
ADDED: st.SearchStrategy[Intent] = st.one_of(
    st.builds(Append, kind=st.just("task"), fields=TASK),
    st.builds(Append, kind=st.just("claim"), fields=CLAIM),
)
REFUSED: st.SearchStrategy[Intent] = st.just(Set(name="name", value="other"))


def fill(root: Path) -> None:
    """A trace, and a journal whose last line lacks its newline."""
    write(root, TRACE, jsonl(user("What next?")))
    write(root, TASKS, jsonl({"kind": "start", "name": "a", "ts": "x"}).rstrip("\n"))


class Journals(Changes):
    """Every journal is lines of JSON, and append-only."""

    format = FORMAT
    first = st.just(fill)
    asked = ADDED.map(lambda intent: (intent, 0, "")) | of_kind(REFUSED, "measures")

    def assert_sound(self) -> None:
        for journal in (TASKS, CLAIMS):
            path = self.root / journal
            raw = path.read_bytes() if path.exists() else b""
            assert all(
                json.loads(line) for line in raw.removesuffix(b"\n").split(b"\n") if raw
            )
            first = self.trees[0].get(journal)
            assert first is None or raw.startswith(first.raw)


def test_journals_can_be_appended_to_in_any_order() -> None:
    run_state_machine_as_test(Journals, settings=USUAL)
