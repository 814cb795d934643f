"""How new files are called: by the rule of the format, where that is safe."""

import re

from store.files.markdown.bench import Bench
from store.formats.notes.roles import INDEX

_NEVER = re.compile(r'[#%()\[\]\x00-\x1f\x7f\\:*?"<>|\u2028\u2029]+')
"""What some system, or some link, cannot have in a name."""

_MOST_BYTES = 200


def stem_of(name: str) -> str:
    """A name as files spell it: small letters, a dash for a space and for a slash.

    The writer of the format changes nothing else; what no file may be called by on
    some system becomes a dash, too.
    """
    slug = name.strip().lower().replace(" ", "-").replace("/", "-")
    safe = _NEVER.sub("-", slug).strip(". -").encode("utf-8", "ignore")
    stem = safe[:_MOST_BYTES].decode("utf-8", "ignore").rstrip(". -")
    return f"{stem}-note" if f"{stem}.md" == INDEX else stem or "note"


def free_path(bench: Bench, folder: str, stem: str, own: str = "") -> str:
    """A path that nothing has yet; `own` is one that may be had."""
    prefix = f"{folder}/" if folder else ""
    number, path = 1, f"{prefix}{stem}.md"
    while path != own and bench.has(path):
        number += 1
        path = f"{prefix}{stem}-{number}.md"
    return path
