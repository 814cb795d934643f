"""The records that the library returns: frozen, with every field documented."""
