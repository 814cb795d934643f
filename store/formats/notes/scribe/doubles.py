"""Notes that could be taken for one another: links go by names."""

from store.files.markdown.saying import named
from store.findings import Value, name_key
from store.formats.notes.scribe.work import Work
from store.records.memory import Memory


def tell_of_doubles(
    work: Work, name: Value, description: Value = "", own: Memory | None = None
) -> None:
    """Warn where another note has the same name or says the same of itself."""
    for memory in work.known.memories():
        if own is not None and memory.path == own.path:
            continue
        if isinstance(name, str) and name_key(memory.title) == name_key(name):
            work.warn(f"{memory.path} is called {named(memory.title)} already.")
        elif isinstance(description, str) and _same(memory.description, description):
            work.warn(f"{memory.path} describes itself by the same words.")


def _same(one: str | None, other: str) -> bool:
    return one is not None and one.casefold().split() == other.casefold().split()
