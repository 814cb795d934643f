from hypothesis import given
from hypothesis import strategies as st

from store.formats.cognitive.derived import (
    read_config,
    read_embeddings,
    read_index,
    read_state,
)
from tests.store.formats.cognitive_stores import blob

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
INDEX_KEYS = ["title", "type", "tags", "importance", "created", "path"]
EDGE_KEYS = ["strength", "from_id", "to_id"]
STATE_KEYS = ["access_count", "last_accessed", "decay_score"]
ENTRIES = st.dictionaries(
    st.sampled_from(INDEX_KEYS + EDGE_KEYS + STATE_KEYS), SCALARS | st.lists(SCALARS)
)
PARTS = SCALARS | st.dictionaries(st.text(), ENTRIES | SCALARS, max_size=3)
DOCUMENTS = PARTS | st.dictionaries(
    st.sampled_from(["version", "updated", "count", "entries", "edges", "model"]), PARTS
)


@given(DOCUMENTS)
def test_no_value_is_too_odd(value: object) -> None:
    for reader in (read_index, read_state, read_config, read_embeddings):
        findings = reader("_any.json", blob(value))
        assert findings.documents or findings.flaws


def test_a_damaged_state_says_what_follows_from_it() -> None:
    (flaw,) = read_state("_state.json", blob(b"{")).flaws

    assert flaw.message.startswith("Invalid JSON: ")
    assert "memories count as never used" in flaw.message
