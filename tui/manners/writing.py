"""A file written for the user: whole or not at all, and over nothing that he keeps."""

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from store.errors import RecollectError


class NotExportedError(RecollectError):
    """A file could not be written; what was there still is."""


def write_file(path: Path, pieces: Iterable[bytes], *, replaces: bool) -> int:
    """Write a file; returns its size. What is there goes only with `replaces`."""
    if not replaces and (path.exists() or path.is_symlink()):
        raise NotExportedError(f"{path} is there already.")
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")
    try:
        return _write(path, beside, pieces, replaces=replaces)
    except OSError as error:
        raise NotExportedError(
            f"{path} cannot be written: {error.strerror}."
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink()


def _write(path: Path, beside: Path, pieces: Iterable[bytes], *, replaces: bool) -> int:
    """Write beside the place, then take it."""
    with beside.open("xb") as file:
        for piece in pieces:
            file.write(piece)
        size = file.tell()
    if replaces:
        beside.replace(path)
    else:
        try:
            os.link(beside, path)
        except FileExistsError:
            raise NotExportedError(f"{path} is there already.") from None
        except OSError:  # a file system without links
            beside.rename(path)
    return size
