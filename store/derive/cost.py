"""What tokens cost, by prices that the user gave: none is built in, for they change."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from store.records.conversation import Tokens

_MILLION = 1_000_000


class Price(Struct, frozen=True):
    """What a million tokens of a model cost."""

    input: float
    """Read by it."""
    output: float
    """Written by it."""
    cache_read: float
    """Read from its cache."""
    cache_creation: float
    """Put into its cache."""

    def of(self, tokens: Tokens) -> float:
        """What some tokens cost."""
        return (
            tokens.input * self.input
            + tokens.output * self.output
            + tokens.cache_read * self.cache_read
            + tokens.cache_creation * self.cache_creation
        ) / _MILLION


Prices = Mapping[str, Price]
"""Prices by how the names of their models begin."""


class Cost(NamedTuple):
    """What was spent, as far as prices are known."""

    amount: float
    is_all: bool
    """Whether every model that spent anything has a price."""


def price_of(model: str, prices: Prices) -> Price | None:
    """The price whose beginning says most of a model's name."""
    known = [begin for begin in prices if model.startswith(begin)]
    return prices[max(known, key=len)] if known else None


def cost(spent: Mapping[str, Tokens], prices: Prices) -> Cost | None:
    """What the tokens of several models cost; None where no price is known."""
    priced = {model: price_of(model, prices) for model in spent}
    known = [price.of(spent[model]) for model, price in priced.items() if price]
    if not known:
        return None
    free = Tokens(input=0, output=0, cache_read=0, cache_creation=0)
    missing = [model for model, price in priced.items() if not price]
    return Cost(sum(known), all(spent[model] == free for model in missing))
