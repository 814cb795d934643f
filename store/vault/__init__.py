"""Conversations kept for good: see `README.md`."""

from store.vault.belongings import transcript_of
from store.vault.endangered import Endangered, endangered
from store.vault.kept import Damage, Kept, KeptFile, Source, Version
from store.vault.vault import Vault

__all__ = [
    "Damage",
    "Endangered",
    "Kept",
    "KeptFile",
    "Source",
    "Vault",
    "Version",
    "endangered",
    "transcript_of",
]
