"""In which formats the stores are that are looked at."""

from collections.abc import Collection

from store.library import Library


def formats_seen(library: Library, stores: Collection[str]) -> list[str]:
    """The formats of some of the stores, or of all of them where none is named."""
    chosen = zip(library.chosen, library.formats, strict=True)
    return [form for at, form in chosen if not stores or str(at) in stores]
