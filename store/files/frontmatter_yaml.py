"""YAML headers that need a YAML parser, and those that a YAML parser rejects."""

import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

import yaml
from frontmatter.default_handlers import YAMLHandler
from msgspec import Struct, field
from yaml.resolver import Resolver

from store.files.frontmatter import (
    HEADER_TOO_LARGE,
    SIZE_LIMIT,
    HeaderError,
    InvalidHeaderError,
    UnsafeHeaderError,
    duplicate_key,
    hash_in_value,
    is_tame,
    listed,
    no_fields,
    read_by_lines,
    too_many_lines,
    value_too_long,
)
from store.findings import Flaw, Value

# The tree of a header: every value with the bytes that it occupies in the file.


class Style(Enum):
    """How a scalar is written."""

    PLAIN = ""
    SINGLE = "'"
    DOUBLE = '"'
    LITERAL = "|"
    FOLDED = ">"


class Scalar(Struct, frozen=True):
    """One string."""

    start: int
    end: int
    line: int
    value: str
    style: Style


class Sequence(Struct, frozen=True):
    """A list; `flow` when it is written in brackets."""

    start: int
    end: int
    line: int
    items: tuple["Node", ...]
    flow: bool


class Mapping(Struct, frozen=True):
    """Keys and values in the order of the file; `flow` when it is written in braces."""

    start: int
    end: int
    line: int
    pairs: tuple[tuple[Scalar, "Node"], ...]
    flow: bool

    def get(self, key: str) -> "Node | None":
        """The value of a key; the first one where it stands twice."""
        return next((node for name, node in self.pairs if name.value == key), None)

    def duplicates(self) -> Iterator[Scalar]:
        """The keys that stood before already."""
        seen: set[str] = set()
        for key, _ in self.pairs:
            if key.value in seen:
                yield key
            seen.add(key.value)


Node = Scalar | Sequence | Mapping


def value_of(node: Node) -> Value:
    """What a node says, without where and how."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [value_of(item) for item in node.items]
        case Mapping():
            return fields_of(node)


def fields_of(mapping: Mapping) -> dict[str, Value]:
    """What a mapping says; the first of two equal keys is kept."""
    fields: dict[str, Value] = {}
    for key, node in mapping.pairs:
        fields.setdefault(key.value, value_of(node))
    return fields


# A header's tree, grown event by event; what could blow up is refused by name.

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
            sentence = f"The front matter contains a second document (line {line})."
            raise InvalidHeaderError(sentence, line)

    def _start(self, event: yaml.CollectionStartEvent) -> None:
        _check(event)
        mapping = isinstance(event, yaml.MappingStartEvent)
        if not self._open and not mapping:
            raise InvalidHeaderError("The front matter is a list, not fields.", 2)
        if len(self._open) >= DEPTH_LIMIT:
            line = event.start_mark.line + 2
            sentence = (
                f"The front matter is more than {DEPTH_LIMIT} levels deep (line "
                f"{line})."
            )
            raise UnsafeHeaderError(sentence, line)
        if self._open and self._open[-1].expects_key():
            raise UnsafeHeaderError(*_refusal("a key that isn't plain text", event))
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
            raise InvalidHeaderError("The front matter is a text, not fields.", 2)
        style = _STYLES[event.style]
        value, start, end = event.value, event.start_mark.index, event.end_mark.index
        line = event.start_mark.line + 2
        if style is Style.PLAIN:
            if value == "<<" and self._open[-1].expects_key():
                raise UnsafeHeaderError(*_refusal("a merge key", event))
            value, start, end = self._whole_line(value, start, end, line)
        elif style is Style.DOUBLE and _SURROGATE.search(value):
            sentence = f"Invalid Unicode escape in the front matter (line {line})."
            raise InvalidHeaderError(sentence, line)
        elif style is not Style.SINGLE:
            end = start + len(self._text[start:end].rstrip())
        self._add(Scalar(self._place(start), self._place(end), line, value, style))

    def _whole_line(
        self, value: str, start: int, end: int, line: int
    ) -> tuple[str, int, int]:
        """Restore what YAML cuts from a text at ` #`."""
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
        raise UnsafeHeaderError(*_refusal("a custom tag", event))


def _refusal(what: str, event: yaml.Event) -> tuple[str, int]:
    line = event.start_mark.line + 2
    return (
        f"The front matter contains {what} (line {line}), which isn't supported.",
        line,
    )


# The handler for python-frontmatter: scalars stay the strings that the file holds.

if TYPE_CHECKING or not yaml.__with_libyaml__:
    from yaml import BaseLoader
else:
    from yaml import CBaseLoader as BaseLoader


class DuplicateKeyError(yaml.YAMLError):
    """A mapping names a key twice, where YAML would drop the first value in silence."""


class StringLoader(BaseLoader):
    """Builds strings, lists and dicts, and will not lose one of two equal keys."""

    def construct_mapping(
        self,
        node: yaml.MappingNode,
        deep: bool = False,  # noqa: FBT001, FBT002 - as inherited
    ) -> dict[Hashable, Any]:
        """Build one mapping."""
        untyped = cast("Any", super())
        mapping: dict[Hashable, Any] = untyped.construct_mapping(node, deep=deep)
        if len(mapping) != len(node.value):
            raise DuplicateKeyError
        return mapping


class StringHandler(YAMLHandler):
    """Reads headers that `is_tame` let through."""

    def load(self, fm: str, **kwargs: object) -> Any:  # noqa: ANN401 - as inherited
        """Parse a header; every scalar stays a string."""
        return super().load(fm, **{"Loader": StringLoader, **kwargs})


# What a YAML parser complains of, in plain words.

_WORDS = {
    "mapping values are not allowed": "an unquoted value contains a colon and a space",
    "cannot start any token": "a value starts with a character that needs quotes",
    "could not find expected ':'": "a line has no colon after its key",
    "did not find expected key": "a line does not fit the ones before it",
    "expected <block end>": "a line does not fit the ones before it",
    "did not find expected ',' or": "a list in brackets is not closed",
    "did not find expected '-' indicator": "a list is broken by a line without dash",
    "unexpected end of stream": "a quote is never closed",
    "control characters are not allowed": "it contains a control character",
    "special characters are not allowed": "it contains a control character",
    "unknown escape character": "a quoted value contains a stray backslash",
    "invalid unicode character escape": "a quoted value contains an invalid escape",
    "expected <document start>": "there is text besides the fields",
    "directive": "it starts with a directive",
    "incompatible yaml document": "it starts with a directive",
}


def invalid(error: Exception, text: str) -> InvalidHeaderError:
    """The error of ours for an error of the parser's, with the line in the file."""
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", ""))
    low = problem.lower()
    known = (words for sign, words in _WORDS.items() if sign in low)
    why = next(known, problem or "a value can't be read")
    line = _line(error, text)
    return InvalidHeaderError(f"Invalid YAML front matter: {why} (line {line}).", line)


