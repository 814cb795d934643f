"""The machine: home folder, environment, the program's own folders and files."""

import fcntl
import os
import re
import stat
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import cast

import orjson
from msgspec import Struct, field
from platformdirs import user_cache_path, user_config_path, user_state_path

from store.errors import RecollectError, UnreadableError
from store.text import regex

# What formats may use to guess where stores are.


class Machine(Struct, frozen=True):
    """The home folder, the current folder and the environment, handed in once."""

    home: Path
    here: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def this(cls) -> "Machine":
        """The current machine."""
        return cls(Path.home(), _here(), dict(os.environ))

    def folder(self, variable: str) -> Path | None:
        """The absolute folder in an environment variable, if it is set."""
        value = self.environment.get(variable, "")
        first, _, rest = value.partition("/")
        path = self.home / rest if first == "~" else Path(value)
        return path if path.is_absolute() else None


def _here() -> Path:
    """The current folder, or the home folder if it has been removed meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path.home()


# Where the program stores its own files: never in a store.

_NAME = "recollect"


class Places(Struct, frozen=True):
    """The program's own folders."""

    cache: Path
    """Derived data that can be deleted: the catalogue."""
    state: Path
    """Undo journal, backups, crash reports."""
    config: Path
    """Settings."""

    @classmethod
    def usual(cls) -> "Places":
        """The platform's standard folders."""
        return cls(
            user_cache_path(_NAME, appauthor=False),
            user_state_path(_NAME, appauthor=False),
            user_config_path(_NAME, appauthor=False),
        )

    @property
    def catalogue(self) -> Path:
        """The catalogue file."""
        return self.cache / "catalogue.db"

    @property
    def vault(self) -> Path:
        """The folder of saved conversations; missing if nothing was ever saved."""
        return self.state / "vault"

    @property
    def marks(self) -> Path:
        """The file with marks that formats have no field for; may be missing."""
        return self.state / "pinned"

    def refuse_closed(self) -> None:
        """Raise UnreadableError if the user may not read what undo and pins need."""
        for folder in (self.state, self.state / "changes", self.vault):
            with suppress(FileNotFoundError, NotADirectoryError):
                try:
                    os.scandir(folder).close()
                except PermissionError as error:
                    raise UnreadableError(
                        f"Can't read {folder}: {why_not(error, folder)}. It "
                        "contains undo, pins and drafts; set XDG_STATE_HOME to "
                        "use another folder."
                    ) from error


def why_not(error: OSError, path: Path) -> str:
    """Why a file or folder of the program cannot be used, with its owner if need be."""
    if isinstance(error, PermissionError):
        for place in (path, *path.parents):
            with suppress(OSError):
                owner = place.stat().st_uid
                if owner == os.geteuid():
                    break
                return f"{place} belongs to {_user(owner)}"
    return str(error.strerror)


def _user(number: int) -> str:
    import pwd  # noqa: PLC0415  # rarely needed

    try:
        return f"the user {pwd.getpwuid(number).pw_name}"
    except KeyError:
        return f"the user with the id {number}"


def make_private(folder: Path) -> None:
    """Create a folder that only its owner can use, regardless of the umask."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


# The program's own small files: private to their owner, replaced atomically.

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

_AGAIN = 0.05
"""Seconds between two tries to lock a file."""

PATIENCE = 5.0
"""Seconds to wait for another process that is writing a small file."""


class NotWrittenError(RecollectError):
    """A file of the program could not be written; its content is unchanged."""


def read_own(path: Path, limit: int) -> bytes | None:
    """The bytes of a file; None if it does not exist. Raises UnreadableError.

    Links are followed, as some users keep their settings elsewhere. Files that are not
    regular, such as pipes, never block.
    """
    try:
        raw = _first_bytes(path, limit + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(f"Can't read {path}: {error.strerror}.") from error
    if len(raw) > limit:
        raise UnreadableError(f"{path} is larger than {limit // 1024} KiB.")
    return raw


def _first_bytes(path: Path, wanted: int) -> bytes:
    """At most so many bytes of a regular file; raises UnreadableError and OSError."""
    handle = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise UnreadableError(f"{path} is not a regular file.")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(wanted)
    finally:
        os.close(handle)


def replace_own(path: Path, raw: bytes) -> None:
    """Create or replace a file; raises NotWrittenError.

    If the path is a link, its target is replaced and the link stays.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.parent == Path(os.path.realpath(path.parent)):
            make_private(target.parent)
        _replace(target, raw)
    except OSError as error:
        raise _not_written(path, error) from error


def _replace(target: Path, raw: bytes) -> None:
    """Write a temporary file, make it durable, rename it; raises OSError."""
    import tempfile  # noqa: PLC0415  # large import, only needed for changes

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    settle(target.parent)


def settle(folder: Path) -> None:
    """Make the names in the folder durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def only_writer(folder: Path) -> Generator[None]:
    """Hold the lock for changing the program's own small files.

    There is one lock per folder, for all files in it.
    """
    path = folder / "writing.lock"
    with ExitStack() as held:
        try:
            make_private(folder)
            held.enter_context(locked(path, PATIENCE))
        except TimeoutError as error:
            sentence = "Another recollect is writing its settings. Try again."
            raise NotWrittenError(sentence) from error
        except OSError as error:
            raise _not_written(path, error) from error
        yield


@contextmanager
def locked(path: Path, patience: float) -> Generator[None]:
    """Hold the lock of a file; raises TimeoutError after some seconds, or OSError.

    It is the lock of filelock, which takes 6 % of a list's time to load.
    """
    until = time.monotonic() + patience
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not _is_locked(handle):
            if time.monotonic() >= until:
                raise TimeoutError
            time.sleep(_AGAIN)
        yield
    finally:
        with suppress(OSError):  # it is closed all the same; nothing was written to it
            os.close(handle)


def _is_locked(handle: int) -> bool:
    """Try to lock a file; returns whether it is ours now."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _not_written(path: Path, error: OSError) -> NotWrittenError:
    return NotWrittenError(f"Can't write {path}: {why_not(error, path)}.")


# The process named in a lock file, and whether it is still running.

STALE = 30.0
"""Seconds after which the lock of a dead process is ignored."""

LARGEST = 4096
"""The largest lock file that is read; it contains two numbers."""

_MOST = 2**31 - 1
_FIRST = regex(rb"\s*(?:pid\W{0,4})?(\d{1,10})\s*(?:[\n,; ]|\Z)", re.IGNORECASE)


def pid_of(raw: bytes) -> int | None:
    """The process in a lock file: a line with a number, or `pid` of an object."""
    found: object = None
    try:
        found = orjson.loads(raw)
        if isinstance(found, dict):
            found = cast("dict[str, object]", found).get("pid")
    except orjson.JSONDecodeError:
        match = _FIRST.match(raw)
        found = int(match[1]) if match else None
    if isinstance(found, bool) or not isinstance(found, int):
        return None
    return found if 0 < found <= _MOST else None


def is_alive(pid: int) -> bool:
    """Whether the process exists; no signal is sent to it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
