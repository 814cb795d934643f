"""Tell whether a stranger's package stands in for one of the rooms.

The rooms have plain names, so another distribution, or a folder on the Python path, may
well hold a `store` that is found before ours. Nothing is imported from the rooms here,
so that the answer can be had before anything of a stranger runs.
"""

from importlib.util import find_spec
from pathlib import Path

ROOMS = ("store", "widgets")


def strangers() -> str | None:
    """The sentence that refuses to start, or None where every room is our own."""
    home = Path(__file__).resolve().parents[1]
    for room in ROOMS:
        found = _found(room)
        if found != home / room / "__init__.py":
            return (
                f"its package {room!r} is hidden by {found or 'nothing'}; "
                "install recollect in an environment of its own"
            )
    return None


def _found(room: str) -> Path | None:
    """The file that `import` would run for a room."""
    spec = find_spec(room)
    return Path(spec.origin).resolve() if spec and spec.origin else None
