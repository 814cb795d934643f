"""How a memory fades, and the one number that orders memories alike on every day.

    strength = importance × e^(−λ·days since the last access) × usage × weight

λ is the same for all memories, so the part that does not depend on today,
`ln(importance × usage × weight) + λ·(day of the last access)`, can be stored and
indexed: it is called vigour here, and strength and stage follow from it at any time.
"""

import math

LAMBDA = 0.03
"""Loss per day; half of a memory's strength is gone after ln 2 / λ ≈ 23 days."""

PINNED = 999.0
"""The strength of what lies in the vault."""

UNUSED = 0.5
"""The usage factor of a memory that nobody recalled yet."""

WEIGHTS = {
    "procedure": 1.4,
    "decision": 1.3,
    "insight": 1.25,
    "solution": 1.2,
    "code_pattern": 1.1,
    "configuration": 1.1,
    "fix": 1.0,
    "workflow": 1.0,
    "problem": 0.9,
    "error": 0.8,
    "general": 0.8,
}
"""How long each type of memory lasts; a type that is not listed weighs 1."""

STAGES = (("active", 0.5), ("fading", 0.2), ("dormant", 0.05))
"""The stages and the strength that each begins at; below the last, `archived`."""

MICROS_PER_DAY = 86_400_000_000

_LARGEST_EXPONENT = 700.0

_DECIMALS = 9
"""Beyond these is the noise of the logarithm, which must not move a stage."""


def usage(access_count: int) -> float:
    """How much being recalled strengthens a memory."""
    return math.log2(access_count + 1) if access_count > 0 else UNUSED


def vigour(
    importance: float, access_count: int, kind: str | None, last_access: int
) -> float:
    """The part of the strength that does not change with time, as a logarithm.

    `last_access` is in microseconds since 1970. A memory without importance has none
    and sorts below all others.
    """
    force = importance * usage(access_count) * WEIGHTS.get(kind or "", 1.0)
    if force <= 0:
        return -math.inf
    return math.log(force) + LAMBDA * (last_access / MICROS_PER_DAY)


def strength(vigour_of_memory: float, now: int) -> float:
    """The decay score at `now` (microseconds since 1970)."""
    exponent = vigour_of_memory - LAMBDA * (now / MICROS_PER_DAY)
    return round(math.exp(min(exponent, _LARGEST_EXPONENT)), _DECIMALS)


def stage(score: float) -> str:
    """The word for how far a memory has faded."""
    return next((name for name, floor in STAGES if score >= floor), "archived")
