"""One file made, replaced or removed, whole or not at all, and only as it was seen."""

from store.files.replacing.adding import THERE, append, cut, fate, is_shared
from store.files.replacing.attributes import Attributes
from store.files.replacing.care import Care
from store.files.replacing.ends import End, Fate, without
from store.files.replacing.errors import BusyError, ForeignError, ProtectedError
from store.files.replacing.ground import Ground, Spot
from store.files.replacing.modes import change_mode, mode_at, told_mode
from store.files.replacing.publishing import publish
from store.files.replacing.seen import Seen, seen_at
from store.files.replacing.swapping import Manner, Replacement, swap
from store.files.replacing.tidying import tidy
from store.files.replacing.withdrawing import withdraw

__all__ = [
    "THERE",
    "Attributes",
    "BusyError",
    "Care",
    "End",
    "Fate",
    "ForeignError",
    "Ground",
    "Manner",
    "ProtectedError",
    "Replacement",
    "Seen",
    "Spot",
    "append",
    "change_mode",
    "cut",
    "fate",
    "is_shared",
    "mode_at",
    "publish",
    "seen_at",
    "swap",
    "tidy",
    "told_mode",
    "withdraw",
    "without",
]
