"""A daily log: what was done at which time, and which memory tells more."""

import re

from msgspec import Struct, field

from store.files.beneath import Blob
from store.files.fences import fenced
from store.files.frontmatter import Page
from store.files.links import first_link
from store.findings import DocumentFound, EpisodeFound, Findings, Flaw
from store.formats.cognitive.layout import EPISODES, is_page, stem_of
from store.formats.cognitive.mentions import resolve
from store.formats.cognitive.prose import read_prose

_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_DAY = re.compile(r"#\s+(.*)")
_ENTRY = re.compile(
    r"##\s+(?:(\d{1,2}:\d\d(?::\d\d)?)(?:\s*[-\u2013\u2014]\s*|\s+|$))?(.*)"
)
_TIME = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")
_FIELD = re.compile(
    r"\s*[-*+]\s+\*\*(Type|Tags|Memory|Summary)(?::\*\*|\*\*:)(.*)", re.IGNORECASE
)


class _Entry(Struct):
    """An entry while its lines come in."""

    date: str
    time: str | None
    title: str
    line: int
    fields: dict[str, tuple[str, int]] = field(
        default_factory=dict[str, tuple[str, int]]
    )
    prose: list[str] = field(default_factory=list[str])
    """The summary and every line that is no field."""


def read_episodes(path: str, blob: Blob) -> Findings:
    """The entries of one day, and the day itself as a document."""
    page = read_prose(blob)
    flaws = list(page.flaws)
    stem = stem_of(path)
    entries = _entries(page, stem, flaws)
    episodes = tuple(_episode(entry, flaws) for entry in entries)
    document = DocumentFound(
        title=stem,
        role="episode-file",
        text=page.body,
        facts={"entries": str(len(episodes))},
    )
    return Findings(episodes=episodes, documents=(document,), flaws=tuple(flaws))


def _entries(page: Page, stem: str, flaws: list[Flaw]) -> list[_Entry]:
    """Divide the page at its headings."""
    named = _DATE.fullmatch(stem) is not None
    date = stem
    entries: list[_Entry] = []
    lines = [line.rstrip() for line in page.body.split("\n")]
    code = fenced(lines)
    for number, line in enumerate(lines):
        where = page.body_line + number
        heading = None if number in code else _ENTRY.fullmatch(line)
        day = None if heading or number in code else _DAY.fullmatch(line)
        if heading:
            entries.append(_Entry(date, heading[1], heading[2].strip(), where))
        elif day and not named:
            date = day[1].strip()
        elif day:
            _check_day(day[1].strip(), stem, where, flaws)
        elif entries:
            _take(entries[-1], line, where)
    return entries


def _check_day(heading: str, stem: str, line: int, flaws: list[Flaw]) -> None:
    if heading != stem:
        message = f"The heading says {heading:.40}, but the file is that of {stem}."
        flaws.append(Flaw(code="date-mismatch", message=message, line=line))


def _take(entry: _Entry, line: str, number: int) -> None:
    """Add a line to the entry that it belongs to; the first of two fields counts."""
    found = _FIELD.fullmatch(line)
    name = found[1].lower() if found else ""
    if found and name == "summary":
        entry.prose.append(found[2].strip())
    elif found and name not in entry.fields:
        entry.fields[name] = (found[2].strip(), number)
    else:
        entry.prose.append(line)


def _episode(entry: _Entry, flaws: list[Flaw]) -> EpisodeFound:
    if entry.time is None or not _TIME.fullmatch(entry.time):
        message = f"The entry {entry.title[:80]!r} tells no time of the day."
        flaws.append(Flaw(code="bad-time", message=message, line=entry.line))
    tags, _ = entry.fields.get("tags", ("", 0))
    kind, _ = entry.fields.get("type", ("", 0))
    link, target = _memory(entry, flaws)
    return EpisodeFound(
        date=entry.date,
        time=entry.time,
        title=entry.title,
        line=entry.line,
        type=kind or None,
        tags=tuple(tag.strip() for tag in tags.split(",") if tag.strip()),
        summary="\n".join(entry.prose).strip("\n") or None,
        link=link,
        target=target,
    )


def _memory(entry: _Entry, flaws: list[Flaw]) -> tuple[str | None, str | None]:
    """The link to the memory, as written, and the key that it resolves to."""
    text, line = entry.fields.get("memory", ("", 0))
    found = first_link(text)
    if not found and not is_page(text):
        return None, None
    link = found.target if found else text
    target, flaw = resolve(EPISODES, link, line, f"The entry {entry.title[:80]!r}")
    if flaw:
        flaws.append(flaw)
    return link, target
