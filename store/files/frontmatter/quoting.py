"""Scalars in quotes and out of them."""

import re
import sys
from typing import Any, cast

import yaml
from yaml.resolver import Resolver

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


def unquote(text: str) -> str:
    """Take off one pair of matching quotes and undo its escapes."""
    double = _DOUBLE.fullmatch(text)
    if double:
        return _ESCAPE.sub(_unescaped, double[1])
    single = _SINGLE.fullmatch(text)
    return single[1].replace("''", "'") if single else text


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
