"""The fields of a header, taken one by one; whatever is odd becomes a flaw."""

from collections.abc import Mapping
from typing import cast

from store.files.frontmatter import Page
from store.findings import Flaw, Severity, Value
from store.formats.cognitive.vocabulary import NULLS
from store.times import Instant, parse


class Header:
    """Takes known fields out of a page's header; `rest` is what was not understood."""

    __slots__ = ("_lines", "_page", "flaws", "rest")

    def __init__(self, page: Page) -> None:
        self._page = page
        self._lines: dict[str, int | None] = {}
        self.rest = dict(page.fields)
        self.flaws = list(page.flaws)

    @property
    def tells(self) -> bool:
        """Whether there is a header whole enough to miss something in it."""
        errors = (flaw.severity is Severity.ERROR for flaw in self._page.flaws)
        return self._page.has_header and not any(errors)

    def flaw(
        self, key: str, code: str, message: str, severity: Severity = Severity.WARNING
    ) -> None:
        """Note what is wrong with a field."""
        if key not in self._lines:
            self._lines[key] = self._page.line_of(key)
        line = self._lines[key]
        self.flaws.append(
            Flaw(code=code, message=message, severity=severity, line=line)
        )

    def text(self, key: str) -> str | None:
        """A field that is one piece of text."""
        value = self.rest.pop(key, None)
        if value is None or isinstance(value, str):
            return None if value in NULLS else value
        self.rest[key] = value
        self.flaw(key, f"bad-{key}", f"`{key}` ought to be one piece of text.")
        return None

    def required(self, key: str) -> str | None:
        """A text that every memory ought to have."""
        known = key in self.rest
        value = self.text(key)
        if value is None and not (known and key in self.rest) and self.tells:
            self.flaw(key, f"missing-{key}", f"`{key}` is missing.")
        return value

    def ratio(self, key: str, value: str | None) -> float | None:
        """A text as a number from 0 to 1; one that is none stays in the rest."""
        if value is None:
            return None
        number = ratio(value)
        if number is None:
            self.rest[key] = value
            message = f"`{key}` ought to be a number from 0 to 1."
            self.flaw(key, f"bad-{key}", message)
        return number

    def instant(self, key: str, value: str | None) -> Instant | None:
        """A text as an instant, kept as it is written."""
        if value is None:
            return None
        instant = parse(value)
        if instant.micros is None:
            self.flaw(key, "bad-time", f"`{key}` tells no time that can be read.")
        return instant

    def texts(self, key: str, *, commas: bool = False) -> tuple[str, ...]:
        """A list of texts; one text alone is a list of one, or divided at commas."""
        value = self.rest.pop(key, None)
        if value is None or value == "":
            return ()
        if isinstance(value, str):
            return self._alone(key, value, commas=commas)
        items = value if isinstance(value, list) else [value]
        texts = [_as_text(item) for item in items]
        if None in texts or items is not value:
            self.rest[key] = value
            self.flaw(key, f"bad-{key}", f"`{key}` ought to be a list of texts.")
        return tuple(text for text in texts if text)

    def _alone(self, key: str, value: str, *, commas: bool) -> tuple[str, ...]:
        if value in NULLS:
            return ()
        self.flaw(key, f"bad-{key}", f"`{key}` is one text and ought to be a list.")
        parts = value.split(",") if commas else [value]
        return tuple(part.strip() for part in parts if part.strip())

    def maps(self, key: str) -> list[Mapping[str, Value]]:
        """A list of maps; what is none of both stays in the rest."""
        value = self.rest.pop(key, None)
        if value is None or (isinstance(value, str) and value in NULLS):
            return []
        items = value if isinstance(value, list) else [value]
        maps = [item for item in items if isinstance(item, Mapping)]
        if len(maps) < len(items) or items is not value:
            self.rest[key] = value
            message = f"`{key}` ought to be a list of maps."
            self.flaw(key, f"bad-{key}", message)
        return maps


def ratio(value: Value | None) -> float | None:
    """A number from 0 to 1, or None for all else."""
    try:
        number = float(cast("str", value))
    except (TypeError, ValueError):
        return None
    return number if 0.0 <= number <= 1.0 else None


def _as_text(item: Value) -> str | None:
    """An item of a list; what YAML took for a map, for its colon, is put together."""
    if isinstance(item, str):
        return item
    if isinstance(item, Mapping) and len(item) == 1:
        ((key, value),) = item.items()
        if isinstance(value, str):
            return f"{key}: {value}"
    return None