def _line(error: Exception, text: str) -> int:
    """Where to look: what is never closed is named by where it was opened."""
    if isinstance(error, yaml.MarkedYAMLError):
        opened = "end of stream" in (error.problem or "") and error.context_mark
        mark = opened or error.problem_mark or error.context_mark
        return mark.line + 2 if mark else 2
    position = getattr(error, "position", 0)
    return text.encode()[: max(position, 0)].count(b"\n") + 2


# The bounded reader: YAML's events, one by one, on a stack of our own.
#
# Nothing is composed or expanded, so no header can crash the process or grow.

EVENT_LIMIT = 60_000
_CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)


def read_events(
    text: str, place: Callable[[int], int] = int
) -> tuple[Mapping | None, list[Flaw]]:
    """Read a header's tree; `place` turns offsets in the text into those wanted.

    A header of nothing but comments has no tree. Raises a `HeaderError` that says why
    the header cannot be read.
    """
    if len(text) > SIZE_LIMIT:
        raise UnsafeHeaderError("The front matter is too large for YAML.", 1)
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 2
        sentence = f"The front matter contains merge conflict markers (line {line})."
        raise InvalidHeaderError(sentence, line)
    tree = Tree(text, place)
    try:
        events: Iterable[yaml.Event] = cast("Any", yaml).parse(text, Loader=BaseLoader)
        for count, event in enumerate(events):
            if count > EVENT_LIMIT:
                sentence = "The front matter contains too many values."
                raise UnsafeHeaderError(sentence, event.start_mark.line + 2)
            tree.take(event)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise invalid(error, text) from error
    return tree.root, tree.flaws


# Scalars in quotes and out of them.

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v",
    "f": "\f", "r": "\r", "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_SINGLE = re.compile(r"'((?:[^']|'')*+)'", re.DOTALL)
_PAIR = r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
_ESCAPE = re.compile(
    rf"{_PAIR}|\\(?:x([0-9a-fA-F]{{2}})|u([0-9a-fA-F]{{4}})|U([0-9a-fA-F]{{8}})|(.))",
    re.DOTALL,
)
_UNSAFE_ANYWHERE = re.compile(
    r"^(?:[-+.0-9\s#&*!|>'\"%@`?:=<\[\]{},]|$)"  # at the start
    r"|: |:$| #|\s$"
)
_UNSAFE_IN_BRACKETS = re.compile(r"[\[\]{},?]")
_BMP_END = 0xFFFF
_SURROGATES = range(0xD800, 0xE000)
_STRING = "tag:yaml.org,2002:str"


