"""The cost of tokens, by the user's prices only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.conversations import Cost, Price, Tokens, cost, price_of

OPUS = Price(5, 25, 0.5, 6.25)
OPUS_4_5 = Price(4, 20, 0.4, 5)
PRICES = {"claude-opus": OPUS, "claude-opus-4-5": OPUS_4_5}
NONE = Tokens(input=0, output=0, cache_read=0, cache_creation=0)


def tokens(each: int = 1_000_000) -> Tokens:
    return Tokens(input=each, output=each, cache_read=each, cache_creation=each)


def test_a_million_of_each_costs_its_price() -> None:
    assert OPUS.of(tokens()) == 36.75
    assert cost({"claude-opus-4-6": tokens()}, PRICES) == Cost(36.75, is_all=True)


def test_the_longest_matching_prefix_of_a_name_wins() -> None:
    assert price_of("claude-opus-4-5-20251101", PRICES) is OPUS_4_5
    assert price_of("claude-opus-4-6", PRICES) is OPUS
    assert price_of("claude-sonnet-4-6", PRICES) is None


def test_models_are_added_up_each_by_its_own_price() -> None:
    spent = {"claude-opus-4-6": tokens(), "claude-opus-4-5": tokens()}

    assert cost(spent, PRICES) == Cost(36.75 + 29.4, is_all=True)


def test_a_model_without_a_price_is_reported() -> None:
    spent = {"claude-opus-4-6": tokens(), "gpt-5": tokens(1)}

    assert cost(spent, PRICES) == Cost(36.75, is_all=False)
    assert cost(spent | {"gpt-5": NONE}, PRICES) == Cost(36.75, is_all=True)


def test_without_prices_there_is_no_cost() -> None:
    assert cost({"claude-opus-4-6": tokens()}, {}) is None
    assert cost({}, PRICES) is None


@given(
    st.lists(st.integers(0, 10**12), min_size=4, max_size=4),
    st.lists(st.integers(0, 10**12), min_size=4, max_size=4),
)
def test_more_tokens_never_cost_less(one: list[int], other: list[int]) -> None:
    names = ("input", "output", "cache_read", "cache_creation")
    less = Tokens(**dict(zip(names, one, strict=True)))
    sums = [a + b for a, b in zip(one, other, strict=True)]
    more = Tokens(**dict(zip(names, sums, strict=True)))

    assert OPUS.of(more) == pytest.approx(
        OPUS.of(less) + OPUS.of(Tokens(**dict(zip(names, other, strict=True))))
    )
    assert OPUS.of(more) >= OPUS.of(less)
