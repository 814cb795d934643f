"""CORE.md made anew: the memories that matter most now, by the rules of its writer."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from store.files.moments import moment_of
from store.records.memory import Memory

SECTIONS = {
    "Critical Solutions": ("solution",),
    "Active Decisions": ("decision",),
    "Key Fixes": ("fix",),
    "Configurations": ("configuration",),
    "Patterns & Workflows": ("code_pattern", "workflow", "procedure"),
}
"""The sections and the types that go into each; other types have none."""

FLOOR = 0.2
"""How strong a memory has to be."""

PER_SECTION = 15
LARGEST = 12_000
"""How many characters the page has at most: about 3,000 tokens."""

_REFRESH = "Next refresh: daily (systemd timer)"


def core_page(memories: Sequence[Memory], now: int) -> str:
    """The page: a section for each kind of use, the strongest first."""
    alive = [memory for memory in memories if _score(memory) >= FLOOR]
    alive.sort(key=lambda memory: (-_score(memory), memory.title, memory.path))
    chosen = list(_chosen(alive))
    while True:
        page = _page(chosen, len(alive), len(memories), now)
        if len(page) <= LARGEST or not chosen:
            return page
        chosen.pop()


def link_to(path: str) -> str:
    """A path as it may stand in a link."""
    return quote(path, safe="/!$&'*+,;=:@~", errors="surrogateescape")


def _chosen(alive: Sequence[Memory]) -> Iterator[Memory]:
    """What goes onto the page, the strongest first, while its section has room."""
    room = dict.fromkeys(SECTIONS, PER_SECTION)
    for memory in alive:
        section = next((s for s, kinds in SECTIONS.items() if memory.type in kinds), "")
        if room.get(section):
            room[section] -= 1
            yield memory


def _page(chosen: Sequence[Memory], alive: int, total: int, now: int) -> str:
    day = f"{moment_of(now):%Y-%m-%d}"
    lines = [
        "# Memory Core (auto-generated)",
        f"> Last updated: {day} | Active memories: {alive}/{total} | {_REFRESH}",
    ]
    for section, kinds in SECTIONS.items():
        members = [memory for memory in chosen if memory.type in kinds]
        lines += ["", f"## {section}", *map(_line, members)]
    return "\n".join(lines) + "\n"


def _line(memory: Memory) -> str:
    tags = f" ({', '.join(memory.tags)})" if memory.tags else ""
    return f"- [{' '.join(memory.title.split())}]({link_to(memory.path)}){tags}"


def _score(memory: Memory) -> float:
    return memory.strength or 0.0
