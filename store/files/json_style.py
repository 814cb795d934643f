"""JSON written as a file has it already, so that a diff shows only what differs."""

import json
import re
from typing import NamedTuple

_INDENT = re.compile(r"\s*[\[{]\r?\n([ \t]+)")
_COMPACT = re.compile(r'\s*{\s*"[^"\\]*":\S')
_LONGEST_INDENT = 8
_HEAD = 4096
"""How much of a file tells how it is written."""


class JsonStyle(NamedTuple):
    """The manner in which a JSON file is written."""

    indent: str | None = "  "
    """What each level is indented by; None where all is on one line."""
    compact: bool = False
    """Whether no space follows a colon or a comma."""
    escaped: bool = False
    """Whether everything beyond ASCII is escaped."""
    ended: bool = True
    """Whether the file ends with a line feed."""

    def dumps(self, value: object) -> str:
        """The value in this manner; what no file can hold otherwise is escaped."""
        text = self._dumped(value, escaped=self.escaped)
        try:
            text.encode()
        except UnicodeEncodeError:
            text = self._dumped(value, escaped=True)
        return f"{text}\n" if self.ended else text

    def _dumped(self, value: object, *, escaped: bool) -> str:
        comma = "," if self.compact or self.indent else ", "
        separators = (comma, ":" if self.compact else ": ")
        return json.dumps(
            value, indent=self.indent, separators=separators, ensure_ascii=escaped
        )


def style_of(text: str | None) -> JsonStyle:
    """The manner of a file; the usual one where there is none to go by."""
    if not text or not text.strip():
        return JsonStyle()
    head = text[:_HEAD]
    indent = _INDENT.match(head)
    return JsonStyle(
        indent=indent[1][:_LONGEST_INDENT] if indent else None,
        compact=_COMPACT.match(head) is not None,
        escaped=text.isascii() and "\\u" in text,
        ended=text.endswith("\n"),
    )
