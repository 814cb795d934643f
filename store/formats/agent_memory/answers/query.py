"""Memories by tag, category, importance and text, sorted and paged."""

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from store.errors import WrongUseError
from store.formats.agent_memory.answers.rows import (
    Row,
    accessed,
    micros,
    ordered,
    row,
    weight,
)
from store.formats.agent_memory.layout import KINDS
from store.formats.agent_memory.schema import IMPORTANCES
from store.formats.agent_memory.taken import Kept, Taken

WORDS = (
    "[tag:TAG…] [category:C] [type:T] [importance:I] [archived:yes|no|all] "
    "[sort:FIELD] [order:asc|desc] [limit:N] [offset:N] [TEXT…]"
)

_SORTS: dict[str, Callable[[Kept], int]] = {
    "created": lambda one: micros(one.memory.created),
    "updated": lambda one: micros(one.memory.updated),
    "accessed": accessed,
    "importance": weight,
    "access_count": lambda one: one.memory.access_count,
}
_ARCHIVED = {"yes": (True,), "no": (False,), "all": (True, False)}
_ORDERS = {"asc": False, "desc": True}
_OF = {"type": KINDS, "importance": IMPORTANCES}
_MOST = 100
_LONGEST = 200


class Query(Struct, frozen=True):
    """What is asked for."""

    tags: tuple[str, ...] = ()
    category: str | None = None
    type: str | None = None
    importance: str | None = None
    archived: tuple[bool, ...] = (False,)
    sort: str = "accessed"
    descending: bool = True
    limit: int = 10
    offset: int = 0
    texts: tuple[str, ...] = field(default=())

    def wants(self, one: Kept) -> bool:
        """Whether a memory is among what is asked for."""
        memory = one.memory
        tags = {tag.casefold() for tag in memory.tags}
        text = memory.body.casefold()
        return (
            self.category in {None, one.category}
            and self.type in {None, memory.type}
            and self.importance in {None, memory.importance}
            and memory.archived in self.archived
            and tags.issuperset(self.tags)
            and all(wanted in text for wanted in self.texts)
        )


def found(asked: Query, taken: Taken) -> Iterator[Row]:
    """The memories that meet every word."""
    kept = [one for one in taken.memories if asked.wants(one)]
    kept = ordered(kept, _SORTS[asked.sort], descending=asked.descending)
    for one in kept[asked.offset : asked.offset + asked.limit]:
        yield row(one)


def understood(words: Sequence[str]) -> Query:
    """The query that the words make; raises WrongUseError."""
    asked = Query()
    for word in words:
        name, colon, value = word.partition(":")
        if colon and name.isascii() and name.isalpha():
            asked = _with(asked, name.lower(), value)
        else:
            asked = replace(asked, texts=(*asked.texts, word.casefold()))
    if sum(map(len, asked.texts)) > _LONGEST:
        raise WrongUseError(f"A text of more than {_LONGEST} characters is too long.")
    return asked


def _with(asked: Query, name: str, value: str) -> Query:
    """The query with one more demand."""
    match name:
        case "tag":
            return replace(asked, tags=(*asked.tags, value.casefold()))
        case "text":
            return replace(asked, texts=(*asked.texts, value.casefold()))
        case "category":
            return replace(asked, category=value)
        case "type" | "importance":
            return replace(asked, **{name: _one_of(name, value, _OF[name])})
        case "archived":
            return replace(asked, archived=_ARCHIVED[_one_of(name, value, _ARCHIVED)])
        case _:
            return _paged(asked, name, value)


def _paged(asked: Query, name: str, value: str) -> Query:
    match name:
        case "sort":
            sort = _one_of(name, value.removesuffix("_at"), _SORTS)
            return replace(asked, sort=sort)
        case "order":
            order = _ORDERS[_one_of(name, value, _ORDERS)]
            return replace(asked, descending=order)
        case "limit":
            return replace(asked, limit=_number(name, value, 1, _MOST))
        case "offset":
            return replace(asked, offset=_number(name, value, 0, 10**9))
        case _:
            raise WrongUseError(
                f"{name!r} is nothing to ask by; for a text with a colon, write "
                f"text:{name}:… There are: {WORDS}."
            )


def _one_of(name: str, value: str, known: Collection[str]) -> str:
    if value in known:
        return value
    raise WrongUseError(f"{name}:{value} is unknown; there are: {', '.join(known)}.")


def _number(name: str, value: str, least: int, most: int) -> int:
    number = int(value) if value.isascii() and value.isdigit() else -1
    if least <= number <= most:
        return number
    raise WrongUseError(f"{name}:{value} ought to be a number from {least} to {most}.")
