"""Read a file by its role; the librarian's pages and the settings are read here."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple, cast
from zoneinfo import ZoneInfo

import json5
from msgspec import Struct, field

from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.frontmatter import Page, read_page
from store.files.json_read import DamagedJsonError, load
from store.files.sqlite import Database, open_database
from store.findings import (
    START,
    DocumentFound,
    EpisodeFound,
    Findings,
    Json,
    Mark,
    Value,
    not_read,
)
from store.formats.claudia.database import entry_key, read_sections, whole_entry
from store.formats.claudia.format import (
    DAY,
    ENTRIES,
    EPISODES,
    LOG,
    NUMBER,
    SETTINGS,
    SITTING,
    TRANSCRIPT,
    Role,
    conversation_key,
    shown,
)
from store.formats.claudia.pieces import Pieces
from store.formats.markdown_read import fenced
from store.formats.port import Passage, Place, Source

# The lines of the librarian's pages: headings, and lines with a bold name.

_HEADING = re.compile(r"#{1,6}\s+(.+?)(?:\s+#+)?\s*$")
_FIELD = re.compile(r"\s*\*\*([^*:]{1,40})(?::\*\*|\*\*:)\s*(.*)")


class Line(NamedTuple):
    """One line of a page; within code there are no headings and fields."""

    number: int
    text: str
    heading: str | None
    """The text of a heading."""
    name: str | None
    """The name of a field such as `**Mood:** calm`, in lower case."""
    value: str
    """The value of a field, without backquotes around it."""


def lines_of(page: Page) -> Iterator[Line]:
    """The lines of a page, numbered as in its file."""
    lines = page.body.splitlines()
    code = fenced(lines)
    for index, text in enumerate(lines):
        head = None if index in code else _HEADING.match(text)
        field = None if index in code else _FIELD.match(text)
        yield Line(
            page.body_line + index,
            text,
            head[1] if head else None,
            field[1].strip().lower() if field else None,
            field[2].strip().strip("`") if field else "",
        )


# Pages about people, projects and insights; questions; the librarian's notes.

_GENERIC = frozenset({"overview", "index"})
"""Uninformative file names, for which the folder's name is used."""

_FACTS = frozenset({"relationship", "path", "purpose", "status", "project", "mood"})
_HEADER_LINES = frozenset({"date", "time", "session", "project"})
"""The head of a transcript given to the librarian."""


def read_other_page(path: str, page: Page) -> Findings:
    """A page, with its fields and the questions in it."""
    facts: dict[str, Value] = {}
    for line in lines_of(page):
        if line.name in _FACTS:
            facts.setdefault(str(line.name), line.value)
    questions = list(_questions(page))
    if questions:
        facts["questions"] = [*questions]
    folder, slash, _ = path.partition("/")
    return _document(path, page, folder if slash else None, facts)


def read_log(path: str, page: Page) -> Findings:
    """The librarian's thoughts before and after it wrote about a conversation."""
    return _document(path, page, "libby-log", _of_conversation(LOG, path))


def read_transcript(path: str, page: Page) -> Findings:
    """The conversation as given to the librarian."""
    facts = _of_conversation(TRANSCRIPT, path)
    for text in page.body.splitlines()[:10]:
        name, colon, value = text.partition(":")
        if colon and name.lower() in _HEADER_LINES:
            facts[name.lower()] = value.strip()
    return _document(path, page, "libby-transcript", facts)


def _document(
    path: str, page: Page, category: str | None, facts: dict[str, Value]
) -> Findings:
    if page.fields:
        facts["header"] = page.fields
    title = page.fields.get("title")
    document = DocumentFound(
        title=title if isinstance(title, str) and title else _title(path, page),
        role="document",
        text=page.body,
        category=category,
        facts=facts,
    )
    return Findings(documents=(document,), flaws=page.flaws)


def _title(path: str, page: Page) -> str:
    """The first heading, or a name from the path."""
    file = PurePosixPath(path)
    is_generic = file.stem.lower() in _GENERIC and bool(file.parent.name)
    headings = (line.heading for line in lines_of(page))
    return next(filter(None, headings), file.parent.name if is_generic else file.stem)


def _questions(page: Page) -> Iterator[Value]:
    """Each question with its context and its day."""
    day, question = "", dict[str, Value]()
    for line in lines_of(page):
        day = line.heading or day
        if line.name == "q":
            if question:
                yield question
            question = {"day": day, "question": line.value}
        elif line.name == "context" and question:
            question["context"] = line.value
    if question:
        yield question


def _of_conversation(shape: re.Pattern[str], path: str) -> dict[str, Value]:
    named = shape.fullmatch(path)
    return {"conversation": conversation_key(named[1])} if named else {}


# Episodes: a day of several sittings, or one sitting, named after its conversation.

