"""A store that was read once and cannot be asked for now hinders no other."""

from pathlib import Path

from tests.store.catalogue.stores import Shelf, linked


def test_a_loop_of_links_in_its_place_is_not_taken_for_gone(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    moved = linked(shelf.places[0] / "b")
    shelf.sync()
    moved.rename(shelf.places[0].parent / "away")
    moved.symlink_to(moved)

    shelf.sync()

    with shelf.opened() as library:
        known = {Path(path).name for path, _ in library.remembered()}
    assert known == {"a", "b"}
