"""Changes that touch the bytes of one value and no other byte."""

from store.files.frontmatter.errors import EditRefusedError, HeaderError
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
    before = locate(raw)
    node = before.at(path)
    if not isinstance(node, Scalar):
        raise EditRefusedError("Only a single value can be set, not a list or mapping.")
    _refuse_duplicates(before, path)
    written = _written(raw, node, value)
    changed = replace(raw, node.start, node.end, written)
    expected = _with(before.fields(), path, value)
    check(before, changed, expected)
    return changed


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


def _refuse_duplicates(header: Header, path: Path) -> None:
    for length in range(len(path)):
        node = header.at(path[:length])
        twice = next(node.duplicates(), None) if isinstance(node, Mapping) else None
        if twice is not None:
            sentence = f"The key “{twice.value}” stands twice (line {twice.line})."
            raise EditRefusedError(sentence, twice.line)


def _written(raw: bytes, node: Scalar, value: str) -> bytes:
    """The value as it shall stand in the file: unquoted only where it was and may."""
    plain = node.style is Style.PLAIN and (
        plain_is_safe(value) or _same_kind(node.value, value)
    )
    try:
        written = (value if plain else quote(value)).encode()
    except UnicodeEncodeError as error:
        raise EditRefusedError("The text holds half a character.") from error
    glued = node.start == node.end and raw[node.start - 1 : node.start] in {b":", b"-"}
    return b" " + written if glued else written


def _same_kind(old: str, new: str) -> bool:
    """Whether both are numbers, dates or the like, which quotes would make texts of."""
    numbers = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"}
    kinds = {kind(old), kind(new)}
    if "tag:yaml.org,2002:str" in kinds or not new.strip():
        return False
    return kinds <= numbers or len(kinds) == 1


def _with(value: Value, path: Path, new: str) -> Value:
    """The same value, but for one text in it."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        return [_with(v, rest, new) if i == step else v for i, v in enumerate(value)]
    if isinstance(value, str):
        return value
    return {k: _with(v, rest, new) if k == step else v for k, v in value.items()}
