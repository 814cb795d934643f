"""Terms that are others when folded are found in a list of any length."""

from hypothesis import given
from hypothesis import strategies as st

from store.catalogue.words import Terms
from store.text import fold

TERMS = st.lists(
    st.text("abcéßøÅ一ﬁ", min_size=1, max_size=9) | st.just("x" * 700), max_size=40
)


@given(TERMS)
def test_each_term_is_found_by_what_it_folds_to(terms: list[str]) -> None:
    found = Terms.of("\n".join(["", *terms, ""])).spelt

    folded: dict[str, list[str]] = {}
    for term in terms:
        if fold(term) != term:
            folded.setdefault(fold(term), []).append(term)
    assert found == folded
