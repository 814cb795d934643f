"""Links between the pages of a store: found in a line, resolved by name alone.

A link is data from a store. It becomes a path only to be matched against the store's
own listing; what could lead anywhere else becomes nothing at all.
"""

import re
from posixpath import join, normpath
from typing import NamedTuple
from urllib.parse import unquote

_LONGEST_NAME = 255
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_IN_ANGLES = re.compile(r"\s*<([^<>]*+)>[^()]*+\)")
_PLAIN = re.compile(r"((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+)\)")
_TOOLTIP = re.compile(r"\s(?:\"[^\"]*+\"|'[^']*+')\s*$")


class Link(NamedTuple):
    """A markdown link in a line."""

    label: str
    """Its text."""
    target: str
    """Where it says it leads, as written."""
    rest: str
    """What follows it in the line."""


def first_link(text: str) -> Link | None:
    """The first `[label](target)` of a line; its label may hold brackets."""
    start = text.find("[")
    middle = text.find("](", start + 1)
    if start < 0 or middle < 0:
        return None
    found = _IN_ANGLES.match(text, middle + 2) or _PLAIN.match(text, middle + 2)
    if not found:
        return None
    target = _TOOLTIP.sub("", found[1]).strip(" \t")
    return Link(text[start + 1 : middle], target, text[found.end() :])


def inside(folder: str, link: str) -> str | None:
    """The path relative to the root that a link in a page of `folder` leads to.

    Percent signs are decoded once, the `#fragment` is dropped, `.` and `..` are worked
    out by name alone, case matters. None for whatever leads out of the root or is no
    relative path: addresses, absolute paths, `~`, backslashes, drives, folders, NUL.
    """
    path = unquote(link.partition("#")[0], errors="surrogateescape")
    if not path.strip() or path.startswith(("/", "~")) or path.endswith("/"):
        return None
    if "\\" in path or "\0" in path or _SCHEME.match(path):
        return None
    whole = normpath(join(folder, path))
    if whole in (".", "..") or whole.startswith("../"):
        return None
    if any(len(part) > _LONGEST_NAME for part in whole.split("/")):
        return None
    return whole
