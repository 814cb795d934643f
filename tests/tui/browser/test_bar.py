"""The bar of kinds says as much as fits, and never loses a kind."""

import pytest
from rich.cells import cell_len

from tui.browser.bar import KEYS, bar
from tui.words import KINDS

FEW: dict[str, int] = dict.fromkeys(KINDS, 7)
MANY: dict[str, int] = dict.fromkeys(KINDS, 1_234_567)


def test_a_key_is_one_character_and_no_two_kinds_share_one() -> None:
    assert "".join(KEYS[kind] for kind in KINDS) == "1234567890"


def test_where_there_is_room_all_kinds_stand_with_their_counts() -> None:
    told = bar(FEW, "edges", 200).plain

    assert told.startswith("recollect ")
    assert all(f" {KEYS[kind]} {kind} 7 " in told for kind in KINDS)


@pytest.mark.parametrize(
    ("counts", "width"), [(FEW, 198), (FEW, 118), (FEW, 78), (FEW, 38), (MANY, 78)]
)
@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_that_is_shown_stands_whole_and_the_others_with_their_keys(
    kind: str, counts: dict[str, int], width: int
) -> None:
    told = bar(counts, kind, width).plain

    assert cell_len(told) <= width
    assert f" {KEYS[kind]} {kind} {counts[kind]} " in told
    assert all(f" {key} " in f" {told}" for key in KEYS.values())


def test_names_are_spelled_out_before_counts_are_told() -> None:
    told = bar(FEW, "memories", 118).plain

    assert " 1 memories 7 2 edges 3 episodes 4 conversations " in told
    assert " 2 edg 3 epi " in bar(FEW, "memories", 78).plain


def test_empty_kinds_stay_in_the_background() -> None:
    told = bar({**FEW, "agents": 0}, "edges", 200)

    dim = [
        told.plain[span.start : span.end] for span in told.spans if span.style == "dim"
    ]
    assert dim == [" 8 agents 0 "]
