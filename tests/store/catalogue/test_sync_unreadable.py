"""An unreadable file is tried again once it is readable."""

import os

import pytest

from tests.store.catalogue.stores import Shelf, memory, write


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_permission_granted_later_is_noticed(shelf: Shelf) -> None:
    store = shelf.places[0] / "a"
    write(store, "graph/fixes/open.md", memory(1))
    closed = write(store, "graph/fixes/closed.md", memory(2))
    closed.chmod(0)
    shelf.sync()
    assert [one.code for one in shelf.problems()] == ["unreadable"]

    closed.chmod(0o600)
    report = shelf.sync()

    assert report.changed == 1
    assert len(shelf.memories()) == 2
    assert not shelf.problems()
