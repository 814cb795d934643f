"""The result of a walk, in short."""

from store.errors import UnreadableError
from store.files.beneath import Entry, Root

CANARY = "what lies outside"


def walked(root: Root, folder: str = "", depth: int = 9) -> list[str]:
    found = root.walk(folder, depth=depth)
    return [item.path if isinstance(item, Entry) else item[0] for item in found]


def failed(root: Root, depth: int = 9) -> dict[str, UnreadableError]:
    found = root.walk(depth=depth)
    return dict(item for item in found if isinstance(item, tuple))
