"""CORE.md and REFLECTION.md, by the rules of the store's own program."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations

from store.demo.cognitive.placed import Placed
from store.demo.cognitive.scores import score
from store.demo.model import Episode

SECTIONS = {
    "Critical Solutions": ("solution",),
    "Active Decisions": ("decision",),
    "Key Fixes": ("fix",),
    "Configurations": ("configuration",),
    "Patterns & Workflows": ("code_pattern", "workflow", "procedure"),
}
"""What CORE.md has sections for, and the types that go into each."""

REFRESH = "Next refresh: daily (systemd timer)"
FLOOR = 0.2
PER_SECTION = 15
THEMES = 8
EXAMPLES = 3
MOST_ACCESSED = 10
RECENT = 10
PREVIEW = 80
PAIR = 2
"""How many tags, or projects, it takes to call something shared."""


def core(memories: Sequence[Placed], now: datetime) -> str:
    """CORE.md: the strongest memories, a section for each kind of use."""
    scores = {one.id: score(one, now) for one in memories}
    alive = [one for one in memories if scores[one.id] >= FLOOR]
    alive.sort(key=lambda one: (-scores[one.id], one.memory.title))
    active = f"{len(alive)}/{len(memories)}"
    lines = [
        "# Memory Core (auto-generated)",
        f"> Last updated: {now.date()} | Active memories: {active} | {REFRESH}",
    ]
    for heading, types in SECTIONS.items():
        members = [one for one in alive if one.memory.type in types][:PER_SECTION]
        lines += ["", f"## {heading}", *map(_core_line, members)]
    return "\n".join(lines) + "\n"


def reflection(
    memories: Sequence[Placed],
    episodes: Sequence[Episode],
    projects: Sequence[str],
    now: datetime,
) -> str:
    """REFLECTION.md: which themes recur, and what is used most."""
    reflections = sum("reflection" in episode.tags for episode in episodes)
    merges = sum("merge" in episode.tags for episode in episodes)
    dates = f"Last updated: {now.date()} | Last reflection: {now.date()}"
    return "\n".join(
        [
            "# Reflection Summary (auto-generated)",
            f"> {dates} | Total reflections: {reflections}",
            "\n## Themes\nTop tag co-occurrences revealing recurring themes:\n",
            *_themes(memories),
            "\n## Cross-Project Patterns\nTags that span multiple projects:\n",
            *_patterns(memories, projects),
            "\n## Most Accessed\nTop 10 memories by access count:\n",
            *_most_accessed(memories),
            "\n## Recent Insights\nInsight-type memories:\n",
            *_insights(memories),
            f"\n## Consolidation History\n\n- Total merges performed: {merges}\n",
        ]
    )


def _core_line(one: Placed) -> str:
    return f"- [{one.memory.title}]({one.path}) ({', '.join(one.memory.tags)})"


def _themes(memories: Sequence[Placed]) -> Iterator[str]:
    pairs: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for one in memories:
        for pair in combinations(sorted(one.memory.tags), PAIR):
            pairs[pair].append(one.memory.title)
    ranked = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    for pair, titles in ranked[:THEMES]:
        examples = ", ".join(f'"{title}"' for title in titles[:EXAMPLES])
        yield f"- **{' + '.join(pair)}**: {len(titles)} memories ({examples})"


def _patterns(memories: Sequence[Placed], projects: Sequence[str]) -> Iterator[str]:
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in memories:
        tags = set(one.memory.tags)
        for tag in tags.difference(projects):
            seen[tag].update(tags.intersection(projects))
    for tag, counts in sorted(seen.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(counts) >= PAIR:
            ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            places = ", ".join(f"{project} ({count})" for project, count in ranked)
            yield f"- **{tag}**: appears in {places}"


def _most_accessed(memories: Sequence[Placed]) -> Iterator[str]:
    ranked = sorted(memories, key=lambda one: (-one.memory.uses, one.memory.title))
    for rank, one in enumerate(ranked[:MOST_ACCESSED], 1):
        uses = one.memory.uses
        yield f"{rank}. [{one.memory.title}]({one.path}) - {uses} accesses"


def _insights(memories: Sequence[Placed]) -> Iterator[str]:
    insights = [one for one in memories if one.memory.type == "insight"]
    insights.sort(key=lambda one: one.created, reverse=True)
    for one in insights[:RECENT]:
        preview = " ".join(one.memory.body.split())[:PREVIEW]
        yield f"- [{one.memory.title}]({one.path}) - {preview}..."
