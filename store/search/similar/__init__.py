"""Memories that are like one, or that mean what was asked: by words and by vectors."""

from store.search.similar.alike import Alike, most_alike
from store.search.similar.doubles import doubles
from store.search.similar.meaning import Held, Meant, Near, by_meaning, nearest
from store.search.similar.merging import merged
from store.search.similar.telling import Frequencies, Sketch, Telling, is_pair, tell

__all__ = [
    "Alike",
    "Frequencies",
    "Held",
    "Meant",
    "Near",
    "Sketch",
    "Telling",
    "by_meaning",
    "doubles",
    "is_pair",
    "merged",
    "most_alike",
    "nearest",
    "tell",
]