def quote(text: str) -> str:
    """A double-quoted scalar that every YAML reader reads back as the text."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(map(_escaped, text)) + '"'


def plain_is_safe(text: str, *, flow: bool = True) -> bool:
    """Whether the text may stand unquoted and is read back the same.

    Within brackets or braces (`flow`) fewer texts may than on a line of their own.
    """
    return (
        text.isprintable()
        and _UNSAFE_ANYWHERE.search(text) is None
        and not (flow and _UNSAFE_IN_BRACKETS.search(text))
        and kind(text) == _STRING
    )


def written(text: str, *, flow: bool = False, quoted: bool = False) -> str:
    """A text as a new scalar: in quotes where it has to be, or is wanted to be."""
    return quote(text) if quoted or not plain_is_safe(text, flow=flow) else text


def kind(text: str) -> str:
    """What YAML's default readers take an unquoted scalar for, as a tag."""
    resolver = cast("Any", Resolver())
    return str(resolver.resolve(yaml.ScalarNode, text, (True, False)))


_QUOTES = frozenset("\"'")


def unquote(text: str) -> str:
    """Take off one pair of matching quotes and undo its escapes."""
    double = _DOUBLE.fullmatch(text)
    if double:
        return _ESCAPE.sub(_unescaped, double[1])
    single = _SINGLE.fullmatch(text)
    return single[1].replace("''", "'") if single else text


def meant(text: str) -> str:
    """The text meant by a value with quotes that YAML rejects.

    Quotes within that were not escaped stay; the pair around them is not part of the
    text, nor is a first one without a second.
    """
    exact, mark = unquote(text), text[:1]
    if exact != text or mark not in _QUOTES:
        return exact
    if mark not in text[1:]:
        return text[1:] if mark == '"' else text
    is_closed = text.endswith(mark) and not text.endswith(f"\\{mark}")
    return text[1:-1] if is_closed and _is_wrapped(text) else text


def _is_wrapped(text: str) -> bool:
    """Whether the quotes around a text belong together, whatever is within.

    They do unless the first quote inside looks like a closing one.
    """
    inner, mark = text[1:-1], text[0]
    found = list(re.finditer(rf"(?<!\w){mark}|{mark}(?!\w)", inner))
    if not found or len(found) % 2:
        return True
    before = inner[: found[0].start()]
    return not before or before[-1].isspace() or before[-1] in "([{"


def _escaped(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code > _BMP_END:
        return f"\\U{code:08X}"
    if char.isprintable():
        return char
    return f"\\u{code:04x}"


def _unescaped(match: re.Match[str]) -> str:
    high, low, two, four, eight, one = match.groups()
    if high:
        return bytes.fromhex(high + low).decode("utf-16-be")
    if one:
        return _ESCAPES.get(one, match[0])
    code = int(two or four or eight, 16)
    return match[0] if code in _SURROGATES or code > sys.maxunicode else chr(code)


# The tolerant reader, line by line, for headers that YAML refuses.
#
# A key ends at the first colon of its line; what YAML stumbles over in the rest of
# the line is simply text. Lists, nested keys and `|` blocks are recognised by their
# indentation.

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
        number = self._at + 1
        if _BLOCK.fullmatch(rest):
            return self._cut(key, self._block(indent), number)
        following = self._peek()
        if not rest and following is not None and depth < _DEPTH_LIMIT:
            inner = _indent(following)
            if _is_item(following) and inner >= indent:
                return self._items(key, inner, depth + 1)
            if inner > indent and _NAMED.match(following.strip()):
                return self.mapping(inner, depth + 1)
        text = " ".join((rest, *self._deeper(indent)))
        return _inline(self._cut(key, _without_comment(key, text.strip()), number))

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

    def _cut(self, key: str, text: str, number: int) -> str:
        if len(text) > VALUE_LIMIT:
            self.flaws.append(value_too_long(key, number))
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
        return meant(text)
    items = (unquote(item.strip()) for item in _ITEM.findall(text[1:-1]))
    return [item for item in items if item]


# Fields from a header that needs YAML, or that YAML refuses.
#
# A module of its own because PyYAML takes as long to load as all of a quick answer,
# and nearly every header is regular.

_HANDLER = StringHandler()


def read_irregular(
    header: str,
) -> tuple[dict[str, Value] | None, tuple[Flaw, ...]]:
    """The fields and their flaws; no fields if it isn't a header."""
    if len(header) > SIZE_LIMIT:
        fields, found = read_lines(header)
        return fields, (HEADER_TOO_LARGE, *listed(found))
    fields = read_tame(header) if is_tame(header) else None
    return (fields, ()) if fields is not None else _read_doubtful(header)


def read_tame(header: str) -> dict[str, Value] | None:
    """The fields of a header within bounds; nothing where YAML objects."""
    try:
        fields = _HANDLER.load(header)
    except yaml.YAMLError:
        return None
    return cast("dict[str, Value]", fields) if isinstance(fields, dict) else None


def _read_doubtful(
    header: str,
) -> tuple[dict[str, Value] | None, tuple[Flaw, ...]]:
    try:
        root, found = read_events(header)
    except HeaderError as error:
        fields, found = read_lines(header)
        if not fields:
            return None, (no_fields(error),)
        return fields, (read_by_lines(error), *listed(found))
    return fields_of(root) if root else {}, listed(found)
