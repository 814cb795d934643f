"""Episodes: a day of several sittings, or one, named after its conversation."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct, field

from store.files.frontmatter import Page
from store.findings import DocumentFound, EpisodeFound, Findings, Value
from store.formats.claudia.layout import DAY, EPISODES, SITTING, conversation_key
from store.formats.claudia.prose import Line, field_of, heading_of, lines_of

_TIME = r"\d{1,2}:\d\d(?:\s*[AaPp]\.?[Mm]\.?)?"
_HEADING = re.compile(
    rf"({_TIME})(?:\s*[–—-]\s*{_TIME})?(?:\s*\([^)]*\))?\s*[–—:-]?\s*(.*)"
)
_MIDNIGHT = re.compile(r"^24(?=:)")
_UNKNOWN = "unknown"


class _Section(Struct):
    """A sitting while its lines come in."""

    heading: str
    line: int
    time: str | None = None
    fields: dict[str, str] = field(default_factory=dict[str, str])
    prose: list[str] = field(default_factory=list[str])

    def take(self, line: Line) -> None:
        """Add a line: a field, or a part of what happened."""
        found = field_of(line)
        if found:
            self.fields.setdefault(found.name.lower(), found.value)
        else:
            self.prose.append(line.text)


def read_day(path: str, page: Page) -> Findings:
    """A day: every heading that begins with a time begins a sitting."""
    named = DAY.fullmatch(path)
    date = named[1] if named else ""
    sections = list(_sections(page))
    if not sections and page.body.strip():
        sections = [_whole(path, page)]
    episodes = tuple(_episode(section, date, None) for section in sections)
    return _findings(path, page, episodes, sections)


def read_sitting(path: str, page: Page) -> Findings:
    """One sitting: the date, the time and the conversation are in the file's name."""
    named = SITTING.fullmatch(path)
    date, clock, number = named.groups() if named else ("", "0000", _UNKNOWN)
    section = _whole(path, page)
    section.time = section.time or f"{clock[:2]}:{clock[2:]}"
    key = None if number == _UNKNOWN else conversation_key(number)
    return _findings(path, page, (_episode(section, date, key),), [section])


def _sections(page: Page) -> Iterator[_Section]:
    current: _Section | None = None
    for line in lines_of(page.body, page.body_line):
        begun = _begun(line)
        if begun:
            if current:
                yield current
            current = begun
        elif current:
            current.take(line)
    if current:
        yield current


def _begun(line: Line) -> _Section | None:
    """The sitting that begins at a line."""
    head = heading_of(line)
    timed = _HEADING.match(head.text) if head else None
    if head is None or timed is None:
        return None
    return _Section(timed[2] or head.text, line.number, timed[1])


def _whole(path: str, page: Page) -> _Section:
    """The page as one sitting, whatever it begins with."""
    section: _Section | None = None
    before: list[Line] = []
    for line in lines_of(page.body, page.body_line):
        head = heading_of(line)
        if section:
            section.take(line)
        elif head:
            section = _begun(line) or _Section(head.text, line.number)
        else:
            before.append(line)
    section = section or _Section(PurePosixPath(path).stem, page.body_line)
    for line in before:
        section.take(line)
    return section


def _episode(section: _Section, date: str, conversation: str | None) -> EpisodeFound:
    time = section.time and _MIDNIGHT.sub("00", section.time)
    topics = section.fields.get("topics", "").split(",")
    return EpisodeFound(
        date=date,
        time=time,
        title=section.heading,
        line=section.line,
        tags=tuple(topic.strip() for topic in topics if topic.strip()),
        summary=_summary(section),
        conversation=conversation,
    )


def _summary(section: _Section) -> str | None:
    """What happened; where and in which mood stands below it."""
    told = ["\n".join(section.prose).strip()]
    told += [
        f"{name.capitalize()}: {section.fields[name]}"
        for name in ("mood", "project")
        if section.fields.get(name)
    ]
    return "\n\n".join(part for part in told if part) or None


def _findings(
    path: str,
    page: Page,
    episodes: tuple[EpisodeFound, ...],
    sections: list[_Section],
) -> Findings:
    facts: dict[str, Value] = {
        "sittings": [
            {"heading": section.heading, **section.fields} for section in sections
        ]
    }
    if page.fields:
        facts["header"] = page.fields
    document = DocumentFound(
        title=PurePosixPath(path).stem,
        role="episode-file",
        text=page.body,
        category=EPISODES,
        facts=facts,
    )
    return Findings(episodes=episodes, documents=(document,), flaws=page.flaws)
