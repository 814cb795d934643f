"""One edge from what several files say about it."""

from hypothesis import given
from hypothesis import strategies as st

from store.derive.memories import Word, agree
from store.findings import Side

SILENT = Word(
    sides=(Side.OUTGOING,),
    edge_id=None,
    strength=None,
    context=None,
    created=None,
    created_at=None,
    start_title=None,
    end_title=None,
    source=1,
    line=None,
)


def word(side: Side, edge_id: str | None = None, source: int = 1) -> Word:
    return SILENT._replace(sides=(side,), edge_id=edge_id, source=source)


def test_a_file_and_both_ends_describe_one_edge() -> None:
    (edge,) = agree(
        [word(Side.INCOMING, "a", 3), word(Side.OUTGOING, "a", 2), word(Side.FILE, "a")]
    )

    assert edge.sides == (Side.FILE, Side.OUTGOING, Side.INCOMING)
    assert (edge.edge_id, edge.source) == ("a", 1)


def test_without_a_file_both_ends_still_describe_one_edge() -> None:
    (edge,) = agree([word(Side.INCOMING, source=3), word(Side.OUTGOING, source=2)])

    assert edge.sides == (Side.OUTGOING, Side.INCOMING)
    assert (edge.edge_id, edge.source) == (None, 2)


def test_two_files_between_the_same_ends_differ_by_id() -> None:
    first, second = agree(
        [
            word(Side.FILE, "a", 1),
            word(Side.FILE, "b", 2),
            word(Side.OUTGOING, "b", 3),
            word(Side.INCOMING, "a", 4),
            word(Side.INDEX, "b", 5),
        ]
    )

    assert (first.edge_id, first.sides) == ("a", (Side.FILE, Side.INCOMING))
    assert (second.edge_id, second.sides) == (
        "b",
        (Side.FILE, Side.OUTGOING, Side.INDEX),
    )


def test_a_relation_without_an_id_joins_the_first_file() -> None:
    first, second = agree(
        [word(Side.FILE, "a"), word(Side.FILE, "b"), word(Side.OUTGOING)]
    )

    assert first.sides == (Side.FILE, Side.OUTGOING)
    assert second.sides == (Side.FILE,)


def test_each_fact_comes_from_the_most_trusted_side_that_has_it() -> None:
    (edge,) = agree(
        [
            word(Side.INDEX, source=4)._replace(strength=0.1, context="index"),
            word(Side.INCOMING, source=3)._replace(end_title="End", created="3rd"),
            word(Side.OUTGOING, source=2)._replace(
                context="outgoing",
                strength=0.7,
                line=9,
            ),
            word(Side.FILE, "a")._replace(context="file", created="1st", created_at=1),
        ]
    )

    assert (edge.context, edge.strength) == ("file", 0.7)
    assert (edge.created, edge.created_at) == ("1st", 1)
    assert (edge.start_title, edge.end_title) == (None, "End")
    assert (edge.edge_id, edge.source, edge.line) == ("a", 1, None)


def test_a_time_and_its_text_come_from_the_same_side() -> None:
    (edge,) = agree(
        [
            word(Side.FILE)._replace(created="some day"),
            word(Side.OUTGOING)._replace(created="2026-01-01", created_at=5),
        ]
    )

    assert (edge.created, edge.created_at) == ("some day", None)


words = st.builds(
    word,
    st.sampled_from(Side),
    st.sampled_from([None, "a", "b", "c"]),
    st.integers(1, 9),
)


@given(st.lists(words, min_size=1, max_size=9))
def test_every_file_is_an_edge_and_no_side_is_lost(some: list[Word]) -> None:
    edges = agree(some)

    said = [side for one in some for side in one.sides]
    assert len(edges) == max(said.count(Side.FILE), 1)
    assert {side for edge in edges for side in edge.sides} == set(said)
