"""Lists and mappings in brackets or braces: members come and go in their style."""

from store.files.frontmatter.header import Header
from store.files.frontmatter.nodes import Mapping, Sequence

Flow = Sequence | Mapping
"""A list or a mapping that is written in brackets or braces."""

_USUAL = b", "


def with_member(header: Header, flow: Flow, index: int, written: bytes) -> bytes:
    """The file with a member more in front of the one at an index, or at the end."""
    spans = _spans(flow)
    raw = header.raw
    if not spans:
        return raw[: flow.start + 1] + written + raw[flow.end - 1 :]
    between = _between(raw, spans)
    if index < len(spans):
        start = spans[index][0]
        return raw[:start] + written + between + raw[start:]
    end = spans[-1][1]
    return raw[:end] + between + written + raw[end:]


def without_member(header: Header, flow: Flow, index: int) -> bytes:
    """The file without a member and without what kept it from its neighbour."""
    spans = _spans(flow)
    raw = header.raw
    if len(spans) == 1:
        return raw[: flow.start + 1] + raw[flow.end - 1 :]
    if index + 1 < len(spans):
        return raw[: spans[index][0]] + raw[spans[index + 1][0] :]
    return raw[: spans[index - 1][1]] + raw[spans[index][1] :]


def _spans(flow: Flow) -> list[tuple[int, int]]:
    """Where each member begins and ends."""
    if isinstance(flow, Sequence):
        return [(item.start, item.end) for item in flow.items]
    return [(key.start, max(key.end, node.end)) for key, node in flow.pairs]


def _between(raw: bytes, spans: list[tuple[int, int]]) -> bytes:
    """What stands between two members here; the usual where that tells nothing."""
    if len(spans) == 1:
        return _USUAL
    found = raw[spans[0][1] : spans[1][0]]
    return found if found.strip(b" \t\r\n") == b"," else _USUAL
