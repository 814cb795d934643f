"""The sample of Anima's memory: the story, and what is wrong in it on purpose."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.demo.claudia import put_claudia, put_pages
from store.demo.days import Days
from store.demo.load import read_story
from store.demo.tree import Tree
from store.files.beneath import Root
from store.formats.claudia import FORMAT
from tests.store.formats.claudia_stores import ask, only, read, refused

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)


def make(folder: Path) -> Path:
    tree, days = Tree(), Days.before(NOW)
    story = read_story(days)
    assert put_claudia(tree, story, days) == "anima"
    assert put_pages(tree, story, days) == "memory"
    tree.write(folder)
    return folder


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("made") / "demo")


def test_both_folders_are_stores(demo: Path) -> None:
    for name in ("anima", "memory"):
        with Root(demo / name) as root:
            assert FORMAT.sniff(root)
        assert refused(demo / name) == {}


def test_the_same_day_gives_the_same_bytes(demo: Path, tmp_path: Path) -> None:
    again = make(tmp_path / "again")

    assert (demo / "anima/anima.db").read_bytes() == (
        again / "anima/anima.db"
    ).read_bytes()


def test_the_conversations_are_the_sittings(demo: Path) -> None:
    found = only(demo / "anima")

    assert len(found.conversations) == 9
    statuses = {talk.status for talk in found.conversations}
    assert statuses == {"archived", "skipped", "review", "queued", "ready"}
    belongs = {message.conversation for message in found.messages}
    assert belongs == {None, *(talk.key for talk in found.conversations)}


def test_what_is_wrong_is_wrong_on_purpose(demo: Path) -> None:
    flaws = [flaw.code for flaw in only(demo / "anima").flaws]

    assert flaws == ["ingesting", "outside-conversations", "stale-search-text"]
    assert not [f for found in read(demo / "memory").values() for f in found.flaws]
    stale = [row["stale"] for row in ask(demo / "anima", "search", "SQLite")]
    assert stale == [True]


def test_every_episode_leads_to_its_conversation(demo: Path) -> None:
    keys = {talk.key for talk in only(demo / "anima").conversations}
    pages = read(demo / "memory").values()
    episodes = [episode for found in pages for episode in found.episodes]

    assert len(episodes) == 6
    assert {episode.conversation for episode in episodes} <= keys
    assert all(episode.tags and episode.summary for episode in episodes)


def test_settings_keep_their_secret(demo: Path) -> None:
    assert "not-a-key" not in repr(only(demo / "anima", "anima.json"))
    assert ask(demo / "anima", "transcript", "871")[0]["time"]
