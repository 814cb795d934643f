"""A memory's header, taken apart without losing a key."""

import math
from collections.abc import Mapping

from store.findings import Value
from store.times import Instant, parse


def variant(fields: Mapping[str, Value]) -> str:
    """Which of the known shapes a header has: `V0` (none) … `V6`, else `other`."""
    if not fields:
        return "V0"
    metadata = fields.get("metadata")
    if isinstance(metadata, Mapping):
        newest_first = {"modified": "V6", "originSessionId": "V5", "node_type": "V4"}
        return next((v for key, v in newest_first.items() if key in metadata), "V3")
    if "name" not in fields:
        return "other"
    return "V2" if "originSessionId" in fields else "V1"


class Header:
    """Hands out what is understood, and at the end what nobody asked for."""

    def __init__(self, fields: Mapping[str, Value]) -> None:
        self._fields = fields
        self._taken: set[str] = set()

    def text(self, *keys: str) -> str | None:
        """The first of these keys that holds a text."""
        for key in keys:
            value = self._fields.get(key)
            if isinstance(value, str) and value.strip():
                self._taken.add(key)
                return value
        return None

    def nested(self, parent: str, key: str) -> str | None:
        """A text one level down; the parent stays among what is left."""
        below = self._fields.get(parent)
        value = below.get(key) if isinstance(below, Mapping) else None
        return value if isinstance(value, str) and value.strip() else None

    def instant(self, *keys: str) -> Instant | None:
        """The first of these keys that holds a text, as an instant."""
        text = self.text(*keys)
        return None if text is None else parse(text)

    def nested_instant(self, parent: str, key: str) -> Instant | None:
        """A text one level down, as an instant."""
        text = self.nested(parent, key)
        return None if text is None else parse(text)

    def number(self, key: str) -> float | None:
        """A finite number; anything else stays among what is left."""
        value = self._fields.get(key)
        try:
            number = float(value) if isinstance(value, str) else math.nan
        except ValueError:
            return None
        if not math.isfinite(number):
            return None
        self._taken.add(key)
        return number

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one text with commas; others stay among what is left."""
        value = self._fields.get(key)
        if isinstance(value, str):
            words = tuple(word.strip() for word in value.split(",") if word.strip())
        elif isinstance(value, list):
            words = tuple(item for item in value if isinstance(item, str))
            if len(words) != len(value):
                return words
        else:
            return ()
        self._taken.add(key)
        return words

    def rest(self) -> dict[str, Value]:
        """What was not taken, in the order of the file."""
        return {k: v for k, v in self._fields.items() if k not in self._taken}
