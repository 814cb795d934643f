"""JSON read and written so that nothing is lost: numbers as they are spelt."""

import json
from typing import NamedTuple, cast

from store.files.jsonl.spans import NotSplicedError, Path


class Number(NamedTuple):
    """A number, as it is spelt."""

    spelt: str


class Pairs(list["tuple[str, Exact]"]):
    """A map: its keys in their order, each as often as it stands there."""


Exact = None | bool | str | Number | Pairs | list["Exact"]

_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs,
    parse_int=Number,
    parse_float=Number,
    parse_constant=Number,
    strict=False,
)


def exact(raw: bytes) -> Exact:
    """The one value of a text; raises NotSplicedError for what is none."""
    text = raw.decode("utf-8", "surrogateescape").strip(" \t\r\n\ufeff\0")
    try:
        return cast("Exact", _DECODER.decode(text))
    except json.JSONDecodeError as error:
        sentence = f"This is no valid JSON: {error.msg} (line {error.lineno}, "
        raise NotSplicedError(f"{sentence}column {error.colno}).") from None
    except RecursionError:
        raise NotSplicedError("This is nested too deeply to be changed.") from None


def spelt_exact(value: Exact, *, escaped: bool) -> bytes:
    """A value as JSON without any blanks; half characters are always escaped."""
    if isinstance(value, Number):
        return value.spelt.encode()
    if isinstance(value, Pairs):
        parts = (
            spelt_exact(key, escaped=escaped) + b":" + spelt_exact(one, escaped=escaped)
            for key, one in value
        )
        return b"{" + b",".join(parts) + b"}"
    if isinstance(value, list):
        items = (spelt_exact(one, escaped=escaped) for one in value)
        return b"[" + b",".join(items) + b"]"
    try:
        return json.dumps(value, ensure_ascii=escaped).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def put(value: Exact, path: Path, new: Exact) -> Exact:
    """The same with another value at a path; a key that is not there comes last."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, Pairs) and isinstance(step, str):
        if all(key != step for key, _ in value):
            return Pairs([*value, (step, new)])
        return Pairs(
            [(key, put(one, rest, new) if key == step else one) for key, one in value]
        )
    if isinstance(value, list) and isinstance(step, int):
        items = cast("list[Exact]", value)
        if step == len(items):
            return [*items, new]
        return [put(one, rest, new) if at == step else one for at, one in _told(items)]
    raise NotSplicedError("There is nothing that this could be put into.")


def without(value: Exact, path: Path) -> Exact:
    """The same without what a path leads to."""
    step, rest = path[0], path[1:]
    if isinstance(value, Pairs):
        kept = [(k, one) for k, one in value if rest or k != step]
        return Pairs(
            [(k, without(one, rest) if rest and k == step else one) for k, one in kept]
        )
    if isinstance(value, list):
        items = cast("list[Exact]", value)
        kept = [(at, one) for at, one in _told(items) if rest or at != step]
        return [without(one, rest) if rest and at == step else one for at, one in kept]
    return value


def _told(items: "list[Exact]") -> "list[tuple[int, Exact]]":
    return list(enumerate(items))
