"""Fields of memories given another value, and what a value brings about."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter.header import Header
from store.files.frontmatter.nodes import Scalar, value_of
from store.files.markdown.job import Change, Job, memories_of
from store.files.markdown.saying import listed, said
from store.findings import Value
from store.formats.cognitive.header import ratio
from store.formats.cognitive.layout import is_pinned
from store.formats.cognitive.scribe.calling import retitled, title_of
from store.formats.cognitive.scribe.fields import (
    LISTS,
    with_text,
    with_texts,
    without,
)
from store.formats.cognitive.scribe.placing import home_of, move
from store.formats.cognitive.vocabulary import FOLDERS, NULLS
from store.records.intents import Retag, Set
from store.records.memory import Memory
from store.times import parse

_KEY = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)
_PLAIN_SHARE = re.compile(r"[01](?:\.\d+)?", re.ASCII)
_NEEDED = frozenset({"id", "type", "title", "importance", "created", "updated"})
_ELSEWHERE = {
    "id": "An id is what all else calls a memory by; it stays.",
    "relations": "Relations are made by linking and unlinking.",
    "body": "The text is changed in an editor.",
}


def set_field(job: Job, intent: Set, records: Sequence[Changeable]) -> str:
    """Give a field of memories another value, or take it away."""
    memories = memories_of(records)
    for memory in memories:
        for name, value in intent.values.items():
            put_field(job, memory, name, value)
    return f"{said('set', [memory.title for memory in memories])}: {intent.names}"


def put_field(job: Job, memory: Memory, name: str, value: Value | None) -> None:
    """Give a memory's field another value, with all that it brings about."""
    edit = job.edit if name == "updated" else job.revise
    edit(memory.path, _change(name, value))
    if name == "title" and isinstance(value, str):
        retitled(job, memory, title_of(value))
    elif name == "type" and not is_pinned(job.bench.where(memory.path)):
        move(job, memory, home_of(job, memory))


def retag(job: Job, intent: Retag, records: Sequence[Changeable]) -> str:
    """Add tags to memories and take tags away."""
    memories = memories_of(records)
    for memory in memories:
        job.revise(memory.path, partial(retagged, add=intent.add, remove=intent.remove))
    return said("tag", [memory.title for memory in memories])


def retagged(header: Header, add: Sequence[str], remove: Sequence[str] = ()) -> Header:
    """The header with some tags more and some less."""
    tags = tags_of(header)
    kept = [tag for tag in tags if tag not in remove]
    new = [tag for tag in map(tag_of, add) if tag not in kept]
    wanted = [*kept, *dict.fromkeys(new)]
    return header if wanted == tags else with_texts(header, "tags", wanted)


def tags_of(header: Header) -> list[str]:
    """The tags, be they a list or one text with commas."""
    node = header.root.get("tags")
    value = "" if node is None else value_of(node)
    if isinstance(value, str) and value in NULLS:
        return []
    return _texts("tags", value)


def share_of(number: float) -> str:
    """A number from 0 to 1 as headers have it: at least one decimal, no exponent."""
    whole, point, decimals = f"{number:.6f}".rstrip("0").partition(".")
    return f"{whole}{point}{decimals or '0'}"


def tag_of(text: str) -> str:
    """A tag as it may be given; refuses what is none."""
    tag = " ".join(text.split())
    if not tag:
        raise NotPossibleError("A tag is a word or a few.")
    return tag


def checked(name: str, value: Value) -> Value:
    """A value as it may be written under a name; refuses what the format does not."""
    if not _KEY.fullmatch(name):
        raise NotPossibleError(f"{name!r} is no name for a field.")
    if name in _ELSEWHERE:
        raise NotPossibleError(_ELSEWHERE[name])
    if name in LISTS:
        return [*map(tag_of, _texts(name, value))]
    if not isinstance(value, str):
        if isinstance(value, list) and name not in _CHECKS:
            return [*_texts(name, value)]
        raise NotPossibleError(f"`{name}` is one piece of text.")
    return _CHECKS.get(name, str)(value)


def _change(name: str, value: Value | None) -> Change:
    """What a field's new value does to a header."""
    if value is None:
        if name in _NEEDED or name in _ELSEWHERE:
            raise NotPossibleError(_ELSEWHERE.get(name) or f"`{name}` has to be there.")
        return partial(without, key=name)
    return partial(_with_value, name=name, value=checked(name, value))


def _with_value(header: Header, name: str, value: Value) -> Header:
    if isinstance(value, str):
        return with_text(header, name, value)
    node = header.root.get(name)
    if name not in LISTS and isinstance(node, Scalar):
        header = without(header, name)
    return with_texts(header, name, [item for item in value if isinstance(item, str)])


def _texts(name: str, value: Value) -> list[str]:
    if isinstance(value, str):
        parts = value.split("," if name == "tags" else "\n")
        return [part.strip() for part in parts if part.strip()]
    texts = [item for item in value if isinstance(item, str)]
    if not isinstance(value, list) or len(texts) < len(value):
        raise NotPossibleError(f"`{name}` is a list of texts.")
    return texts


def _kind(value: str) -> str:
    if value not in FOLDERS:
        sentence = f"A memory is of one of these types: {listed(list(FOLDERS), 11)}."
        raise NotPossibleError(sentence)
    return value


def _share(name: str, value: str) -> str:
    number = ratio(value)
    if number is None:
        raise NotPossibleError(f"`{name}` is a number from 0 to 1.")
    return value if _PLAIN_SHARE.fullmatch(value) else share_of(number)


def _instant(name: str, value: str) -> str:
    if parse(value).micros is None:
        raise NotPossibleError(f"`{name}` tells no time that can be read.")
    return value.strip()


_CHECKS: dict[str, Callable[[str], str]] = {
    "title": title_of,
    "type": _kind,
    "importance": partial(_share, "importance"),
    "confidence": partial(_share, "confidence"),
    "created": partial(_instant, "created"),
    "updated": partial(_instant, "updated"),
}
