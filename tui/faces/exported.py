"""Exports as they leave the program: Markdown, JSON or HTML, piece by piece."""

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from store.errors import WrongUseError
from store.library import Library, Record
from store.records.conversation import Conversation
from tui.faces.hits import title
from tui.faces.json_lines import as_object, encoded

MARKDOWN, JSON, HTML = "markdown", "json", "html"

SUFFIXES = {MARKDOWN: ".md", JSON: ".json", HTML: ".html"}
"""What files of each format are usually called."""

_BY_SUFFIX = {
    **{suffix: name for name, suffix in SUFFIXES.items()},
    ".markdown": MARKDOWN,
    ".jsonl": JSON,
    ".htm": HTML,
}
_SEVERAL = "recollect"
_END = b"]}"
_AT_ONCE = 256
"""Messages that are at hand together."""


def format_of(name: str) -> str | None:
    """The format that a file's name tells; None where it tells none."""
    dot = name.rfind(".")
    return _BY_SUFFIX.get(name[dot:].casefold()) if dot > 0 else None


def exported(
    library: Library, records: Iterable[Record], form: str, *, is_full: bool
) -> Iterator[bytes]:
    """Records in a format; `is_full` tells what tools were given and answered too."""
    if form == JSON:
        return _json(library, records)
    from store.export.gathering import pages  # noqa: PLC0415  # JSON needs none of it

    found = iter(records)
    first = [record for record in (next(found, None), next(found, None)) if record]
    told = pages(library, chain(first, found), is_full=is_full)
    if form == MARKDOWN:
        from store.export.markdown import markdown  # noqa: PLC0415  # the one that is asked for

        return _encoded(markdown(told))
    from store.export.html import html  # noqa: PLC0415  # the same

    name = title(first[0]) if len(first) == 1 else _SEVERAL
    return _encoded(html(told, name))


def _encoded(texts: Iterable[str]) -> Iterator[bytes]:
    return (text.encode("utf-8", "replace") for text in texts)


def _json(library: Library, records: Iterable[Record]) -> Iterator[bytes]:
    """What `show` gives of each, a line for each."""
    for record in records:
        if isinstance(record, Conversation):
            yield from _conversation(library, record)
        else:
            full = library.show(record.ref) if record.ref else record
            yield encoded(as_object(full))
        yield b"\n"


def _conversation(library: Library, record: Conversation) -> Iterator[bytes]:
    """The same object as of all at once, its messages some at a time.

    They are the last of its fields, so that they can be put in before its end.
    """
    whole = encoded(as_object(replace(library.about(record), transcript=())))
    if not whole.endswith(_END):
        raise WrongUseError("A conversation no longer ends with its messages.")
    yield whole.removesuffix(_END)
    numbers = library.order_of_talk(record.ref).numbers
    between = b""
    for first in range(0, len(numbers), _AT_ONCE):
        some = numbers[first : first + _AT_ONCE]
        found = library.numbered("messages", some)
        for message in (found[one] for one in some if one in found):
            yield between + encoded(as_object(message))
            between = b","
    yield _END
