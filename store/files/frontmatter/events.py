"""The bounded reader: YAML's events, one by one, on a stack of our own.

Nothing is composed or expanded, so no header can crash the process or grow.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, cast

import yaml

from store.files.frontmatter.bounds import SIZE_LIMIT
from store.files.frontmatter.errors import InvalidHeaderError, UnsafeHeaderError
from store.files.frontmatter.handler import BaseLoader
from store.files.frontmatter.nodes import Mapping
from store.files.frontmatter.reasons import invalid
from store.files.frontmatter.tree import Tree
from store.findings import Flaw

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
        raise UnsafeHeaderError("The header is too large to be read as YAML.", 1)
    conflict = _CONFLICT.search(text)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 2
        sentence = f"The header holds the marks of an unfinished merge (line {line})."
        raise InvalidHeaderError(sentence, line)
    tree = Tree(text, place)
    try:
        events: Iterable[yaml.Event] = cast("Any", yaml).parse(text, Loader=BaseLoader)
        for count, event in enumerate(events):
            if count > EVENT_LIMIT:
                sentence = "The header holds more values than any memory should."
                raise UnsafeHeaderError(sentence, event.start_mark.line + 2)
            tree.take(event)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise invalid(error, text) from error
    return tree.root, tree.flaws