_TIME = r"\d{1,2}:\d\d(?:\s*[AaPp]\.?[Mm]\.?)?"
_EPISODE_HEADING = re.compile(
    rf"({_TIME})(?:\s*[–—-]\s*{_TIME})?(?:\s*\([^)]*\))?\s*[–—:-]?\s*(.*)"
)
_MIDNIGHT = re.compile(r"^24(?=:)")
_UNKNOWN = "unknown"


class _Section(Struct):
    """A sitting whose lines are being collected."""

    heading: str
    line: int
    time: str | None = None
    fields: dict[str, str] = field(default_factory=dict[str, str])
    prose: list[str] = field(default_factory=list[str])

    def take(self, line: Line) -> None:
        """Add a line: a field, or a part of the text."""
        if line.name is None:
            self.prose.append(line.text)
        else:
            self.fields.setdefault(line.name, line.value)


def read_day(path: str, page: Page) -> Findings:
    """A day; every heading that starts with a time starts a sitting."""
    named = DAY.fullmatch(path)
    sections: list[_Section] = []
    for line in lines_of(page):
        begun = _begun(line)
        if begun:
            sections.append(begun)
        elif sections:
            sections[-1].take(line)
    if not sections and page.body.strip():
        sections = [_whole(path, page)]
    return _episodes(path, page, sections, named[1] if named else "", None)


def read_sitting(path: str, page: Page) -> Findings:
    """One sitting; its date, time and conversation are in the file name."""
    named = SITTING.fullmatch(path)
    date, clock, number = named.groups() if named else ("", "0000", _UNKNOWN)
    section = _whole(path, page)
    section.time = section.time or f"{clock[:2]}:{clock[2:]}"
    key = None if number == _UNKNOWN else conversation_key(number)
    return _episodes(path, page, [section], date, key)


def _begun(line: Line) -> _Section | None:
    """The sitting that starts at a line."""
    timed = _EPISODE_HEADING.match(line.heading) if line.heading else None
    if timed is None:
        return None
    return _Section(timed[2] or str(line.heading), line.number, timed[1])


def _whole(path: str, page: Page) -> _Section:
    """The whole page as one sitting; lines before its heading come last."""
    section: _Section | None = None
    before: list[Line] = []
    for line in lines_of(page):
        if section:
            section.take(line)
        elif line.heading:
            section = _begun(line) or _Section(line.heading, line.number)
        else:
            before.append(line)
    section = section or _Section(PurePosixPath(path).stem, page.body_line)
    for line in before:
        section.take(line)
    return section


def _episodes(
    path: str,
    page: Page,
    sections: list[_Section],
    date: str,
    conversation: str | None,
) -> Findings:
    """The sittings as episodes, and the page as their document."""
    sittings: list[Value] = [{"heading": s.heading, **s.fields} for s in sections]
    facts: dict[str, Value] = {"sittings": sittings}
    if page.fields:
        facts["header"] = page.fields
    document = DocumentFound(
        title=PurePosixPath(path).stem,
        role="episode-file",
        text=page.body,
        category=EPISODES,
        facts=facts,
    )
    episodes = tuple(_episode(section, date, conversation) for section in sections)
    return Findings(episodes=episodes, documents=(document,), flaws=page.flaws)


def _episode(section: _Section, date: str, conversation: str | None) -> EpisodeFound:
    """The summary is the text, followed by mood and project."""
    topics = section.fields.get("topics", "").split(",")
    extras = ((name, section.fields.get(name)) for name in ("mood", "project"))
    parts = ["\n".join(section.prose).strip()]
    parts += (f"{name.capitalize()}: {value}" for name, value in extras if value)
    return EpisodeFound(
        date=date,
        time=section.time and _MIDNIGHT.sub("00", section.time),
        title=section.heading,
        line=section.line,
        tags=tuple(topic.strip() for topic in topics if topic.strip()),
        summary="\n\n".join(filter(None, parts)) or None,
        conversation=conversation,
    )


# claudia.json, anima.json: JSON5 with the memory's settings in one of two places.

LIMIT = 64 * 1024
"""The largest settings file that is read."""

DEFAULT_ZONE = "America/New_York"
DEFAULT_WATCHED = "~/.claude/projects"

_KNOWN = (
    *("watchPath", "watch", "conversationGapMinutes", "minConversationMessages"),
    *("pollIntervalMs", "timezone", "model", "processBatchSize", "autoProcess"),
    "exclude",
)
_PLACES = (("extensions", "memory"), ("memory",))
"""The place of the memory's settings: now, and in the first versions."""


class Settings(Struct, frozen=True):
    """The memory's settings, as far as they are valid."""

    place: str | None = None
    """Their place in the file."""
    enabled: Json = None
    values: Mapping[str, Json] = field(default_factory=dict[str, Json])

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which times are shown."""
        name = self.values.get("timezone")
        for candidate in (name, DEFAULT_ZONE, "UTC"):
            try:
                return ZoneInfo(candidate if isinstance(candidate, str) else "")
            except (ValueError, OSError, LookupError):
                continue
        raise UnreadableError("Unknown time zone: this machine has no time zone data.")

    def watched(self, home: Path) -> Path:
        """The folder of transcripts to import; `~` is the store's home."""
        given = self.values.get("watchPath")
        path = given if isinstance(given, str) and given else DEFAULT_WATCHED
        return home / path.removeprefix("~/") if path.startswith("~/") else Path(path)


