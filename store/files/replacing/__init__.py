"""One file made, replaced or removed, whole or not at all, and only as it was seen."""

from store.files.replacing.attributes import Attributes
from store.files.replacing.care import Care
from store.files.replacing.errors import BusyError, ForeignError, ProtectedError
from store.files.replacing.ground import Ground, Spot
from store.files.replacing.publishing import publish
from store.files.replacing.seen import Seen, seen_at
from store.files.replacing.swapping import Manner, Replacement, swap
from store.files.replacing.tidying import tidy
from store.files.replacing.withdrawing import withdraw

__all__ = [
    "Attributes",
    "BusyError",
    "Care",
    "ForeignError",
    "Ground",
    "Manner",
    "ProtectedError",
    "Replacement",
    "Seen",
    "Spot",
    "publish",
    "seen_at",
    "swap",
    "tidy",
    "withdraw",
]
