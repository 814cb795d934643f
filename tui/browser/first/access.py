"""Whether anything may be changed: the word for it in the tab bar."""

from collections.abc import Iterable

from store.keeping.permitted import permitted
from store.places import Places
from store.records.reports import StoreReport

READ_ONLY, WRITABLE = "RO", "RW"


def access(stores: Iterable[StoreReport], places: Places) -> str:
    """`RW` where the user allowed every store to be changed that can be, else `RO`."""
    allowed = permitted(places)
    ours = [store.path in allowed for store in stores if store.writable]
    return WRITABLE if ours and all(ours) else READ_ONLY
