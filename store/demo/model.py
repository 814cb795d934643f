"""What the story consists of, before any format has put it into its own words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """One thing that the developer works on."""

    name: str
    """The word for it; also its tag."""
    path: str
    """The folder that it is kept in, on the developer's machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One sitting with an agent."""

    key: str
    """What notes call it by."""
    project: str
    ago: int
    at: str
    minutes: int
    """How long it took."""
    messages: int
    branch: str
    prompt: str
    """The first thing that was asked."""
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Why one memory points to another."""

    type: str
    to: str
    """The slug of the memory that it leads to."""
    strength: float
    context: str
    told: str | None = None
    """The whole reason, where it was worth an edge file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing that was worth keeping."""

    slug: str
    type: str
    title: str
    tags: tuple[str, ...]
    importance: float
    confidence: float
    ago: int
    """The day that it was made, counted back from today."""
    at: str
    """The time of that day."""
    changed: int
    """The day that it was last changed."""
    uses: int
    """How often it was recalled."""
    used: int | None
    """The day that it was last recalled."""
    pinned: bool
    links: tuple[Link, ...]
    steps: tuple[str, ...]
    preconditions: tuple[str, ...]
    postconditions: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One line of the diary."""

    ago: int
    at: str
    title: str
    type: str
    tags: tuple[str, ...]
    memory: str | None
    """The slug of the memory that it tells of."""
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Blemishes:
    """What is wrong in a graph on purpose, so that checks have something to show."""

    one_sided: tuple[str, str] | None = None
    """The slugs of a link whose end does not know of it."""
    dangling: str | None = None
    """The slug whose links lead, among others, to a memory that is gone."""
    stale_edge_title: tuple[str, str, str] | None = None
    """The slugs of a link, and what its end was called before."""
    stale_index_title: tuple[str, str] | None = None
    """The slug of a memory, and what it was called when the index was built."""
    broken_yaml: str | None = None
    """The slug of a memory whose title lost its closing quote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """The memories of one cognitive store and its diary."""

    memories: tuple[Memory, ...]
    episodes: tuple[Episode, ...]
    blemishes: Blemishes


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One markdown note of a project."""

    file: str
    form: str
    """Which of the forms in use it is written in, V0 to V6."""
    name: str
    description: str
    """As it stands in the file, quotes included."""
    type: str
    hook: str | None
    """What the index says about it; none when the index forgot it."""
    section: str | None
    """The heading of the index that it stands under."""
    ago: int
    at: str
    session: str | None
    """The key of the session that wrote it."""
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Notebook:
    """The notes that one agent keeps for one project."""

    project: str
    place: str
    """Where it lies; `{slug}` is the project's path in Claude Code's spelling."""
    kind: str
    """`claude`, `s09` or `agent`: who keeps it, and so how its index is written."""
    heading: str | None
    gone: tuple[str, ...]
    """Lines of the index that name notes which are no longer there."""
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All of it."""

    projects: dict[str, Project]
    sessions: dict[str, Session]
    graphs: dict[str, Graph]
    notebooks: tuple[Notebook, ...]
