"""A header's tree, grown event by event; what could blow up is refused by name."""

import re
from collections.abc import Callable

import yaml
from msgspec import Struct, field

from store.files.frontmatter.errors import InvalidHeaderError, UnsafeHeaderError
from store.files.frontmatter.flaws import duplicate_key, hash_in_value
from store.files.frontmatter.nodes import Mapping, Node, Scalar, Sequence, Style
from store.findings import Flaw

DEPTH_LIMIT = 32
WHOLE_LINE_KEYS = frozenset({"description", "name", "title"})
"""Texts that people and agents write unquoted: a ` #` in them is no comment."""

_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in (
        "str", "int", "float", "bool", "null", "timestamp", "binary",
        "map", "seq", "set", "omap", "pairs",
    )
)  # fmt: skip
_HASH = re.compile(r"([ \t]+)#[^\r\n]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STYLES = {None: Style.PLAIN, **{style.value: style for style in Style}}


class _Open(Struct):
    """A collection whose end has not come yet."""

    start: int
    line: int
    flow: bool
    mapping: bool
    nodes: list[Node] = field(default_factory=list[Node])

    def expects_key(self) -> bool:
        return self.mapping and len(self.nodes) % 2 == 0


class Tree:
    """Takes the events of one header in their order."""

    def __init__(self, text: str, place: Callable[[int], int]) -> None:
        self.root: Mapping | None = None
        self.flaws: list[Flaw] = []
        self._text = text
        self._place = place
        self._open: list[_Open] = []
        self._documents = 0

    def take(self, event: yaml.Event) -> None:
        """Grow by one event, or refuse it."""
        match event:
            case yaml.ScalarEvent():
                self._scalar(event)
            case yaml.CollectionStartEvent():
                self._start(event)
            case yaml.CollectionEndEvent():
                self._end(event)
            case yaml.AliasEvent():
                raise UnsafeHeaderError(*_refusal("an alias", event))
            case yaml.DocumentStartEvent():
                self._document(event)
            case _:
                pass

    def _document(self, event: yaml.DocumentStartEvent) -> None:
        self._documents += 1
        if self._documents > 1:
            line = event.start_mark.line + 2
            sentence = f"The header starts a second document (line {line})."
            raise InvalidHeaderError(sentence, line)

    def _start(self, event: yaml.CollectionStartEvent) -> None:
        _check(event)
        mapping = isinstance(event, yaml.MappingStartEvent)
        if not self._open and not mapping:
            raise InvalidHeaderError("The header is a list, not fields.", 2)
        if len(self._open) >= DEPTH_LIMIT:
            line = event.start_mark.line + 2
            sentence = (
                f"The header is more than {DEPTH_LIMIT} levels deep (line {line})."
            )
            raise UnsafeHeaderError(sentence, line)
        if self._open and self._open[-1].expects_key():
            raise UnsafeHeaderError(*_refusal("a key that is no plain text", event))
        start = self._place(event.start_mark.index)
        line = event.start_mark.line + 2
        self._open.append(_Open(start, line, bool(event.flow_style), mapping))

    def _end(self, event: yaml.CollectionEndEvent) -> None:
        done = self._open.pop()
        if done.flow:
            end = self._place(event.end_mark.index)
        else:
            end = done.nodes[-1].end if done.nodes else done.start
        if not done.mapping:
            nodes = tuple(done.nodes)
            self._add(Sequence(done.start, end, done.line, nodes, done.flow))
            return
        keys = [node for node in done.nodes[::2] if isinstance(node, Scalar)]
        pairs = tuple(zip(keys, done.nodes[1::2], strict=True))
        self._add(Mapping(done.start, end, done.line, pairs, done.flow))

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        _check(event)
        if not self._open:
            raise InvalidHeaderError("The header is a text, not fields.", 2)
        style = _STYLES[event.style]
        value, start, end = event.value, event.start_mark.index, event.end_mark.index
        line = event.start_mark.line + 2
        if style is Style.PLAIN:
            if value == "<<" and self._open[-1].expects_key():
                raise UnsafeHeaderError(*_refusal("a merge key", event))
            value, start, end = self._whole_line(value, start, end, line)
        elif style is Style.DOUBLE and _SURROGATE.search(value):
            sentence = f"The header escapes half a character (line {line})."
            raise InvalidHeaderError(sentence, line)
        elif style is not Style.SINGLE:
            end = start + len(self._text[start:end].rstrip())
        self._add(Scalar(self._place(start), self._place(end), line, value, style))

    def _whole_line(
        self, value: str, start: int, end: int, line: int
    ) -> tuple[str, int, int]:
        """Take back what YAML cuts from a text at ` #`."""
        key = self._key_of_text()
        cut = _HASH.match(self._text, end) if key in WHOLE_LINE_KEYS else None
        if key is None or cut is None:
            return value, start, end
        self.flaws.append(hash_in_value(key, line))
        end += len(cut[0].rstrip())
        start = start if value else cut.end(1)
        return f"{value}{self._text[cut.start() if value else start : end]}", start, end

    def _key_of_text(self) -> str | None:
        """The top-level key whose value comes next."""
        top = self._open[-1]
        if len(self._open) > 1 or top.flow or top.expects_key():
            return None
        key = top.nodes[-1]
        return key.value if isinstance(key, Scalar) else None

    def _add(self, node: Node) -> None:
        if isinstance(node, Mapping):
            for key in node.duplicates():
                self.flaws.append(duplicate_key(key.value, key.line))
        if self._open:
            self._open[-1].nodes.append(node)
        elif isinstance(node, Mapping):
            self.root = node


def _check(event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
    if event.anchor is not None:
        raise UnsafeHeaderError(*_refusal("an anchor", event))
    if event.tag is not None and event.tag not in _TAGS:
        raise UnsafeHeaderError(*_refusal("a tag that is not YAML's own", event))


def _refusal(what: str, event: yaml.Event) -> tuple[str, int]:
    line = event.start_mark.line + 2
    return f"The header holds {what} (line {line}), which is not followed.", line
