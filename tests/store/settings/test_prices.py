"""`[prices]`: the user's prices of models."""

import pytest

from store.derive.conversations import Price
from store.settings import read_settings
from tests.store.conftest import Written

WHOLE = """\
[prices]
currency = "€"

[prices.claude-opus]
input = 5
output = 25.0
cache_read = 0.5
cache_creation = 6.25

[prices."gpt-4.1"]
input = 2
output = 0
"""


def test_a_price_applies_by_the_name_of_a_model(written: Written) -> None:
    prices = read_settings(written(WHOLE)).prices

    assert prices.currency == "€"
    assert prices.models == {
        "claude-opus": Price(5, 25, 0.5, 6.25),
        "gpt-4.1": Price(2, 0, 2, 2),
    }


def test_without_prices_none_are_known(written: Written) -> None:
    settings = read_settings(written("mouse = true\n"))

    assert not settings.prices.models
    assert settings.prices.currency == "$"


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (
            "[prices.x]\ninput = -1\noutput = 1",
            2,
            "'input' must be a number from 0 to 1,000,000.",
        ),
        (
            "[prices.x]\ninput = 1",
            1,
            "'output' must be a number from 0 to 1,000,000.",
        ),
        (
            "[prices.x]\ninput = true\noutput = 1",
            2,
            "'input' must be a number from 0 to 1,000,000.",
        ),
        (
            "[prices.x]\ninput = 1\noutput = 1\ncache_read = nan",
            4,
            "'cache_read' must be a number from 0 to 1,000,000.",
        ),
        (
            f"[prices.x]\ninput = 1{'0' * 400}\noutput = 1",
            2,
            "'input' must be a number from 0 to 1,000,000.",
        ),
        ("[prices]\nx = 3", 2, "'x' must be a table, [prices.x]."),
        ("prices = 3", 1, "'prices' must be a table, [prices]."),
    ],
)
def test_an_invalid_price_is_reported_and_left_out(
    written: Written, text: str, line: int, sentence: str
) -> None:
    settings = read_settings(written(text))

    assert not settings.prices.models
    assert f"{settings.path}:{line}: {sentence}" in settings.complaints


def test_a_misspelt_key_is_reported(written: Written) -> None:
    text = "[prices.x]\ninput = 1\noutput = 1\ncache_reed = 1"
    settings = read_settings(written(text))

    assert settings.prices.models == {"x": Price(1, 1, 1, 1)}
    assert settings.complaints == (
        f"{settings.path}:4: Unknown setting 'cache_reed'; did you mean cache_read?",
    )
