"""Stories of the browser; if one is not true, it reports what happened instead."""

from pathlib import Path

import pytest

pytest.register_assert_rewrite(
    *(f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("of_*.py"))
)
