"""The library saves conversations of any format."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.derive.statistics import Keeping
from store.discover import beneath
from store.errors import NotPossibleError, ReadOnlyError
from store.formats.register import FORMATS
from store.kinds.conversations import Conversation
from store.library import Library, Page, Writing
from store.machine import Places
from tests.store.catalogue.stores import cognitive
from tests.store.formats.claudia_stores import FILE, NOW, SESSION, database
from tests.store.formats.transcripts_stores import put, user

FIRST, LAST = "2026-02-20T18:33:00.000Z", "2026-02-20T18:40:00.000Z"


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    """A database with a conversation."""
    with database(tmp_path / "stores" / "anima") as made:
        made.file()
        made.entry(FIRST, "The kiln is at cone 6.")
        made.conversation(FIRST, LAST, status="ready", summary="It held.")
    return tmp_path / "stores"


@pytest.fixture
def transcript(stores: Path) -> Path:
    """Its transcript, in a store of its own."""
    said = user("one", "The kiln is at cone 6.", sessionId=SESSION)
    path = stores / "claude" / "projects" / FILE.replace("4eb362e5", SESSION)
    return put(path, said)


@pytest.fixture
def library(places: Places, stores: Path) -> Iterator[Library]:
    with opened(places, stores) as library:
        yield library


def opened(places: Places, stores: Path, *, is_forbidden: bool = False) -> Library:
    writing = Writing(places, is_forbidden, lambda: NOW)
    library = Library(places.catalogue, NOW, writing=writing)
    library.stores.choose(beneath([stores], FORMATS).stores)
    library.sync()
    return library


def told_by(library: Library, form: str) -> Conversation:
    formats = dict(zip(library.stores.chosen, library.stores.formats, strict=True))
    for one in library.lists.page("conversations", Page()):
        if isinstance(one, Conversation) and formats[Path(one.store)] == form:
            return one
    raise AssertionError(form)


def test_a_conversation_of_a_database_is_saved_by_its_transcript(
    transcript: Path, library: Library
) -> None:
    known = told_by(library, "claudia")
    assert library.plans.possible(known)["pin"] == ""

    (kept,) = library.vault.keep([known]).kept

    assert Path(kept.store) / kept.path == transcript
    assert kept.ref == told_by(library, "transcripts").ref
    assert library.vault.kept_of([known]) == library.vault.kept() == [kept]
    (gone,) = library.vault.release([kept.ref or ""]).kept
    assert gone == kept
    assert library.vault.kept() == []


def test_without_a_transcript_nothing_can_be_saved(
    library: Library,
) -> None:
    known = told_by(library, "claudia")

    assert "transcript" in library.plans.possible(known)["pin"]
    with pytest.raises(NotPossibleError, match="transcript"):
        library.vault.keep([known])
    assert library.vault.kept() == []


def test_only_conversations_can_be_saved(tmp_path: Path, places: Places) -> None:
    store = cognitive(tmp_path / "graph", 1)
    with opened(places, store) as library:
        (memory,) = library.lists.page("memories", Page())
        with pytest.raises(NotPossibleError, match="Only conversations"):
            library.vault.keep([memory.ref or ""])


def test_a_read_only_session_saves_nothing(
    transcript: Path, places: Places, stores: Path
) -> None:
    with opened(places, stores, is_forbidden=True) as library:
        known = told_by(library, "transcripts")

        assert "read-only" in library.plans.possible(known)["pin"]
        with pytest.raises(ReadOnlyError):
            library.vault.keep([known])
    assert transcript.exists()
    assert not places.vault.exists()


def test_two_conversations_of_one_session_are_saved_once(
    transcript: Path, library: Library
) -> None:
    both = [told_by(library, "claudia"), told_by(library, "transcripts")]

    (kept,) = library.vault.keep(both).kept

    assert kept.bytes == transcript.stat().st_size


def test_the_timeline_shows_what_is_saved(transcript: Path, library: Library) -> None:
    other = put(transcript.with_name("another.jsonl"), user("two", "Cone 10."))
    library.sync()
    assert keepings(library) == [Keeping.NOTHING] * 3

    library.vault.keep([told_by(library, "claudia")])
    assert keepings(library) == [Keeping.NOTHING, Keeping.WHOLE, Keeping.WHOLE]

    with transcript.open("a", encoding="utf-8") as file:
        file.write("\n")
    assert keepings(library) == [Keeping.NOTHING, Keeping.EARLIER, Keeping.EARLIER]

    transcript.unlink()
    other.unlink()
    library.sync()
    assert keepings(library) == [Keeping.ONLY]


def test_saved_conversations_of_agents_are_shown_too(
    transcript: Path, library: Library
) -> None:
    folder = transcript.with_suffix("") / "subagents"
    said = user("two", "Look.", sessionId=SESSION, isSidechain=True)
    put(folder / "agent-a0123456789abcdef.jsonl", said)
    library.sync()
    assert keepings(library) == [Keeping.NOTHING] * 3

    library.vault.keep([told_by(library, "transcripts")])
    assert keepings(library) == [Keeping.WHOLE] * 3


def keepings(library: Library) -> list[int]:
    """How much of each conversation the vault has, sorted."""
    return sorted(
        library.counts.spans(library.lists.order("conversations", Page())).kept
    )


def test_a_pin_is_undone_without_permission_but_not_in_a_read_only_session(
    transcript: Path, places: Places, stores: Path
) -> None:
    journal = places.state / "changes" / "journal.jsonl"
    with opened(places, stores) as library:
        library.vault.keep([told_by(library, "transcripts")])
    written = journal.read_bytes()

    with opened(places, stores, is_forbidden=True) as library:
        with pytest.raises(ReadOnlyError):
            library.changes.undo()
        assert len(library.vault.kept()) == 1
    assert journal.read_bytes() == written

    with opened(places, stores) as library:
        assert library.changes.undo().action.startswith("undo pin “")
        assert library.vault.kept() == []
    assert transcript.exists()