def settings_of(root: Root) -> Settings:
    """The settings in a store; the defaults if there are no settings."""
    for name in sorted(SETTINGS):
        try:
            return _memory_settings(_parsed(root.read(name, limit=LIMIT)))
        except UnreadableError:
            continue
    return Settings()


def read_settings(path: str, blob: Blob) -> Findings:
    """The settings as a document, without secrets."""
    try:
        data = _parsed(blob)
    except DamagedJsonError as error:
        return Findings(flaws=(error.flaw,))
    memory = _memory_settings(data)
    facts: dict[str, Value] = {}
    if memory.place:
        known = {key: memory.values[key] for key in _KNOWN if key in memory.values}
        facts["memory"] = memory.place
        facts["enabled"] = shown("enabled", memory.enabled)
        facts |= {key: shown(key, value) for key, value in known.items()}
    facts["settings"] = shown("", cast("Json", data))
    document = DocumentFound(
        title=path, role="document", text="", category="settings", facts=facts
    )
    return Findings(documents=(document,))


def _parsed(blob: Blob) -> dict[str, Json]:
    """The file's object; raises DamagedJsonError."""
    if not blob.whole:
        raise DamagedJsonError("Settings file too large.")
    try:
        data = load(blob.raw)
    except DamagedJsonError:
        data = _forgiving(blob.raw)
    if not isinstance(data, dict):
        raise DamagedJsonError("The settings must be an object.")
    return cast("dict[str, Json]", data)


def _forgiving(raw: bytes) -> object:
    """Parse it as JSON5, with comments, trailing commas and unquoted names."""
    try:
        return json5.loads(raw.decode("utf-8-sig", "replace"))
    except RecursionError:
        raise DamagedJsonError("Nested too deeply.") from None
    except ValueError as error:
        sentence = f"Invalid JSON5: {error}."
        raise DamagedJsonError(sentence.replace("<string>:", "line ")) from None


def _memory_settings(data: Mapping[str, Json]) -> Settings:
    for place in _PLACES:
        found: Json = dict(data)
        for part in place:
            found = found.get(part) if isinstance(found, dict) else None
        if isinstance(found, dict):
            inner = found.get("config")
            values = found | inner if isinstance(inner, dict) else found
            return Settings(".".join(place), found.get("enabled"), values)
    return Settings()


# A file by its role.

_PAGES: Mapping[str, Callable[[str, Page], Findings]] = {
    Role.DAY: read_day,
    Role.SITTING: read_sitting,
    Role.LOG: read_log,
    Role.TRANSCRIPT: read_transcript,
    Role.PAGE: read_other_page,
}


class ClaudiaReader:
    """Reads the files of one store."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._open: tuple[Source, Database, Pieces] | None = None

    def read(self, source: Source, since: Mark = START) -> Findings:
        """Read one file; a database is read in pieces."""
        try:
            match source.role:
                case Role.DATABASE:
                    return self._pieces(source).read(since)
                case Role.SECTIONS:
                    with open_database(self._root, source.path) as database:
                        return read_sections(database)
                case Role.SETTINGS:
                    blob = self._root.read(source.path, limit=LIMIT)
                    return read_settings(source.path, blob)
                case _:
                    blob = self._root.read(source.path)
                    page = read_page(blob.raw, whole=blob.whole)
                    return _PAGES[source.role](source.path, page)
        except UnreadableError as error:
            return Findings(flaws=(not_read(error),), anew=True)

    def settings(self) -> tuple[Path, Mapping[str, Json]]:
        """The folder of transcripts that the program reads, and its settings."""
        settings = settings_of(self._root)
        return settings.watched(self._root.path.parent), settings.values

    def passage(self, source: Source, place: Place) -> Passage | None:
        """A whole entry of a database, if it is still at that place."""
        with open_database(self._root, source.path) as database:
            columns = (NUMBER, *database.tables.get(ENTRIES, ()))
            rows = database.rows(ENTRIES, columns, after=place.line - 1, limit=1)
            for row in rows:
                if row[0] == place.line and place.key == entry_key(place.line):
                    return whole_entry(dict(zip(columns, row, strict=True)))
        return None

    def _pieces(self, source: Source) -> Pieces:
        """The database being read, which stays open between its pieces."""
        if self._open and self._open[0] == source:
            return self._open[2]
        self.close()
        database = open_database(self._root, source.path)
        pieces = Pieces(database, source, self._root.path)
        self._open = (source, database, pieces)
        return pieces

    def close(self) -> None:
        """Close the database being read."""
        if self._open:
            self._open[1].close()
            self._open = None
