"""Changes of sample stores: every page is one line, `title | type | links`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from store.closing import Closing
from store.edits.draft import Draft, FileStep
from store.edits.port import Changeable, Form, Known
from store.edits.refusals import NotPossibleError
from store.records.intents import Create, Delete, Intent, Relate, Rename, Rewrite, Set
from store.records.memory import Memory

_FIELDS = ("title", "type", "links")
_WORDS = ("set", "edit", "rename", "link", "delete")
_LOG = "A log is only ever added to."


class SampleScribe(Closing):
    """Says what would be written into the pages of one store."""

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self._pages = pages

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """Pages can be changed, lines of a log cannot."""
        if record is None:
            return {"new": ""}
        if not isinstance(record, Memory):
            return {}
        return dict.fromkeys(_WORDS, _LOG if _is_log(record.path) else "")

    def form(self, record: Changeable) -> Form:
        """The page."""
        memory = _memory(record)
        return Form(raw=self._page(memory), suffix=PurePosixPath(memory.path).suffix)

    def draft(
        self, intent: Intent, records: Sequence[Changeable], known: Known, now: int
    ) -> Draft:
        """What the change would do to the pages."""
        del known, now
        memories = [_memory(record) for record in records]
        titles = [memory.title for memory in memories]
        if isinstance(intent, Create):
            titles = [intent.title]
        return Draft(
            action=f"{intent.word} {', '.join(f'“{title}”' for title in titles)}",
            steps=tuple(self._steps(intent, memories)),
            is_grave=isinstance(intent, Delete),
        )

    def close(self) -> None:
        """Nothing is held open."""

    def _steps(self, intent: Intent, memories: Sequence[Memory]) -> Iterator[FileStep]:
        match intent:
            case Create(title=title, fields=fields):
                page = " | ".join([title, str(fields.get("type", "")), ""])
                path = title.casefold().replace(" ", "-")
                if path in self._pages:
                    raise NotPossibleError(f"There is a page called {path} already.")
                yield FileStep(path=path, before=None, after=page.encode())
            case Relate():
                start, end = memories
                links = ", ".join(filter(None, [self._parts(start)[2], end.title]))
                yield self._rewritten(start, links=links)
            case _:
                for memory in memories:
                    yield self._step(intent, memory)

    def _step(self, intent: Intent, memory: Memory) -> FileStep:
        """What an intent does to each of its memories."""
        match intent:
            case Delete():
                return FileStep(path=memory.path, before=self._page(memory), after=None)
            case Set(values=values) if values.keys() <= set(_FIELDS):
                parts = {name: str(value or "") for name, value in values.items()}
                return self._rewritten(memory, **parts)
            case Rename(title=title):
                return self._rewritten(memory, title=title)
            case Rewrite(was=was, raw=raw):
                if was != self._page(memory):
                    raise NotPossibleError(f"{memory.path} says something else by now.")
                return FileStep(path=memory.path, before=was, after=raw)
            case _:
                raise NotPossibleError(f"A sample cannot do that: {intent.word}.")

    def _rewritten(self, memory: Memory, **changed: str) -> FileStep:
        """The step that gives a page other parts."""
        parts = dict(zip(_FIELDS, self._parts(memory), strict=True)) | changed
        after = " | ".join(parts.values()).encode()
        return FileStep(path=memory.path, before=self._page(memory), after=after)

    def _parts(self, memory: Memory) -> list[str]:
        return [part.strip() for part in self._page(memory).decode().split("|")]

    def _page(self, memory: Memory) -> bytes:
        if _is_log(memory.path):
            raise NotPossibleError(_LOG)
        try:
            return self._pages[memory.path]
        except KeyError as error:
            sentence = f"{memory.path} is not there any more."
            raise NotPossibleError(sentence) from error


def _memory(record: Changeable) -> Memory:
    if isinstance(record, Memory):
        return record
    raise NotPossibleError("A sample has nothing but memories that can be changed.")


def _is_log(path: str) -> bool:
    return path.endswith(".log")
