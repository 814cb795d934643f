"""Fields from a header: the quickest reader that is sure of what it reads."""

from store.files.frontmatter.bounds import SIZE_LIMIT
from store.files.frontmatter.regular import read_regular
from store.findings import Flaw, Value


def read_fields(header: str) -> tuple[dict[str, Value] | None, tuple[Flaw, ...]]:
    """The fields and what is wrong with them; no fields when it is none of a header."""
    fields = read_regular(header) if len(header) <= SIZE_LIMIT else None
    if fields is not None:
        return fields, ()
    from store.files.frontmatter.irregular import (  # noqa: PLC0415  # slow to load
        read_irregular,
    )

    return read_irregular(header)
