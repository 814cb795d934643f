"""Screens are waited for until they have nothing left to do."""

from collections.abc import Iterator

import pytest

from tests.idle import drawing_with_plain_caches, parsing_styles_once, waiting_for_work


@pytest.fixture(scope="session", autouse=True)
def _pilots() -> Iterator[None]:
    with waiting_for_work(), parsing_styles_once(), drawing_with_plain_caches():
        yield
