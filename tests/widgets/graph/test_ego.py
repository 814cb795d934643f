"""The graph around a record: incoming and outgoing links, cut if there are many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.hostile import TEXTS, unfit
from tests.widgets.records import a_link, an_edge
from widgets.graph import Arrow, Grown, Node, drawn, ego, of_link
from widgets.sheet import text_of, width_of

CENTER = Node(ref="m:0", title="Fixed Redis connection timeouts", type="solution")


def an_arrow(
    kind: str, ref: str | None, strength: float | None, **rest: object
) -> Arrow:
    comes_in = bool(rest.pop("comes_in", False))
    known = Node(
        ref=ref, title=str(rest.pop("title", ref)), type=str(rest.pop("type", "fix"))
    )
    return Arrow(kind=kind, comes_in=comes_in, other=known, strength=strength, **rest)  # pyright: ignore[reportArgumentType]  # tests name fields that there are


ARROWS = (
    an_arrow("FOLLOWS", "m:4", 0.6, title="Discord bot reconnection"),
    an_arrow("SOLVES", "m:3", 0.8, title="Redis drops", type="problem", has_file=True),
    an_arrow("RELATED_TO", "m:2", 0.3, comes_in=True, title="Ollama", is_broken=True),
    an_arrow("REQUIRES", "m:1", 0.5, comes_in=True, title="Deploy", type="procedure"),
)

SHOWN = """\
┌◀─REQUIRES─────── PRC Deploy                      0.50
├◀┄RELATED_TO┄┄┄┄┄ FIX Ollama                      0.30  ⚠
◉ SOL Fixed Redis connection timeouts
├━SOLVES━━━━━━━━━▶ PRB Redis drops                 0.80 ✎
└─FOLLOWS────────▶ FIX Discord bot reconnection    0.60"""

GROWN = """\
◉ SOL Fixed Redis connection timeouts
├━SOLVES━━━━━━━━━▶ PRB Redis drops                 0.80 ✎
│  ├─CAUSES──────▶ ERR ECONNRESET                  0.50
│  └─LEADS_TO────▶ ↺ FIX Fixed Redis               0.40
└─FOLLOWS────────▶ FIX Discord bot reconnection    0.60"""


def shown(
    arrows: tuple[Arrow, ...], grown: Grown | None = None, width: int = 58
) -> str:
    lines = ego(CENTER, arrows, grown or {})
    return "\n".join(text_of(drawn(line, width)).rstrip() for line in lines)


def test_incoming_links_are_above_and_outgoing_ones_below() -> None:
    assert shown(ARROWS) == SHOWN


def test_distant_records_are_nested_without_the_way_back() -> None:
    beyond = (
        an_arrow("SOLVES", "m:0", 0.8, comes_in=True),
        an_arrow("CAUSES", "m:9", 0.5, title="ECONNRESET", type="error"),
        an_arrow("LEADS_TO", "m:0", 0.4, title="Fixed Redis"),
    )

    assert shown(ARROWS[:2], {"m:3": beyond}) == GROWN


def test_a_cycle_is_shown_once_and_not_followed() -> None:
    round_about = (an_arrow("CAUSES", "m:4", 0.5, title="again"),)
    lines = ego(CENTER, ARROWS[:2], {"m:3": round_about, "m:4": round_about})

    assert [line.is_again for line in lines] == [False, False, False, True]
    assert "↺ FIX Discord" in text_of(drawn(lines[3], 58))


@pytest.mark.parametrize(("count", "told"), [(5, []), (6, [1]), (42, [37])])
def test_a_hub_is_cut_and_shows_how_many_are_left_out(
    count: int, told: list[int]
) -> None:
    hub = tuple(an_arrow("RELATED_TO", f"m:{n}", n / 100) for n in range(1, count + 1))
    lines = ego(CENTER, hub, {})

    assert [line.more for line in lines if line.more] == told
    assert len(lines) == 1 + 5 + len(told)
    assert lines[1].node.ref == f"m:{count}"
    if told:
        assert (
            text_of(drawn(lines[-1], 58)).strip() == f"└  … {told[0]} more RELATED_TO"
        )


def test_similar_links_have_keys_of_their_own() -> None:
    lines = ego(CENTER, (ARROWS[0],) * 3, {})

    assert len({line.key for line in lines}) == len(lines) == 4


def test_links_and_edges_are_arrows() -> None:
    assert of_link(a_link(direction="in", ref=None)).is_broken
    assert of_link(a_link(), "problem").other == Node(
        ref="m:2", title="Redis connection drops under load", type="problem"
    )
    assert not of_link(a_link(), edge=an_edge(sides=("outgoing",))).has_file
    assert of_link(a_link(), edge=an_edge(sides=("outgoing", "file"))).has_file
    assert not of_link(a_link(), edge=an_edge()).is_broken
    assert of_link(a_link(), edge=an_edge(problems=("one-sided",))).is_broken


refs = st.sampled_from(["m:0", "m:1", "m:2", None])
arrows = st.lists(
    st.builds(
        Arrow,
        kind=st.sampled_from(["SOLVES", "link", "\x1b[31m"]),
        comes_in=st.booleans(),
        other=st.builds(Node, ref=refs, title=st.sampled_from(TEXTS), type=refs),
        strength=st.none() | st.floats(),
    ),
    max_size=9,
)


@given(
    arrows,
    st.dictionaries(st.sampled_from(["m:0", "m:1", "m:2"]), arrows),
    st.integers(0, 70),
)
def test_any_graph_can_be_drawn(found: list[Arrow], grown: Grown, width: int) -> None:
    lines = ego(CENTER, found, grown)

    assert len({line.key for line in lines}) == len(lines)
    for line in lines:
        pieces = drawn(line, width)
        assert unfit([text_of(pieces)]) == set()
        assert width_of(pieces) >= width or line.more
