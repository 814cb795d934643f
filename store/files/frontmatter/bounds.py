"""A cheap look at a header before libyaml may build anything from it.

The C loader recurses for every level and expands aliases and merge keys: 200 KB of
brackets end the process, 400 bytes of merge keys take seconds. What could be any of
that, and what YAML would cut at ` #`, is left to the event reader.
"""

import re

SIZE_LIMIT = 1 << 20
"""Characters; a larger header is not read as YAML at all."""
_LOADER_SIZE_LIMIT = 1 << 16
_FLOW_LIMIT = 32
_DOUBTFUL = ("&", "*", "!", "<<", " #", "\t#", "\\u", "\\U")
"""Anchors, aliases, tags, merge keys, comments behind a value, half characters."""
_DEEP = re.compile(r"\n[ \t?:-]{40}")
"""Block nesting: every level takes a column, or shares one with its mapping."""


def is_tame(header: str) -> bool:
    """Whether the loader may have it: small, shallow, without anything that expands."""
    return (
        len(header) <= _LOADER_SIZE_LIMIT
        and not any(sign in header for sign in _DOUBTFUL)
        and header.count("[") + header.count("{") <= _FLOW_LIMIT
        and _DEEP.search(f"\n{header}") is None
    )
