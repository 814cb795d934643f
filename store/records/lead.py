"""A lead: where something leads that was written down as the proof of a figure."""

from msgspec import Struct


class Lead(Struct, frozen=True, kw_only=True):
    """A record, a file, or a place that nobody is taken to."""

    ref: str | None = None
    """The record that it leads to."""
    store: str = ""
    """The root of the store in which the file lies that it leads to, else."""
    path: str = ""
    """The file, relative to the store."""
    line: int | None = None
    """The line, where one is named."""
    outside: str = ""
    """What lies in none of the stores, else: a path or an address."""

    @property
    def is_here(self) -> bool:
        """Whether it leads to something that is there."""
        return bool(self.ref or self.path)
