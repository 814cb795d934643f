"""Links followed by their text, part by part, so that none leads out of the root."""

import errno
import os

from store.errors import RefusedError
from store.files.beneath.folders import Folders
from store.files.beneath.naming import check, quoted

LINKS_FOLLOWED = 8
"""How many links one path may go through."""


def link_text(folders: Folders, folder: str, name: str) -> str | None:
    """The text of a link as it stands, None for what is no link; raises OSError."""
    try:
        return os.readlink(name, dir_fd=folders.reach(folder))
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise


def resolve(folders: Folders, tops: tuple[str, ...], path: str) -> str:
    """The path with its links replaced by where they lead, relative to the root.

    `tops` are the root's absolute paths, for links that spell them out.
    """
    check(path)
    done: list[str] = []
    pending = path.split("/")[::-1]
    followed = 0
    while pending:
        part = pending.pop()
        if part == "..":
            done = _parent(done, path)
            continue
        text = _text_at(folders, done, part, path if followed else None)
        if text is None:
            done.append(part)
            continue
        followed += 1
        if followed > LINKS_FOLLOWED:
            raise RefusedError(f"{quoted(path)} leads in circles.")
        if text.startswith("/"):
            text, done = _beneath(tops, text, path), []
        pending.extend(_steps(text))
    return "/".join(done)


def _parent(done: list[str], path: str) -> list[str]:
    if not done:
        raise RefusedError(f"{quoted(path)} leads out of the store.")
    return done[:-1]


def _text_at(
    folders: Folders, done: list[str], part: str, link: str | None
) -> str | None:
    """The text of a link on the way; `link` is the path whose link led here."""
    try:
        return link_text(folders, "/".join(done), part)
    except FileNotFoundError:
        if link is None:
            raise
        sentence = f"{quoted(link)} leads to something that is not there."
        raise RefusedError(sentence) from None


def _steps(text: str) -> list[str]:
    """The parts of a link's text, the first one last."""
    return [part for part in reversed(text.split("/")) if part not in {"", "."}]


def _beneath(tops: tuple[str, ...], text: str, path: str) -> str:
    """The text of an absolute link, relative to the root; refused if it leads out."""
    for top in tops:
        if text == top or text.startswith(top.rstrip("/") + "/"):
            return text[len(top) :]
    raise RefusedError(f"{quoted(path)} leads out of the store.")
