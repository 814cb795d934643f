"""`recollect merge REF REF…`: make one memory of several; the first stays."""

import argparse
from collections.abc import Mapping, Sequence

from store.errors import NothingFoundError, WrongUseError
from store.findings import Value
from store.library import Library
from store.records.intents import Merge
from store.records.memory import Memory, MemoryInFull
from tui.cli.changing.assigning import assigned, value_of
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session

_REF = "memory:"


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Merge memories."""
    pairs = assigned(arguments.field)
    with changing(session, arguments) as library:
        found = library.changeable(arguments.refs)
        merged = [one for one in found if isinstance(one, Memory)]
        if len(merged) < len(found) or len(merged) <= 1:
            raise WrongUseError("Two different memories are merged, or more.")
        fields = {name: _value(library, merged, name, text) for name, text in pairs}
        body = None
        if arguments.body is not None:
            body = _in_full(library, _one_of(merged, arguments.body)).body
        intent = Merge(fields=fields, body=body)
        carry_out(library, session, arguments, library.plan(intent, merged))


def _value(library: Library, merged: Sequence[Memory], name: str, text: str) -> Value:
    """A value as it was typed, or as the memory that was typed has it."""
    names = {memory.id for memory in merged} | {memory.ref for memory in merged}
    if text not in names and not text.startswith(_REF):
        return value_of(text)
    memory = _one_of(merged, text)
    fields = _fields(_in_full(library, memory))
    if name not in fields:
        raise WrongUseError(f"{memory.ref} has no field {name!r}.")
    return fields[name]


def _one_of(merged: Sequence[Memory], name: str) -> Memory:
    """The one of the merged memories that goes by a name, or by its beginning."""
    for memory in merged:
        names = (memory.ref, memory.ref.removeprefix(_REF), memory.id or "")
        if name and any(one.startswith(name) for one in names):
            return memory
    raise WrongUseError(f"{name!r} is none of the memories that are merged.")


def _in_full(library: Library, memory: Memory) -> MemoryInFull:
    shown = library.show(memory.ref)
    if isinstance(shown, MemoryInFull):
        return shown
    raise NothingFoundError(f"{memory.ref} is not there any more.")


def _fields(shown: MemoryInFull) -> Mapping[str, Value]:
    """What a memory says of itself, in the values of a header."""
    memory = shown.memory
    told: dict[str, Value | float | None] = {
        "title": memory.title,
        "type": memory.type,
        "description": memory.description,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "created": memory.created,
        "updated": memory.updated,
    }
    known = {name: _text(value) for name, value in told.items() if value is not None}
    return {**known, "tags": list(memory.tags), **shown.fields}


def _text(value: Value | float) -> Value:
    return f"{value:g}" if isinstance(value, int | float) else value
