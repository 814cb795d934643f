"""JSON with other blanks between its tokens, each of which stays as it is spelt."""

import re
from collections.abc import Iterator

from store.files.json_style import JsonStyle, style_of
from store.findings import Json

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s\0,:{}\[\]"]++', re.DOTALL)
_PAIRS = {b"{": b"}", b"[": b"]"}
_CLOSING = frozenset(_PAIRS.values())


def manner_of(raw: bytes) -> JsonStyle:
    """How a text is written, so that what is added looks like the rest."""
    text = raw.decode("utf-8", "surrogateescape")
    return style_of(text)._replace(ended=False)


def spelt(value: Json, like: JsonStyle, prefix: bytes = b"") -> bytes:
    """A value as text in the manner of another; `prefix` begins its further lines."""
    return like.dumps(value).encode().replace(b"\n", b"\n" + prefix)


def spaced(raw: bytes, like: JsonStyle, prefix: bytes = b"") -> bytes:
    """A text in the manner of another: only the blanks between its tokens change."""
    indent = None if like.indent is None else like.indent.encode()
    marks = {
        b",": b"," if like.compact or indent is not None else b", ",
        b":": b":" if like.compact else b": ",
    }
    parts: list[bytes] = []
    depth = 0
    for before, token, after in _in_threes(raw):
        opens = token in _PAIRS and after != _PAIRS[token]
        closes = token in _CLOSING and _PAIRS.get(before) != token
        depth += opens - closes
        broken = b"" if indent is None else b"\n" + prefix + indent * depth
        parts.append(broken if closes else b"")
        parts.append(marks.get(token, token))
        parts.append(broken if opens or token == b"," else b"")
    return b"".join(parts)


def _in_threes(raw: bytes) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Each token between the one before it and the one that follows."""
    tokens = [found[0] for found in _TOKEN.finditer(raw)]
    return zip([b"", *tokens[:-1]], tokens, [*tokens[1:], b""], strict=True)
