"""A store that became unreadable does not affect others."""

from tests.store.catalogue.stores import Shelf, linked


def test_a_store_replaced_by_a_loop_of_links_is_not_taken_for_gone(
    shelf: Shelf,
) -> None:
    linked(shelf.places[0] / "a")
    moved = linked(shelf.places[0] / "b")
    shelf.sync()
    moved.rename(shelf.places[0].parent / "away")
    moved.symlink_to(moved)

    shelf.sync()

    with shelf.opened() as library:
        known = {one.path.name for one in library.stores.remembered()}
    assert known == {"a", "b"}
