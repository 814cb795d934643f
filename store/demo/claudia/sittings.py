"""The sittings as Anima remembers them, with the times that they come to."""

from datetime import datetime, timedelta

from msgspec import Struct

from store.demo.days import Days
from store.demo.identity import identify
from store.demo.model import Project, Story
from store.demo.notes import slug_of
from store.demo.source import Source, Table

HOME = "/home/zoe"
ZONE = "UTC"


class Turn(Struct, frozen=True):
    """One thing that was said."""

    role: str
    at: datetime
    text: str
    tools: str | None


class Sitting(Struct, frozen=True):
    """One conversation of the database."""

    number: int
    session: str
    project: Project
    status: str
    mood: str
    topics: tuple[str, ...]
    told: str
    """What happened, in her words; nothing where it was not written down."""
    summary: str
    turns: tuple[Turn, ...]

    @property
    def first(self) -> datetime:
        """When the first thing was said."""
        return self.turns[0].at

    @property
    def last(self) -> datetime:
        """When the last thing was said."""
        return self.turns[-1].at

    @property
    def file(self) -> str:
        """The transcript's key."""
        return f"{slug_of(self.project.path)}/{self.session}.jsonl"

    @property
    def episode(self) -> str | None:
        """The page that was made of it, where there is one."""
        if not self.told:
            return None
        day = self.first
        return f"episodes/{day:%Y-%m}/{day:%Y-%m-%d-%H%M}-{self.number}.md"


class Anima(Struct, frozen=True):
    """All that she remembers."""

    sittings: tuple[Sitting, ...]
    pages: tuple[tuple[str, str, datetime], ...]
    """Path, text and time of each page that is no episode."""
    orphan: tuple[Sitting, Turn]
    """What was said when its conversation had been closed."""
    stale: tuple[str, str]
    """The path of a page, and what it said before."""
    ingesting: str
    """The transcript whose reading broke off."""


def read_anima(story: Story, days: Days) -> Anima:
    """Her part of the story."""
    table = (Source.story(days) / "anima.toml").table()
    held = [_sitting(entry, story, days) for entry in table["sittings"]]
    sittings = tuple(sorted(held, key=lambda sitting: sitting.number))
    blemishes = table["blemishes"]
    key, minutes, text = blemishes["orphan"]
    late = next(s for s in sittings if s.session == identify("session", key))
    after = late.first + timedelta(minutes=minutes)
    broken = story.sessions[blemishes["ingesting"]]
    slug = slug_of(story.projects[broken.project].path)
    return Anima(
        sittings=sittings,
        pages=tuple(_page(entry, days) for entry in table["pages"]),
        orphan=(late, Turn("user", after, text, None)),
        stale=(blemishes["stale"][0], blemishes["stale"][1]),
        ingesting=f"{slug}/{identify('session', broken.key)}.jsonl",
    )


def _sitting(entry: Table, story: Story, days: Days) -> Sitting:
    session = story.sessions[entry["session"]]
    start = days.ago(session.ago, session.at)
    return Sitting(
        number=entry["number"],
        session=identify("session", session.key),
        project=story.projects[session.project],
        status=entry["status"],
        mood=entry["mood"],
        topics=tuple(entry["topics"]),
        told=entry["told"],
        summary=session.summary,
        turns=tuple(
            Turn(role, start + timedelta(minutes=minutes), text, tools or None)
            for role, minutes, text, tools in entry["turns"]
        ),
    )


def _page(entry: Table, days: Days) -> tuple[str, str, datetime]:
    moment = days.ago(entry["ago"], "22:30")
    filled = {"{month}": f"{moment:%Y-%m}", "{date}": f"{moment:%Y-%m-%d}"}
    path, text = entry["path"], entry["text"].lstrip("\n")
    for mark, value in filled.items():
        path, text = path.replace(mark, value), text.replace(mark, value)
    return path, text, moment
