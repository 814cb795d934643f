"""Whether anything may be changed: the word for it in the tab bar."""

from collections.abc import Iterable

from store.keeping.permitted import permitted
from store.library import StoreName
from store.places import Places

READ_ONLY, WRITABLE = "RO", "RW"


def access(stores: Iterable[StoreName], places: Places) -> str:
    """`RW` where the user allowed every store to be changed that can be, else `RO`."""
    allowed = permitted(places)
    ours = [store.path in allowed for store in stores if store.writable]
    return WRITABLE if ours and all(ours) else READ_ONLY
