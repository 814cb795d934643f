"""Where stores usually lie: a folder of Claude's, or where its settings say."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.json_document import load
from store.machine import Machine

VARIABLE = "MEMORY_DIR"

_SETTINGS = "mcp-config.json"
_LIMIT = 1024 * 1024


def places(machine: Machine) -> Iterator[Path]:
    """The folders that the environment, settings and custom name, the surest first."""
    own = machine.folder(VARIABLE)
    if own:
        yield own
    for folder in dict.fromkeys((machine.home, machine.here)):
        for value in _named(folder / ".claude"):
            place = Machine(machine.home, machine.here, {VARIABLE: value})
            named = place.folder(VARIABLE)
            if named:
                yield named
    yield machine.home / ".claude" / "agents" / "memories"


def _named(folder: Path) -> Iterator[str]:
    """The folders that servers are told to keep their memories in."""
    settings: object = None
    with suppress(UnreadableError), Root(folder) as root:
        settings = load(root.read(_SETTINGS, limit=_LIMIT).raw)
    for server in _map(_map(settings).get("mcpServers")).values():
        value = _map(_map(server).get("env")).get(VARIABLE)
        if isinstance(value, str) and value:
            yield value


def _map(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}
