"""How new files are called: after titles, in letters that every system can hold."""

import re
import unicodedata
from uuid import uuid4

from store.formats.cognitive.layout import EDGES, GRAPH
from store.formats.cognitive.vocabulary import FOLDERS

LONGEST = 60
"""How long the part of a name gets that comes from a title."""

LONGEST_OF_EDGE = 32
"""The same where two titles and a type share a name."""

_MOST_BYTES = 120
_OWN = 6
"""How many characters of its identifier a name ends with."""


def new_id() -> str:
    """An identifier that nothing else has."""
    return str(uuid4())


def slug_of(title: str, longest: int = LONGEST) -> str:
    """A title as file names spell it.

    Letters lose their accents; a title in another script keeps its letters.
    """
    plain = title.lower().replace("'", "").replace("\u2019", "")
    latin = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", latin).strip("-")
    if not slug:
        slug = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain)).strip("-")
    short = slug[:longest].encode()[:_MOST_BYTES].decode(errors="ignore")
    return short.rstrip("-") or "memory"


def name_of(title: str, identifier: str) -> str:
    """The name of a memory's file."""
    return f"{slug_of(title)}-{identifier[:_OWN].lower()}.md"


def place_of(kind: str, name: str) -> str:
    """Where a memory of a type belongs, unless it is pinned."""
    return f"{GRAPH}/{FOLDERS[kind]}/{name}"


def edge_path(start: str, kind: str, end: str, identifier: str) -> str:
    """The file of an edge between two titles."""
    ends = [slug_of(title, LONGEST_OF_EDGE) for title in (start, end)]
    own = identifier[:_OWN].lower()
    return f"{EDGES}/{ends[0]}--{kind}--{ends[1]}-{own}.md"


def base_of(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]
