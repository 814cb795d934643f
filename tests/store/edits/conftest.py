"""A store of a few files, and an engine to change them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.edits.trial import Trial


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Trial]:
    with Trial.at(tmp_path) as trial:
        yield trial
