"""What the story consists of, before any format has put it into its own words."""

from msgspec import Struct


class Project(Struct, frozen=True, kw_only=True):
    """One thing that the developer works on."""

    name: str
    """The word for it; also its tag."""
    path: str
    """The folder that it is kept in, on the developer's machine."""


class Session(Struct, frozen=True, kw_only=True):
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


class Link(Struct, frozen=True, kw_only=True):
    """Why one memory points to another."""

    type: str
    to: str
    """The slug of the memory that it leads to."""
    strength: float
    context: str
    told: str | None = None
    """The whole reason, where it was worth an edge file."""


class Memory(Struct, frozen=True, kw_only=True):
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


class Episode(Struct, frozen=True, kw_only=True):
    """One line of the diary."""

    ago: int
    at: str
    title: str
    type: str
    tags: tuple[str, ...]
    memory: str | None
    """The slug of the memory that it tells of."""
    summary: str


class Blemishes(Struct, frozen=True, kw_only=True):
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


class Graph(Struct, frozen=True, kw_only=True):
    """The memories of one cognitive store and its diary."""

    memories: tuple[Memory, ...]
    episodes: tuple[Episode, ...]
    blemishes: Blemishes


class Note(Struct, frozen=True, kw_only=True):
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


class Notebook(Struct, frozen=True, kw_only=True):
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


class Story(Struct, frozen=True, kw_only=True):
    """All of it."""

    projects: dict[str, Project]
    sessions: dict[str, Session]
    graphs: dict[str, Graph]
    notebooks: tuple[Notebook, ...]
