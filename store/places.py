"""Where the program keeps what is its own: never in a store."""

from pathlib import Path

from msgspec import Struct
from platformdirs import user_cache_path, user_config_path, user_state_path

_NAME = "recollect"


class Places(Struct, frozen=True):
    """The program's own folders."""

    cache: Path
    """Derived and disposable: the catalogue."""
    state: Path
    """Undo journal, backups, reports of unexpected errors."""
    config: Path
    """Settings."""

    @classmethod
    def usual(cls) -> "Places":
        """The folders that the platform sets aside for this."""
        return cls(
            user_cache_path(_NAME, appauthor=False),
            user_state_path(_NAME, appauthor=False),
            user_config_path(_NAME, appauthor=False),
        )

    @property
    def catalogue(self) -> Path:
        """The catalogue's file."""
        return self.cache / "catalogue.db"

    @property
    def vault(self) -> Path:
        """The folder of what is kept for good; there only if anything ever was."""
        return self.state / "vault"

    @property
    def marks(self) -> Path:
        """Where that is remembered which stores have no words for; there if needed."""
        return self.state / "pinned"


def make_private(folder: Path) -> None:
    """Make a folder for its owner alone, whatever the umask says."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
