"""What a conversation cost, in words: only where the user says what models cost."""

from collections.abc import Callable

from store.derive.cost import cost
from store.records.spans import Closeup
from store.settings.record import Pricing
from widgets.columns.cells import told

_LEAST = 0.01
"""The least amount that is told."""


def pricing(prices: Pricing) -> Callable[[Closeup], str]:
    """Tells what a conversation cost; a plus says that not all of it has a price."""
    currency = told(prices.currency)

    def price(closeup: Closeup) -> str:
        found = cost(closeup.spent, prices.models) if closeup.spent else None
        if found is None:
            return ""
        more = "" if found.is_all else "+"
        if found.amount < _LEAST:
            return f"<{currency}{_LEAST}{more}"
        return f"{currency}{found.amount:,.2f}{more}"

    return price
