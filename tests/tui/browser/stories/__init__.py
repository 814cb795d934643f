"""Stories of the browser; where they are not true, they tell what was instead."""

from pathlib import Path

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("of_*.py"))
)
