"""The diary: one file a day, only ever appended to."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from store.demo.cognitive.placed import Placed
from store.demo.days import Days
from store.demo.model import Episode


def diary(
    episodes: Sequence[Episode], placed: Mapping[str, Placed], days: Days
) -> Iterator[tuple[str, str, datetime]]:
    """Path, text and last change of every day's file, the oldest first."""
    ordered = sorted(episodes, key=lambda episode: (-episode.ago, episode.at))
    for ago, entries in groupby(ordered, key=lambda episode: episode.ago):
        told = list(entries)
        last = days.ago(ago, told[-1].at)
        date = last.date().isoformat()
        texts = [_entry(episode, placed) for episode in told]
        yield f"episodes/{date}.md", "\n".join([f"# {date}\n", *texts]), last


def _entry(episode: Episode, placed: Mapping[str, Placed]) -> str:
    """An entry; its link names the file that the memory was in at the time."""
    lines = [
        f"## {episode.at} - {episode.title}",
        f"- **Type:** {episode.type}",
        f"- **Tags:** {', '.join(episode.tags)}",
    ]
    if episode.memory:
        one = placed[episode.memory]
        lines.append(f"- **Memory:** [{one.name}](../{one.home})")
    lines.append(f"- **Summary:** {episode.summary}")
    return "\n".join(lines) + "\n"
