"""What a format may know of the machine to guess where stores lie."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field


class Machine(Struct, frozen=True):
    """The home folder, the current folder and the environment, handed in once."""

    home: Path
    here: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def this(cls) -> "Machine":
        """The machine that the program runs on."""
        return cls(Path.home(), _here(), dict(os.environ))

    def folder(self, variable: str) -> Path | None:
        """The absolute folder that an environment variable names, where it is set."""
        value = self.environment.get(variable, "")
        first, _, rest = value.partition("/")
        path = self.home / rest if first == "~" else Path(value)
        return path if path.is_absolute() else None


def _here() -> Path:
    """The current folder; home where somebody removed it under our feet."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path.home()
