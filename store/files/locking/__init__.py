"""The lock file of a store, taken as those take it who share the store."""

from store.files.locking.errors import HeldError
from store.files.locking.lock import Lock

__all__ = ["HeldError", "Lock"]
