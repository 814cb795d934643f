"""The fields of a record that can be changed one by one, as they are typed."""

from msgspec import Struct

from store.errors import WrongUseError
from store.findings import Value
from store.opening import InFull
from store.records.edge import Edge, EdgeInFull
from store.records.memory import MemoryInFull


class Field(Struct, frozen=True):
    """One field, as it stands."""

    name: str
    text: str
    """What it says, as one would type it."""
    is_number: bool = False
    is_list: bool = False
    """Whether it holds several texts; they are typed with bars between them."""


def fields_of(full: InFull, *, is_called: bool = True) -> list[Field]:
    """What can be changed in a record; none in what is only ever added to.

    Without `is_called` the title is left out: it is one of several that shall be
    changed alike, or has no title but how its text begins.
    """
    match full:
        case MemoryInFull():
            fields = _of_memory(full)
            return [one for one in fields if is_called or one.name != "title"]
        case EdgeInFull():
            return _of_edge(full.edge)
        case Edge():
            return _of_edge(full)
        case _:
            return []


def _of_memory(full: MemoryInFull) -> list[Field]:
    memory = full.memory
    is_number = not isinstance(memory.importance, str)
    fields = [
        Field("title", memory.title),
        Field("type", memory.type or ""),
        Field("description", memory.description or ""),
        Field("tags", " ".join(memory.tags)),
        Field("importance", _written(memory.importance), is_number=is_number),
        Field("confidence", _written(memory.confidence), is_number=True),
    ]
    lists = {
        "steps": full.steps,
        "preconditions": full.preconditions,
        "postconditions": full.postconditions,
    }
    for name, values in lists.items():
        if values or memory.type == "procedure":
            fields.append(Field(name, " | ".join(values), is_list=True))
    return fields


def _of_edge(edge: Edge) -> list[Field]:
    return [
        Field("type", edge.type),
        Field("strength", _written(edge.strength), is_number=True),
        Field("context", edge.context or ""),
    ]


def check(field: Field, typed: str) -> None:
    """Raise where what was typed makes no sense for a field."""
    value_of(field, typed)


def value_of(field: Field, typed: str) -> Value | None:
    """What was typed, as the field holds it; None takes the field away."""
    text = typed.strip()
    if field.name == "title" and not text:
        raise WrongUseError("It needs a title.")
    if not text:
        return None
    if field.is_list:
        return [part.strip() for part in text.split("|") if part.strip()]
    if field.is_number:
        _number(field.name, text)
    return text


def _number(name: str, text: str) -> None:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise WrongUseError(f"{text!r} is no {name}; it is 0…1.")


def _written(value: float | str | None) -> str:
    return "" if value is None else str(value)
