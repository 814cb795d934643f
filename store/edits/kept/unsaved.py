"""What people were writing when the program ended, kept so that they can go on."""

import json
from collections.abc import Iterable
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path

from msgspec import Struct

from store.edits.refusals import NotWrittenError
from store.private import NotWrittenError as NotReplacedError
from store.private import replace_own


class Unsaved(Struct, frozen=True):
    """A text that was being edited."""

    name: str
    """What it is a text of, as its editor called it."""
    time: int
    """When it was kept, in microseconds since 1970."""
    raw: bytes
    was: bytes | None = None
    """What its editor was given, where that is known: the file may say more by now."""

    def is_of(self, name: str) -> bool:
        """Whether it is a text of the same record, be it one of several."""
        return _stem(self.name) == _stem(name)


def beside(name: str, texts: Iterable[Unsaved]) -> str:
    """A name for one more text of a record, so that none takes another's place."""
    taken = {text.name for text in texts}
    stem, _, suffix = name.partition(".")
    more = (f"{stem}.{number}.{suffix}" for number in count(2))
    return next(one for one in chain((name,), more) if one not in taken)


def keep_unsaved(folder: Path, text: Unsaved) -> None:
    """Keep a text in the place of what is kept under its name.

    Raises NotWrittenError.
    """
    was = text.was or b""
    length = None if text.was is None else len(was)
    about = {"name": text.name, "time": text.time, "was": length}
    head = json.dumps(about).encode("ascii")
    try:
        replace_own(_file(folder, text.name), b"".join((head, b"\n", was, text.raw)))
    except NotReplacedError as error:
        raise NotWrittenError(str(error)) from error


def all_unsaved(folder: Path) -> list[Unsaved]:
    """Every text that is kept, the newest first; what cannot be read is left out."""
    found = [_read(path) for path in folder.glob("*.draft")] if folder.exists() else []
    texts = [text for text in found if text is not None]
    return sorted(texts, key=lambda text: (-text.time, text.name))


def drop_unsaved(folder: Path, name: str) -> None:
    """Forget a text; raises NotWrittenError."""
    try:
        _file(folder, name).unlink(missing_ok=True)
    except OSError as error:
        sentence = f"The draft cannot be removed: {error.strerror}."
        raise NotWrittenError(sentence) from error


def _stem(name: str) -> str:
    return name.partition(".")[0]


def _read(path: Path) -> Unsaved | None:
    try:
        head, _, raw = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        length: int | None = about.get("was")
        was = None if length is None else raw[:length]
        return Unsaved(about["name"], about["time"], raw[length or 0 :], was)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _file(folder: Path, name: str) -> Path:
    """A file for any name whatever; two names have two."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return folder / f"{digest}.draft"
