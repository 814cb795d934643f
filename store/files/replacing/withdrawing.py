"""A file removed, provided that it is still what it was."""

from store.files.replacing.care import Care
from store.files.replacing.durable import settle
from store.files.replacing.errors import ForeignError
from store.files.replacing.ground import Spot
from store.files.replacing.looking import expected
from store.files.replacing.renaming import rename_anew
from store.files.replacing.seen import seen_at


def withdraw(spot: Spot, temp: str, raw: bytes, care: Care) -> None:
    """Take a file away, durably; raises ForeignError where it holds other bytes.

    It is looked at once more when its name is already gone. What another program wrote
    in between is put back. Raises ProtectedError, BusyError and OSError besides.
    """
    expected(spot, raw)
    try:
        rename_anew(spot.folder, spot.name, temp)
    except FileNotFoundError as error:
        raise ForeignError(spot.path, None) from error
    gone = seen_at(spot.beside(temp))
    if gone is None or gone.raw != raw:
        _put_back(spot, temp, care)
        raise ForeignError(spot.path, gone.raw if gone else None)
    care.put_away(spot.folder, temp)
    settle(spot.folder)


def _put_back(spot: Spot, temp: str, care: Care) -> None:
    """Undo the first step, unless there is a newer file by now: then that one stays."""
    try:
        rename_anew(spot.folder, temp, spot.name)
    except FileExistsError:
        care.put_away(spot.folder, temp)
