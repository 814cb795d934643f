"""Fields of notes given another value, where their header has them or ought to."""

import re
from collections.abc import Sequence
from functools import partial
from math import isfinite

from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError
from store.files.frontmatter.errors import EditRefusedError
from store.files.frontmatter.header import Header, Path
from store.files.frontmatter.items import with_list
from store.files.frontmatter.keys import with_key, without_key
from store.files.frontmatter.nodes import Mapping, Scalar, value_of
from store.files.frontmatter.splice import with_scalar
from store.files.frontmatter.wording import Form
from store.files.markdown.job import memories_of
from store.files.markdown.saying import said
from store.findings import Value
from store.formats.notes.evidence import TYPES
from store.formats.notes.scribe.following import Names, follow
from store.formats.notes.scribe.note import on_one_line
from store.formats.notes.scribe.pages import begin, edit, has_header
from store.formats.notes.scribe.work import Work
from store.records.intents import Retag, Set
from store.records.memory import Memory

_KEY = re.compile(r"[A-Za-z_][\w-]{0,63}", re.ASCII)
_ON_ONE_LINE = frozenset({"name", "title", "description", "type"})
_ORDER = (
    "id", "name", "title", "description", "type", "tags", "importance", "metadata",
)  # fmt: skip
_NUMBERS = frozenset({"importance", "confidence"})


def set_field(work: Work, intent: Set, records: Sequence[Changeable]) -> str:
    """Give a field of notes another value, or take it away."""
    memories = memories_of(records)
    for memory in memories:
        for name, value in intent.values.items():
            put_field(work, memory, name, value)
    return f"{said('set', [memory.title for memory in memories])}: {intent.names}"


def put_field(work: Work, memory: Memory, name: str, value: Value | None) -> None:
    """Give a note's field another value; its line and its links follow."""
    old = work.listed(memory.path)
    write_field(work, memory.path, name, value)
    new = work.listed(memory.path)
    if new != old:
        follow(work, memory, Names(old.path, old.name), Names(new.path, new.name))


def write_field(work: Work, path: str, name: str, value: Value | None) -> None:
    """Give a note's field another value, and nothing else."""
    told = None if value is None else checked(name, value)
    if not has_header(work, path):
        if told is not None:
            begin(work, path, {"name" if name == "title" else name: told})
    elif told is None:
        edit(work, path, partial(_without, name=name))
    else:
        edit(work, path, partial(_with_value, name=name, value=told))
    if name == "type":
        tell_of_type(work, told)


def tell_of_type(work: Work, told: Value | None) -> None:
    """Warn of a type that agents do not know."""
    if isinstance(told, str) and told not in TYPES:
        work.warn(f"`{told}` is none of the four types that agents know.")


def retag(work: Work, intent: Retag, records: Sequence[Changeable]) -> str:
    """Add tags to notes and take tags away."""
    memories = memories_of(records)
    for memory in memories:
        if has_header(work, memory.path):
            change = partial(retagged, add=intent.add, remove=intent.remove)
            edit(work, memory.path, change)
        elif intent.add:
            begin(work, memory.path, {"tags": [*map(_tag, intent.add)]})
    return said("tag", [memory.title for memory in memories])


def retagged(header: Header, add: Sequence[str], remove: Sequence[str] = ()) -> Header:
    """The header with some tags more and some less, in the form that it has them."""
    node = header.root.get("tags")
    value = "" if node is None else value_of(node)
    old = _parts(value) if isinstance(value, str) else _texts("tags", value)
    kept = [tag for tag in old if tag not in remove]
    tags = list(dict.fromkeys([*kept, *(_tag(tag) for tag in add)]))
    return header if tags == old else _with_tags(header, tags)


def checked(name: str, value: Value) -> Value:
    """A value as it may be written under a name."""
    if not _KEY.fullmatch(name):
        raise NotPossibleError(f"{name!r} is no name for a field.")
    if name in {"metadata", "body"}:
        raise NotPossibleError(f"`{name}` is changed in an editor.")
    if name == "tags":
        return [_tag(tag) for tag in _texts(name, value)]
    if name in _ON_ONE_LINE:
        if not isinstance(value, str) or not value.strip():
            raise NotPossibleError(f"`{name}` is one line that says something.")
        return on_one_line(value)
    if name in _NUMBERS and not _is_number(value):
        raise NotPossibleError(f"`{name}` is a number.")
    return value if isinstance(value, str) else [*_texts(name, value)]


def place_of(header: Header, name: str) -> Path:
    """Where a header has a field, or would have it: a type may stand below.

    What a note is called is its name or its title, whichever its header has.
    """
    below = header.root.get("metadata")
    if name == "type" and header.root.get(name) is None and isinstance(below, Mapping):
        return ("metadata", name)
    if name == "name" and header.root.get(name) is None and header.root.get("title"):
        return ("title",)
    if name == "title" and header.root.get(name) is None:
        return ("name",)
    return (name,)


def _with_value(header: Header, name: str, value: Value) -> Header:
    path = place_of(header, name)
    parent = header.at(path[:-1])
    node = parent.get(str(path[-1])) if isinstance(parent, Mapping) else None
    texts = value if isinstance(value, str) else _texts(name, value)
    if node is None:
        form = Form.AS_IS if name in _NUMBERS else Form.AS_NEEDED
        return with_key(header, path, texts, form, _ORDER)
    if isinstance(texts, str):
        return with_scalar(header, path, texts)
    if name == "tags":
        return _with_tags(header, texts)
    return with_list(header, path, texts)


def _with_tags(header: Header, tags: Sequence[str]) -> Header:
    """The header with these tags, in the form that it has them."""
    node = header.root.get("tags")
    if node is None:
        return with_key(header, ("tags",), tags, order=_ORDER)
    if isinstance(node, Scalar) and node.value.strip():
        if any("," in tag for tag in tags):
            raise EditRefusedError("Its tags are one text divided by commas.")
        return with_scalar(header, ("tags",), ", ".join(tags))
    return with_list(header, ("tags",), tags)


def _without(header: Header, name: str) -> Header:
    path = place_of(header, name)
    parent = header.at(path[:-1])
    there = isinstance(parent, Mapping) and parent.get(str(path[-1])) is not None
    return without_key(header, path) if there else header


def _tag(text: str) -> str:
    tag = on_one_line(text)
    if not tag:
        raise NotPossibleError("A tag is a word or a few.")
    return tag


def _texts(name: str, value: Value) -> list[str]:
    if isinstance(value, str):
        return _parts(value)
    texts = [item for item in value if isinstance(item, str)]
    if not isinstance(value, list) or len(texts) < len(value):
        raise NotPossibleError(f"`{name}` is a list of texts.")
    return texts


def _parts(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _is_number(value: Value) -> bool:
    try:
        return isinstance(value, str) and isfinite(float(value))
    except ValueError:
        return False
