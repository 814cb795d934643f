"""Identifiers that are the same whenever and wherever the story is told."""

from uuid import NAMESPACE_URL, uuid5

_STORY = uuid5(NAMESPACE_URL, "recollect:demo")


def identify(*names: str) -> str:
    """The identifier of what goes by these names."""
    return str(uuid5(_STORY, "/".join(names)))
