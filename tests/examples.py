"""How many examples Hypothesis tries.

`RECOLLECT_TEST_EXAMPLES=120` tries ten times as many, everywhere.
"""

import os

from hypothesis import settings

USUAL = 12
EXAMPLES = int(os.environ.get("RECOLLECT_TEST_EXAMPLES", f"{USUAL}"))


def examples(number: int) -> settings:
    """So many examples, or more or fewer in proportion where that is set."""
    return settings(max_examples=max(1, number * EXAMPLES // USUAL))
