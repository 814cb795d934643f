"""The names that records go by: short, stable between runs, made from what they are."""

from functools import cache
from hashlib import blake2b

_BYTES = 7
"""56 bits: among a million records no two share a ref by chance."""


def ref(kind: str, store: bytes, *identity: str) -> str:
    """A record's ref, from its store's path and what identifies it there."""
    seed = "\0".join(identity).encode("utf-8", "surrogatepass")
    digest = blake2b(seed, digest_size=_BYTES, person=kind.encode(), key=_key(store))
    return f"{kind}:{digest.hexdigest()}"


@cache
def _key(store: bytes) -> bytes:
    """What sets the records of one store apart from those of all others."""
    return blake2b(store, digest_size=32).digest()
