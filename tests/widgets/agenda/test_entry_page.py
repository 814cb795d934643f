"""An entry as a page: its whole content, and its memory."""

from datetime import date

from store.kinds.memories import MemoryInFull
from store.kinds.pages import Episode
from store.records.answers import Link
from tests.store.test_clean import is_forbidden
from tests.widgets.agenda.episodes import an_episode
from tests.widgets.hostile import TEXTS
from tests.widgets.records import NOW, a_memory
from widgets.agenda import entry_page
from widgets.text import Look, Target, TextLine

LINK = Link(
    direction="out",
    by="episode",
    type="tells of",
    ref="memory:1",
    title="Most incidents share a cause",
    strength=None,
    context=None,
    edge=None,
    store="/stores/cognitive",
    path="episodes/2026-02-20.md",
)
MEMORY = MemoryInFull(
    memory=a_memory(ref="memory:1", type="insight", title=LINK.title),
    body="A client without a timeout waits for ever.",
    relations=(),
    steps=(),
    preconditions=(),
    postconditions=(),
    fields={},
)


def page(
    entry: Episode,
    links: tuple[Link, ...] = (),
    memory: MemoryInFull | None = None,
    width: int = 70,
) -> list[TextLine]:
    body = entry_page(entry, links, memory, NOW, date(2026, 2, 20))
    return list(body.lines(Look(width)))


def test_the_page_shows_the_whole_entry_and_its_memory() -> None:
    lines = page(an_episode(), (LINK,), MEMORY)
    texts = [line.text for line in lines]

    assert texts[0].split("   ") == [
        "Fri 20 Feb 2026 · today",
        "09:02",
        "insight",
        "append-only",
    ]
    assert texts[1] == "#redis #timeout"
    assert texts[2] == "episodes/2026-02-20.md:3"
    assert "Three incidents share one root cause:" in texts[5]
    assert "→ Most incidents share a cause" in texts
    assert "INS Most incidents share a cause" in texts
    assert texts[-1] == "A client without a timeout waits for ever."


def test_links_of_an_entry_have_targets() -> None:
    lines = page(an_episode(), (LINK,), MEMORY)
    targets = [run.target for line in lines for run in line.runs if run.target]

    assert Target("tag", "redis") in targets
    assert targets.count(Target("ref", "memory:1")) > 1


def test_a_broken_link_says_so() -> None:
    texts = [line.text for line in page(an_episode(memory=None, link="../gone.md"))]

    assert "⚠ ../gone.md doesn't exist" in texts


def test_an_empty_entry_says_so() -> None:
    bare = an_episode(
        time=None, type=None, tags=(), summary=None, memory=None, link=None
    )
    texts = [line.text for line in page(bare)]

    assert texts[0].startswith("Fri 20 Feb 2026 · today   append-only")
    assert "No details." in texts


def test_nothing_hostile_gets_through() -> None:
    for text in TEXTS:
        hostile = an_episode(
            date=text,
            time=text,
            title=text,
            type=text,
            tags=(text,),
            link=text,
            path=text,
            memory=None,
        )
        for line in page(hostile, width=20):
            assert not any(map(is_forbidden, line.text))
