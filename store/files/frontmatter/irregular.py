"""Fields from a header that needs YAML, or that YAML refuses.

A module of its own because PyYAML takes as long to load as all of a quick answer, and
nearly every header is regular.
"""

from typing import cast

import yaml

from store.files.frontmatter.bounds import SIZE_LIMIT, is_tame
from store.files.frontmatter.errors import HeaderError
from store.files.frontmatter.events import read_events
from store.files.frontmatter.flaws import (
    HEADER_TOO_LARGE,
    listed,
    no_fields,
    read_by_lines,
)
from store.files.frontmatter.handler import StringHandler
from store.files.frontmatter.lines import read_lines
from store.files.frontmatter.nodes import fields_of
from store.findings import Flaw, Value

_HANDLER = StringHandler()


def read_irregular(
    header: str,
) -> tuple[dict[str, Value] | None, tuple[Flaw, ...]]:
    """The fields and what is wrong with them; no fields when it is none of a header."""
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
