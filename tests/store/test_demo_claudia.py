"""The sample of Anima's memory: the story, and its deliberate problems."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.demo import write
from store.files.beneath import Root
from store.formats.claudia.format import FORMAT
from tests.store.formats.claudia_stores import ask, only, read, refused

NOW = datetime(2026, 3, 29, 14, 30, tzinfo=UTC)


def make(folder: Path) -> Path:
    write(folder, NOW)
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


def test_the_conversations_are_the_sessions(demo: Path) -> None:
    found = only(demo / "anima")

    listed = [talk for talk in found.conversations if talk.status]
    assert len(listed) == 9
    statuses = {talk.status for talk in listed}
    assert statuses == {"archived", "skipped", "review", "queued", "ready"}
    belongs = {message.conversation for message in found.messages}
    assert belongs == {talk.key for talk in found.conversations}


def test_entries_outside_are_a_conversation_of_their_own(demo: Path) -> None:
    found = only(demo / "anima")

    (outside,) = (talk for talk in found.conversations if not talk.status)
    messages = [one for one in found.messages if one.conversation == outside.key]
    assert len(messages) == 1


def test_only_deliberate_problems_exist(demo: Path) -> None:
    flaws = [flaw.code for flaw in only(demo / "anima").flaws]

    assert flaws == ["ingesting", "outside-conversations", "stale-search-text"]
    assert not [f for found in read(demo / "memory").values() for f in found.flaws]
    stale = [row["stale"] for row in ask(demo / "anima", "search", "SQLite")]
    assert stale == [True]


def test_every_episode_links_to_its_conversation(demo: Path) -> None:
    keys = {talk.key for talk in only(demo / "anima").conversations}
    pages = read(demo / "memory").values()
    episodes = [episode for found in pages for episode in found.episodes]

    assert len(episodes) == 6
    assert {episode.conversation for episode in episodes} <= keys
    assert all(episode.tags and episode.summary for episode in episodes)


def test_settings_keep_their_secret(demo: Path) -> None:
    assert "not-a-key" not in repr(only(demo / "anima", "anima.json"))
    assert ask(demo / "anima", "transcript", "871")[0]["time"]
