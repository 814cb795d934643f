"""What the story says of times, costs and claims, with its instants worked out."""

from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from store.demo.days import Days
from store.demo.identity import identify
from store.demo.model import Session, Story
from store.demo.source import Source, Table

_LISTS = ("sessions", "agents", "timed", "done", "claims", "skills")


class Moment(Struct, frozen=True):
    """An entry of the story, and when it began."""

    start: datetime
    facts: Table

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401  TOML's values have any type
        return self.facts[key]

    @property
    def end(self) -> datetime:
        """When it ended."""
        return self.start + timedelta(seconds=self.facts["seconds"])

    @property
    def session(self) -> str:
        """The identifier of the sitting that it belongs to."""
        return identify("session", self.facts["session"])

    @property
    def agent(self) -> str:
        """The identifier of the agent that it tells of."""
        return agent_id(self.facts["name"])


class Measured(Struct, frozen=True):
    """All of it, each list in order of time."""

    story: Story
    days: Days
    table: Table
    last: datetime
    """When the last of it was written down."""
    sessions: list[Moment]
    agents: list[Moment]
    timed: list[Moment]
    done: list[Moment]
    claims: list[Moment]
    skills: list[Moment]

    @property
    def pages(self) -> dict[str, str]:
        """Pages by their paths."""
        return self.table["pages"]

    def sitting(self, key: str) -> Session:
        """A sitting by what the story calls it."""
        return self.story.sessions[key]

    def begin(self, sitting: Session) -> datetime:
        """When a sitting began."""
        return self.days.ago(sitting.ago, sitting.at)


def read_measured(story: Story, days: Days) -> Measured:
    """Everything that the kit wrote down beside the sittings."""
    table = (Source.story(days) / "kei.toml").table()

    def moments(name: str) -> list[Moment]:
        found = [Moment(_start(facts, story, days), facts) for facts in table[name]]
        return sorted(found, key=lambda moment: moment.start)

    lists = {name: moments(name) for name in _LISTS}
    last = max(moment.start for one in lists.values() for moment in one)
    return Measured(story, days, table, last + timedelta(hours=1), **lists)


def agent_id(name: str) -> str:
    """What an agent goes by: the call that started it."""
    return f"toolu_01{identify('agent', name).replace('-', '')[:22]}"


def _start(facts: Table, story: Story, days: Days) -> datetime:
    """When something began: by itself, or so many minutes into its sitting."""
    if "ago" in facts:
        return days.ago(facts["ago"], facts["at"])
    sitting = story.sessions[facts["session"]]
    return days.ago(sitting.ago, sitting.at) + timedelta(minutes=facts["after"])
