"""Names stored with frizbee, and without it."""

from collections.abc import Callable

import pytest

from store.search.fuzzy import Names, Narrow, WithoutFrizbee
from store.search.fuzzy_frizbee import WithFrizbee

Hold = Callable[..., Names]


@pytest.fixture(params=[WithFrizbee, WithoutFrizbee], scope="session")
def narrow(request: pytest.FixtureRequest) -> Callable[[], Narrow]:
    return request.param


@pytest.fixture
def hold(narrow: Callable[[], Narrow]) -> Hold:
    """Stores names, in both ways."""

    def held(*names: str) -> Names:
        return Names(names, narrow)

    return held
