"""What a judge says of a record: a score, and what it rests on."""

from typing import NamedTuple

Evidence = tuple[str, str | float]
"""What speaks for a record or against it: a sentence with a gap, and what goes in."""


class Verdict(NamedTuple):
    """How well a record answers a query.

    Scores compare within one query. The reasons are put into words when they are asked
    for: thousands of records are judged for the few that are shown.
    """

    score: float
    """More is better."""
    evidence: tuple[Evidence, ...]
    """What the score rests on, the weightiest first."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it ranks where it does."""
        return tuple(sentence.format(found) for sentence, found in self.evidence)
