"""Where on a machine transcripts usually lie."""

from collections.abc import Iterator
from pathlib import Path

from store.machine import Machine


def places(machine: Machine) -> Iterator[Path]:
    """The folder that Claude Code writes to, and its default where that is another."""
    own = machine.folder("CLAUDE_CONFIG_DIR")
    if own:
        yield own / "projects"
    yield machine.home / ".claude" / "projects"
