"""The full-text index follows its stores through any syncs."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from store import demo
from store.catalogue.schema import SHELVES
from store.catalogue.words import Letters
from store.kinds.memories import BODIES, HEADS
from store.kinds.messages import TEXTS
from store.records.reports import Progress
from tests.store.catalogue.search.question import asked, titles
from tests.store.catalogue.stores import Shelf, cognitive, memory, note, write
from tests.store.catalogue.words.shelved import (
    catalogue,
    check,
    cut_off_between,
    identifiers,
    lists,
    terms,
)
from tests.store.formats import transcripts_stores as told

SOME = 20
"""More lists of terms than are kept beside one another."""


def test_every_shelf_is_complete_after_the_first_sync(shelf: Shelf) -> None:
    demo.write(shelf.places[0], datetime(2026, 3, 1, tzinfo=UTC))
    shelf.sync()

    check(shelf.catalogue)

    with catalogue(shelf.catalogue) as connection:
        assert all(terms(connection, one) for one in SHELVES)


def test_a_changed_file_is_found_by_its_new_text(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    shelf.sync()
    text = memory(1, title="Kiln fired", body="Cone six.")
    write(store, "graph/fixes/memory-1.md", text)
    shelf.sync()

    assert titles(shelf, "six") == titles(shelf, "kiln") == ["Kiln fired"]
    assert titles(shelf, '"Body 1."') == titles(shelf, '"Memory 1"') == []
    check(shelf.catalogue)


def test_a_renamed_file_is_found_once(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    shelf.sync()
    folder = store / "graph/fixes"
    (folder / "memory-1.md").rename(folder / "other.md")
    shelf.sync()

    assert titles(shelf, '"Body 1."') == ["Memory 1"]
    check(shelf.catalogue)


def test_a_deleted_file_is_not_found(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    shelf.sync()
    (store / "graph/fixes/memory-1.md").unlink()
    shelf.sync()

    assert titles(shelf, "body") == ["Memory 2"]
    check(shelf.catalogue)


def test_a_store_that_is_gone_leaves_no_words_behind(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 1)
    write(shelf.places[0] / "b", "MEMORY.md", "- [kiln](kiln.md) — About it\n")
    write(shelf.places[0] / "b", "kiln.md", note("kiln"))
    shelf.sync()
    shutil.rmtree(shelf.places[0] / "a")
    shelf.sync()

    assert titles(shelf, "body") == []
    assert titles(shelf, "kiln") == ["kiln"]
    check(shelf.catalogue)
    with catalogue(shelf.catalogue) as connection:
        assert "memory" not in terms(connection, HEADS)


def test_row_numbers_are_never_reused(shelf: Shelf) -> None:
    place = shelf.places[0]
    demo.write(place, datetime(2026, 3, 1, tzinfo=UTC))
    shelf.sync()
    with catalogue(shelf.catalogue) as connection:
        before = identifiers(connection)
    kept = place.with_name("kept")
    place.rename(kept)
    place.mkdir()
    shelf.sync()
    place.rmdir()
    kept.rename(place)
    shelf.sync()

    with catalogue(shelf.catalogue) as connection:
        after = identifiers(connection)
    for table, numbers in before.items():
        assert numbers
        assert len(after[table]) == len(numbers)
        assert min(after[table]) > max(numbers)


def test_many_small_syncs_leave_few_lists_of_terms(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    words = " ".join(f"word{number}" for number in range(500))
    write(store, "graph/fixes/long.md", memory(99, title="Long", body=words))
    shelf.sync()
    with catalogue(shelf.catalogue) as connection:
        (long,) = lists(connection, BODIES)
    for number in range(SOME):
        text = memory(number, title=f"Glaze{number:02}", body=f"shelf{number:02}")
        write(store, f"graph/fixes/{number}.md", text)
        shelf.sync()

    with catalogue(shelf.catalogue) as connection:
        assert len(lists(connection, BODIES)) < SOME
        assert long in lists(connection, BODIES)
    for number in range(SOME):
        assert titles(shelf, f"laze{number:02}") == [f"Glaze{number:02}"]
        assert titles(shelf, f"helf{number:02}") == [f"Glaze{number:02}"]
    check(shelf.catalogue)


def test_a_sync_with_nothing_to_do_lists_nothing(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 1)
    shelf.sync()
    with catalogue(shelf.catalogue) as connection:
        before = lists(connection, BODIES)
    shelf.sync()

    with catalogue(shelf.catalogue) as connection:
        assert lists(connection, BODIES) == before


def test_indexed_but_unlisted_records_are_found(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    shelf.sync()
    write(store, "graph/fixes/kiln.md", memory(7, title="Kiln", body="Cone six."))
    with pytest.raises(KeyboardInterrupt):
        shelf.sync(interrupt)
    cut_off_between(shelf.catalogue)

    assert titles(shelf, "kiln") == titles(shelf, "cone") == ["Kiln"]
    assert titles(shelf, "-kiln") == ["Memory 1"]


def test_a_message_that_grew_is_found_by_either_part(shelf: Shelf) -> None:
    path = shelf.places[0] / "projects" / told.SLUG / f"{told.SESSION}.jsonl"
    first = told.user("ask", "Which cone?", 1)
    begun = told.assistant("one", told.says("Six"), message_id="m", second=2)
    ended = told.assistant("two", told.says("slowly"), message_id="m", second=2)
    told.put(path, first, begun)
    shelf.sync()
    with path.open("ab") as file:
        file.write(told.dumped([ended]))
    with pytest.raises(KeyboardInterrupt):
        shelf.sync(interrupt)

    for _ in range(2):
        (message,) = asked(shelf, "messages", "slowly")
        assert asked(shelf, "messages", "six") == [message]
        shelf.sync()
    check(shelf.catalogue)
    with catalogue(shelf.catalogue) as connection:
        assert connection.execute("SELECT * FROM changed_texts").fetchall() == []
        assert "slowly" in terms(connection, TEXTS)


@pytest.mark.parametrize("letter", ["語", "a", "é", "𐐨"])
def test_an_endless_word_is_found_by_any_part(shelf: Shelf, letter: str) -> None:
    body = letter * 40_000 + "kiln"
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, "graph/fixes/long.md", memory(7, title="Long", body=body))
    shelf.sync()

    for part in (letter * 8, f"{letter * 4}kiln", "kiln", "iln"):
        assert titles(shelf, part) == ["Long"]
    assert titles(shelf, "shelf") == []


def test_letters_can_be_looked_up_from_any_thread() -> None:
    letters = Letters()
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(letters.terms, ["Жук", "ЩИ", "É", "日本"] * 4))

    assert [terms[0].text for terms in found[:4]] == ["жук", "щи", "e", "日本"]


def interrupt(_progress: Progress) -> None:
    raise KeyboardInterrupt
