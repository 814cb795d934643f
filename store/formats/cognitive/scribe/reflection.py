"""REFLECTION.md made anew: which themes recur, and what is used most."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from store.files.moments import moment_of
from store.formats.cognitive.scribe.core import link_to
from store.records.memory import Memory

PROJECTS = (
    "major-domo",
    "paper-dynasty",
    "homelab",
    "vagabond-rpg",
    "foundryvtt",
    "strat-gameplay-webapp",
)
"""The tags that the format's own program takes for projects by itself."""

_THEMES = 8
_EXAMPLES = 3
_MOST_ACCESSED = 10
_RECENT = 10
_PREVIEW = 80
_SHARED = 2
"""How many tags, or projects, it takes to call something shared."""


class Told(Struct, frozen=True, kw_only=True):
    """What the page tells beside the memories."""

    head: Mapping[str, str]
    """The facts at the top of the page as it is, by their names in small letters."""
    projects: frozenset[str]
    """The tags that the page as it is takes for projects."""
    merges: int
    """How many merges the daily logs tell of."""
    body: Callable[[Memory], str]
    """The text of a memory."""


def reflection_page(memories: Sequence[Memory], told: Told, now: int) -> str:
    """The page; when was reflected last, and how often, it is not ours to say."""
    updated = f"Last updated: {moment_of(now):%Y-%m-%d}"
    last = told.head.get("last reflection", "never")
    total = told.head.get("total reflections", "0")
    memories = sorted(memories, key=lambda memory: (memory.created or "", memory.path))
    return "\n".join(
        [
            "# Reflection Summary (auto-generated)",
            f"> {updated} | Last reflection: {last} | Total reflections: {total}",
            "\n## Themes\nTop tag co-occurrences revealing recurring themes:\n",
            *_themes(memories),
            "\n## Cross-Project Patterns\nTags that span multiple projects:\n",
            *_patterns(memories, told.projects.union(PROJECTS)),
            "\n## Most Accessed\nTop 10 memories by access count:\n",
            *_most_accessed(memories),
            "\n## Recent Insights\nInsight-type memories:\n",
            *_insights(memories, told.body),
            f"\n## Consolidation History\n\n- Total merges performed: {told.merges}\n",
        ]
    )


def _themes(memories: Sequence[Memory]) -> Iterator[str]:
    pairs: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for memory in memories:
        for pair in combinations(sorted(set(memory.tags)), _SHARED):
            pairs[pair].append(_title(memory))
    ranked = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    for pair, titles in ranked[:_THEMES]:
        examples = ", ".join(f'"{title}"' for title in titles[:_EXAMPLES])
        yield f"- **{' + '.join(pair)}**: {len(titles)} memories ({examples})"


def _patterns(memories: Sequence[Memory], projects: frozenset[str]) -> Iterator[str]:
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for memory in memories:
        tags = set(memory.tags)
        for tag in tags.difference(projects):
            seen[tag].update(tags.intersection(projects))
    for tag, counts in sorted(seen.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(counts) >= _SHARED:
            ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            places = ", ".join(f"{project} ({count})" for project, count in ranked)
            yield f"- **{tag}**: appears in {places}"


def _most_accessed(memories: Sequence[Memory]) -> Iterator[str]:
    ranked = sorted(memories, key=lambda memory: (-memory.access_count, memory.title))
    for rank, memory in enumerate(ranked[:_MOST_ACCESSED], 1):
        link = f"[{_title(memory)}]({link_to(memory.path)})"
        yield f"{rank}. {link} - {memory.access_count} accesses"


def _insights(
    memories: Sequence[Memory], body: Callable[[Memory], str]
) -> Iterator[str]:
    insights = [memory for memory in memories if memory.type == "insight"]
    insights.sort(key=lambda memory: (memory.created or "", memory.path), reverse=True)
    for memory in insights[:_RECENT]:
        preview = " ".join(body(memory).split())[:_PREVIEW]
        yield f"- [{_title(memory)}]({link_to(memory.path)}) - {preview}..."


def _title(memory: Memory) -> str:
    return " ".join(memory.title.split())
