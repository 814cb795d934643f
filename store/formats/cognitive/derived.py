"""What the store's JSON files have in common: a map with a version, and entries."""

import math
from collections.abc import Container, Iterator, Mapping
from typing import cast

from store.files.beneath import Blob
from store.files.json_document import DamagedJsonError, load_map
from store.findings import Flaw, Severity

Json = Mapping[str, object]


class Derived:
    """A JSON file that holds a map; whatever is odd in it becomes a flaw."""

    __slots__ = ("data", "flaws")

    def __init__(self, blob: Blob) -> None:
        self.flaws: list[Flaw] = []
        self.data = self._load(blob)

    def _load(self, blob: Blob) -> Json | None:
        if not blob.whole:
            self.flaw("too-large", "The file is too large to be read.", Severity.ERROR)
            return None
        try:
            return load_map(blob.raw)
        except DamagedJsonError as error:
            self.flaws.append(error.flaw)
            return None

    def flaw(
        self,
        code: str,
        message: str,
        severity: Severity = Severity.WARNING,
        line: int | None = None,
    ) -> None:
        """Note what is wrong."""
        self.flaws.append(
            Flaw(code=code, message=message, severity=severity, line=line)
        )

    def check_version(self, known: Container[str]) -> None:
        """Note a version that this program knows nothing of."""
        told = scalar((self.data or {}).get("version")) or "none"
        if told not in known:
            message = f"The version of the file, {told:.40}, is none that is known."
            self.flaw("unknown-version", message)

    def entries(self, key: str) -> Iterator[tuple[str, Json]]:
        """The maps of a map of maps; what else is in it is noted."""
        value = (self.data or {}).get(key)
        if value is None:
            return
        if not isinstance(value, dict):
            message = f"`{key}` ought to be a map."
            self.flaw("damaged-json", message, Severity.ERROR)
            return
        seen: set[str] = set()
        for name, entry in cast("Json", value).items():
            if not isinstance(entry, dict):
                self.flaw("bad-entry", f"The entry {name:.80} ought to be a map.")
            else:
                yield name, cast("Json", entry)
            if name.casefold() in seen:
                self.flaw("double-entry", f"There are two entries {name:.80}.")
            seen.add(name.casefold())


def scalar(value: object) -> str | None:
    """A scalar as text; None for nothing, maps and lists."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else None


def number(value: object) -> float | None:
    """A finite number, or None for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        finite = math.isfinite(value)
    except OverflowError:
        return None
    return float(value) if finite else None
