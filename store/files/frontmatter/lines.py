"""The tolerant reader, line by line, for headers that YAML refuses.

A key ends at the first colon of its line; what YAML stumbles over in the rest of the
line is simply text. Lists, nested keys and `|` blocks are told by their indentation.
"""

import re

from store.files.frontmatter.flaws import duplicate_key, too_many_lines, value_too_long
from store.files.frontmatter.quoting import unquote
from store.files.frontmatter.tree import WHOLE_LINE_KEYS
from store.findings import Flaw, Value

LINE_LIMIT = 20_000
VALUE_LIMIT = 1 << 16
_DEPTH_LIMIT = 8

_BLOCK = re.compile(r"[|>][-+0-9]{0,2}(?:[ \t]+#.*)?")
_NAMED = re.compile(r"[\w.-]+:(?=\s|$)")
_COMMENT = re.compile(r"[ \t]#")
_CLOSED = re.compile(r"""("(?:[^"\\]|\\.)*+"|'[^']*+'|\[[^\[\]]*+\])\s+#""")
_ITEM = re.compile(
    r"""\s*("(?:[^"\\]|\\.?)*+"?|'(?:[^']|'')*+'?|[^,]*)[^,]*(?:,|$)""", re.DOTALL
)


def read_lines(header: str) -> tuple[dict[str, Value], list[Flaw]]:
    """The fields that can be recovered, and what was lost or cut on the way."""
    reader = _Lines(header)
    return reader.mapping(0, 0), reader.flaws


class _Lines:
    def __init__(self, header: str) -> None:
        lines = header.split("\n")
        self.flaws: list[Flaw] = []
        self._lines = lines[:LINE_LIMIT]
        self._at = 0
        if len(lines) > LINE_LIMIT:
            self.flaws.append(too_many_lines(LINE_LIMIT + 2))

    def mapping(self, indent: int, depth: int) -> dict[str, Value]:
        """The keys from here on that stand at least so far in."""
        fields: dict[str, Value] = {}
        while (line := self._peek()) is not None and _indent(line) >= indent:
            number = self._at + 2
            key, colon, rest = line.strip().partition(":")
            self._at += 1
            if not colon or key.startswith("- "):
                continue
            key = unquote(key.strip()[:VALUE_LIMIT])
            value = self._value(key, rest.strip(), _indent(line), depth)
            if key in fields:
                self.flaws.append(duplicate_key(key, number))
            fields.setdefault(key, value)
        return fields

    def _value(self, key: str, rest: str, indent: int, depth: int) -> Value:
        if _BLOCK.fullmatch(rest):
            return self._cut(key, self._block(indent))
        following = self._peek()
        if not rest and following is not None and depth < _DEPTH_LIMIT:
            inner = _indent(following)
            if _is_item(following) and inner >= indent:
                return self._items(key, inner, depth + 1)
            if inner > indent and _NAMED.match(following.strip()):
                return self.mapping(inner, depth + 1)
        text = " ".join((rest, *self._deeper(indent)))
        return _inline(self._cut(key, _without_comment(key, text.strip())))

    def _items(self, key: str, indent: int, depth: int) -> list[Value]:
        items: list[Value] = []
        while (line := self._peek()) is not None:
            if _indent(line) != indent or not _is_item(line):
                break
            content = line.strip()[1:].lstrip()
            inner = len(line.rstrip()) - len(content)
            if _NAMED.match(content) and depth < _DEPTH_LIMIT:
                self._lines[self._at] = " " * inner + content
                items.append(self.mapping(inner, depth + 1))
            else:
                self._at += 1
                items.append(self._value(key, content, indent, _DEPTH_LIMIT))
        return items

    def _block(self, indent: int) -> str:
        start = self._at
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip() and _indent(line) <= indent:
                break
            self._at += 1
        lines = [line.rstrip("\r") for line in self._lines[start : self._at]]
        shift = min((_indent(line) for line in lines if line.strip()), default=0)
        return "\n".join(line[shift:] for line in lines).rstrip("\n")

    def _deeper(self, indent: int) -> list[str]:
        """The lines that go on with a value, being further in than its key."""
        texts: list[str] = []
        while (line := self._peek()) is not None and _indent(line) > indent:
            texts.append(line.strip())
            self._at += 1
        return texts

    def _peek(self) -> str | None:
        """The next line that says something."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = line.strip()
            if text and not text.startswith("#"):
                return line
            self._at += 1
        return None

    def _cut(self, key: str, text: str) -> str:
        if len(text) > VALUE_LIMIT:
            self.flaws.append(value_too_long(key, self._at + 1))
        return text[:VALUE_LIMIT]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_item(line: str) -> bool:
    text = line.strip()
    return text == "-" or text.startswith("- ")


def _without_comment(key: str, text: str) -> str:
    closed = _CLOSED.match(text)
    if closed:
        return closed[1]
    if key in WHOLE_LINE_KEYS or text.startswith(("'", '"')):
        return text
    comment = _COMMENT.search(f" {text}")
    return f" {text}"[: comment.start()].strip() if comment else text


def _inline(text: str) -> Value:
    if not (text.startswith("[") and text.endswith("]")):
        return unquote(text)
    items = (unquote(item.strip()) for item in _ITEM.findall(text[1:-1]))
    return [item for item in items if item]
