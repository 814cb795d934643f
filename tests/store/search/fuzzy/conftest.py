"""Names as they are held with frizbee, and where there is no frizbee."""

from collections.abc import Callable

import pytest

from store.search.fuzzy.names import Names
from store.search.fuzzy.narrowing import Narrow
from store.search.fuzzy.with_frizbee import WithFrizbee
from store.search.fuzzy.without_frizbee import WithoutFrizbee

Hold = Callable[..., Names]


@pytest.fixture(params=[WithFrizbee, WithoutFrizbee], scope="session")
def narrow(request: pytest.FixtureRequest) -> Callable[[], Narrow]:
    return request.param


@pytest.fixture
def hold(narrow: Callable[[], Narrow]) -> Hold:
    """Hold names, in both ways."""

    def held(*names: str) -> Names:
        return Names(names, narrow)

    return held
