"""An in-memory format for tests."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from zlib import crc32

from store.edits.draft import Changeable, Draft, FileStep, Form, Known
from store.errors import NotPossibleError, UnreadableError
from store.files.beneath import Root, Stamp
from store.findings import (
    START,
    Claim,
    Findings,
    Flaw,
    Mark,
    MemoryFound,
    Severity,
    Side,
    name_key,
)
from store.formats.port import FormatDefaults, OpenStore, Source
from store.kinds.memories import Memory
from store.machine import Machine
from store.records.intents import Create, Delete, Intent, Relate, Rename, Rewrite, Set
from store.resource import Closing

# Pages of the sample format, `title | type | link, link`: one per page or per line.

_PARTS = 3


def read_single(path: str, raw: bytes) -> Findings:
    """The one memory of a page."""
    return _together([_line(path, None, raw)], 0)


def read_log(raw: bytes, since: int) -> Findings:
    """The memories added to a log since an offset; an incomplete last line waits."""
    end = raw.rfind(b"\n") + 1
    number = raw.count(b"\n", 0, since)
    lines = raw[since:end].splitlines()
    found = [
        _line("log", number + count, line) for count, line in enumerate(lines, start=1)
    ]
    return _together(found, end)


def _line(path: str, line: int | None, raw: bytes) -> Findings:
    """One memory and its links."""
    try:
        title, kind, links = (part.strip() for part in raw.decode().split("|"))
    except ValueError:
        message = f"A memory must be `title | type | links`, in {_PARTS} parts."
        flaw = Flaw(
            code="no-sample", message=message, severity=Severity.ERROR, line=line
        )
        return Findings(flaws=(flaw,))
    own = name_key(title)
    claims = tuple(
        Claim(
            start=own,
            end=name_key(name),
            type="link",
            side=Side.WIKILINK,
            end_title=name.strip(),
            line=line,
        )
        for name in links.split(",")
        if name.strip()
    )
    memory = MemoryFound(
        title=title or path, type=kind, names=(own,), line=line, body=raw.decode()
    )
    return Findings(memories=(memory,), claims=claims)


def _together(found: list[Findings], offset: int) -> Findings:
    """The combined findings of all lines."""
    return Findings(
        memories=tuple(memory for one in found for memory in one.memories),
        claims=tuple(claim for one in found for claim in one.claims),
        flaws=tuple(flaw for one in found for flaw in one.flaws),
        mark=Mark(offset),
    )


# Pages in a real folder, so that plans can be applied.


class Folder(Mapping[str, bytes]):
    """The files of a folder as pages, read on every access."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __getitem__(self, name: str) -> bytes:
        try:
            return (self._path / name).read_bytes()
        except FileNotFoundError as error:
            raise KeyError(name) from error

    def __iter__(self) -> Iterator[str]:
        return (entry.name for entry in sorted(self._path.iterdir()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


# Changes to sample stores: every page is one line, `title | type | links`.

_FIELDS = ("title", "type", "links")
_WORDS = ("set", "edit", "rename", "link", "delete")
_LOG = "Logs are append-only."


class SampleScribe(Closing):
    """Works out changes to the pages of one store."""

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self._pages = pages

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """Every action for a page, none for a line of a log."""
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
        """The changes to the pages."""
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
        """Do nothing."""

    def _steps(self, intent: Intent, memories: Sequence[Memory]) -> Iterator[FileStep]:
        match intent:
            case Create(title=title, fields=fields):
                page = " | ".join([title, str(fields.get("type", "")), ""])
                path = title.casefold().replace(" ", "-")
                if path in self._pages:
                    raise NotPossibleError(f"{path} already exists.")
                yield FileStep(path=path, before=None, after=page.encode())
            case Relate():
                start, end = memories
                links = ", ".join(filter(None, [self._parts(start)[2], end.title]))
                yield self._rewritten(start, links=links)
            case _:
                for memory in memories:
                    yield self._step(intent, memory)

    def _step(self, intent: Intent, memory: Memory) -> FileStep:
        """The step for one memory of an intent."""
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
                    raise NotPossibleError(
                        f"{memory.path} has changed. Reload and try again."
                    )
                return FileStep(path=memory.path, before=was, after=raw)
            case _:
                raise NotPossibleError(
                    f"`{intent.word}` isn't available for sample stores."
                )

    def _rewritten(self, memory: Memory, **changed: str) -> FileStep:
        """The step that rewrites a page with other parts."""
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
            sentence = f"{memory.path} no longer exists."
            raise NotPossibleError(sentence) from error


def _memory(record: Changeable) -> Memory:
    if isinstance(record, Memory):
        return record
    raise NotPossibleError("Only memories can be changed in a sample store.")


def _is_log(path: str) -> bool:
    return path.endswith(".log")


# A format whose stores are dictionaries.

Pages = Mapping[str, bytes]
"""The pages of a store, by path."""

_FORMAT_LOG = "log"


class SampleFormat(FormatDefaults):
    """Knows exactly the stores that it was given."""

    name = "sample"
    about = "memories for tests"
    kinds = frozenset({"memories", "edges"})
    editable = True
    usually = "memory alone"

    def __init__(self, stores: Mapping[Path, Pages]) -> None:
        self.stores = stores

    def places(self, machine: Machine) -> Iterable[Path]:
        """The made-up folders of the stores, on every machine."""
        return [path for path in self.stores if path != machine.home]

    def sniff(self, root: Root) -> bool:
        """Whether it was given a store for this folder."""
        return root.path in self.stores

    def keeps(self, folder: str) -> bool:
        """True, as a dictionary has no folders for other stores."""
        return bool(folder)

    def open(self, path: Path) -> "SampleStore":
        """Open a store for reading."""
        if path not in self.stores:
            raise UnreadableError(f"No sample store at {path}.")
        return SampleStore(path.name, self.stores[path])

    def scribe(self, path: Path) -> SampleScribe:
        """Open a store to prepare changes; only a `Folder` can be changed."""
        return SampleScribe(self.stores[path])


class SampleStore(OpenStore):
    """A store that is being read."""

    def __init__(self, title: str, pages: Pages) -> None:
        self._title = title
        self._pages = pages

    @property
    def title(self) -> str:
        """The name of the store."""
        return self._title

    def glance(self) -> None:
        """Return None: a scan is just as cheap."""

    def scan(self) -> Iterator[Source]:
        """List the pages; a changed page has another checksum."""
        for path, raw in sorted(self._pages.items()):
            grows = path.endswith(".log")
            stamp = Stamp(len(raw), 0 if grows else crc32(raw), 1)
            yield Source(path, _FORMAT_LOG if grows else "page", stamp, grows)

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one page, or what was added to a log."""
        raw = self._pages.get(source.path)
        if raw is None:
            message = f"{source.path} no longer exists."
            flaw = Flaw(code="unreadable", message=message, severity=Severity.ERROR)
            return Findings(flaws=(flaw,))
        if source.role == _FORMAT_LOG:
            return read_log(raw, since.offset)
        return read_single(source.path, raw)

    def close(self) -> None:
        """Do nothing."""
