"""How many examples Hypothesis tries, and which.

`make test` tries the same ones every time, so that what fails there fails here too.
`RECOLLECT_TEST_EXAMPLES=120` tries others, ten times as many, everywhere.
"""

import os

from hypothesis import HealthCheck, Phase, settings

USUAL = 12
EXAMPLES = int(os.environ.get("RECOLLECT_TEST_EXAMPLES", f"{USUAL}"))
IS_EXPLORING = EXAMPLES > USUAL

_UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


def examples(
    number: int,
    *,
    steps: int = 50,
    shrinks: bool = True,
    keeps_fixtures: bool = False,
) -> settings:
    """So many examples, or more or fewer in proportion where that is set.

    `keeps_fixtures` if all of them may share the fixtures of one test.
    """
    usual = settings()
    allowed = [HealthCheck.function_scoped_fixture] if keeps_fixtures else []
    return settings(
        max_examples=max(1, number * EXAMPLES // USUAL),
        stateful_step_count=steps,
        phases=tuple(usual.phases) if shrinks else _UNSHRUNK,
        suppress_health_check=[*usual.suppress_health_check, *allowed],
    )
