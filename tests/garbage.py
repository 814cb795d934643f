"""How often programs under test look for garbage."""

import gc

_NEW = 50_000
"""So many new objects before garbage is looked for."""


def collect_rarely() -> None:
    """Look for garbage rarely, and never among what is loaded already.

    The usual collections took two fifths of a story in the browser.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW)
    gc.enable()
