"""Addresses that may be asked for something."""

from urllib.parse import SplitResult, urlsplit

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


def split(address: str) -> SplitResult | None:
    """An address in its parts; None where it is none that can be asked."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    plain = address.isascii() and address.isprintable() and " " not in address
    about = parts.username, parts.password, parts.query or None, parts.fragment or None
    if not plain or any(part is not None for part in about) or port == 0:
        return None
    return parts if parts.scheme in {"http", "https"} and parts.hostname else None


def is_address(address: str) -> bool:
    """Whether a host can be asked there; a name and password have no place in it."""
    return split(address) is not None


def keeps_secrets(parts: SplitResult) -> bool:
    """Whether nobody between here and there reads along."""
    return parts.scheme == "https" or parts.hostname in _THIS_MACHINE
