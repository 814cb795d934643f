"""A figure, and what it is held against in the same run."""

from msgspec import Struct


class Measure(Struct, frozen=True, kw_only=True):
    """One figure of the report."""

    name: str
    """What is measured."""
    value: float
    """What the program takes."""
    unit: str
    """`s` for seconds, `B` for bytes."""
    floor: str
    """What it is held against."""
    floor_value: float
    """What the floor takes, in the same run."""
    bound: float
    """What is owed, in this run."""

    @property
    def ratio(self) -> float:
        """How many times the floor."""
        return self.value / self.floor_value

    @property
    def met(self) -> bool:
        """Whether the program takes no more than is owed."""
        return self.value <= self.bound
