"""Changes that touch the bytes of one value and no other byte."""

from store.files.frontmatter.errors import EditRefusedError, HeaderError
from store.files.frontmatter.expected import put
from store.files.frontmatter.header import Header, Path, locate
from store.files.frontmatter.nodes import Mapping, Scalar, Style
from store.files.frontmatter.quoting import kind, plain_is_safe, quote
from store.findings import Value


def replace(raw: bytes, start: int, end: int, new: bytes) -> bytes:
    """Put other bytes in the place of a span."""
    return raw[:start] + new + raw[end:]


def set_scalar(raw: bytes, path: Path, value: str) -> bytes:
    """Give one value of the header another text; every other byte stays.

    Raises a `HeaderError` that says why when that cannot be done safely: the header is
    read again afterwards, and all but the one value must be as before.
    """
    return with_scalar(locate(raw), path, value).raw


def with_scalar(header: Header, path: Path, value: str) -> Header:
    """The header with another text at a path, read again."""
    node = header.at(path)
    if not isinstance(node, Scalar):
        raise EditRefusedError("Only a single value can be set, not a list or mapping.")
    refuse_duplicates(header, path)
    written = _written(header, path, node, value)
    changed = replace(header.raw, node.start, node.end, written)
    return check(header, changed, put(header.fields(), path, value))


def check(before: Header, changed: bytes, expected: Value) -> Header:
    """Read a change again; raise unless the fields are as expected, the body as was."""
    try:
        after = locate(changed)
    except HeaderError as error:
        sentence = f"The change would make the header unreadable. {error}"
        raise EditRefusedError(sentence, error.line) from error
    if after.fields() != expected or changed[after.body :] != before.raw[before.body :]:
        raise EditRefusedError("The change would alter more than the one value.")
    return after


def refuse_duplicates(header: Header, path: Path) -> None:
    """Raise where a mapping on the way names a key twice: which one would be meant?"""
    for length in range(len(path)):
        node = header.at(path[:length])
        twice = next(node.duplicates(), None) if isinstance(node, Mapping) else None
        if twice is not None:
            sentence = f"The key “{twice.value}” stands twice (line {twice.line})."
            raise EditRefusedError(sentence, twice.line)


def in_brackets(header: Header, path: Path) -> bool:
    """Whether what a path leads to stands within brackets or braces."""
    above = (header.at(path[:length]) for length in range(len(path)))
    return any(not isinstance(node, Scalar) and node.flow for node in above)


def encoded(text: str) -> bytes:
    """The bytes of a text; refuses what no file can hold."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise EditRefusedError("The text holds half a character.") from error


def _written(header: Header, path: Path, node: Scalar, value: str) -> bytes:
    """The value as it shall stand in the file: in the quotes that it had, if it may."""
    raw = header.raw
    new = encoded(_quoted(node, value, flow=in_brackets(header, path)))
    glued = node.start == node.end and raw[node.start - 1 : node.start] in {b":", b"-"}
    return b" " + new if glued else new


def _quoted(node: Scalar, value: str, *, flow: bool) -> str:
    if node.style is Style.PLAIN and (
        plain_is_safe(value, flow=flow) or _same_kind(node.value, value)
    ):
        return value
    if node.style is Style.SINGLE and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return quote(value)


def _same_kind(old: str, new: str) -> bool:
    """Whether both are numbers, dates or the like, which quotes would make texts of."""
    numbers = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"}
    kinds = {kind(old), kind(new)}
    if "tag:yaml.org,2002:str" in kinds or not new.strip():
        return False
    return kinds <= numbers or len(kinds) == 1
