from hypothesis import example, given
from hypothesis import strategies as st

from store.search.parse import DEEPEST, parse
from store.search.tree import ALL, LONGEST, All, Either, Node, Not
from tests.store.search.query.trees import HOSTILE

KINDS = st.none() | st.sets(st.sampled_from(sorted(ALL)), min_size=1)


@given(text=HOSTILE, kinds=KINDS, is_finished=st.booleans())
@example(text="(" * LONGEST, kinds=None, is_finished=False)
@example(text="-(" * (LONGEST // 2), kinds=None, is_finished=False)
@example(text="()" * (LONGEST // 2), kinds=None, is_finished=False)
@example(text='"' * LONGEST, kinds=None, is_finished=False)
@example(text="/\\" * (LONGEST // 2), kinds=None, is_finished=False)
@example(text="/ " * (LONGEST // 2), kinds=None, is_finished=False)
@example(text="type:x," * 570, kinds={"memories"}, is_finished=True)
@example(text="a<1 " * 1000, kinds=None, is_finished=True)
@example(text="stage:zz," * 440, kinds=None, is_finished=True)
def test_any_text_has_an_answer(
    text: str, kinds: set[str] | None, *, is_finished: bool
) -> None:
    query = parse(text, kinds, is_finished=is_finished)
    end = 0
    for part in query.parts:
        assert end <= part.span.start < part.span.end <= len(text)
        assert not text[end : part.span.start].strip()
        end = part.span.end
    assert not text[end:].strip()
    for complaint in query.complaints:
        assert 0 <= complaint.span.start <= complaint.span.end <= len(text)
        assert complaint.reason.endswith((".", "?"))
        assert "\n" not in complaint.reason
    assert _depth(query.tree) <= 3 * DEEPEST


@given(HOSTILE)
def test_surrounding_space_means_nothing(text: str) -> None:
    whole = parse(text, is_finished=True).tree
    assert parse(f"  {text}", is_finished=True).tree == whole


def _depth(tree: Node) -> int:
    match tree:
        case Not(term):
            return 1 + _depth(term)
        case All(terms) | Either(terms):
            return 1 + max(map(_depth, terms), default=0)
        case _:
            return 1
