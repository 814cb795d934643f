"""The vectors in _embeddings.json: read whole, and only when likeness is asked for."""

from array import array
from collections import Counter
from collections.abc import Iterator
from math import hypot, isfinite

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.json_document import DamagedJsonError, load_map
from store.findings import Json
from store.formats.cognitive.vocabulary import id_key
from store.formats.port import Vectors

PATH = "_embeddings.json"

_LIMIT = 128 * 1024 * 1024


def read_vectors(root: Root) -> Vectors | None:
    """The vectors of a store, None where it has none; raises UnreadableError."""
    if all(entry.path != PATH for entry in root.entries()):
        return None
    blob = root.read(PATH, limit=_LIMIT)
    if not blob.whole:
        raise UnreadableError(f"{PATH} is larger than {_LIMIT // 1024**2} MiB.")
    try:
        data = load_map(blob.raw)
    except DamagedJsonError as error:
        raise UnreadableError(f"{PATH} is damaged: {error}") from error
    entries = data.get("entries")
    if not isinstance(entries, dict):
        raise UnreadableError(f"{PATH} has no map of entries.")
    model = data.get("model")
    return _vectors(model if isinstance(model, str) else None, entries)


def _vectors(model: str | None, entries: dict[str, Json]) -> Vectors:
    """The vectors of the length that most of them have."""
    found = dict(_usable(entries))
    lengths = Counter(map(len, found.values())).most_common(1)
    usual = lengths[0][0] if lengths else 0
    kept = {key: vector for key, vector in found.items() if len(vector) == usual}
    return Vectors(model, kept, len(entries) - len(kept))


def _usable(entries: dict[str, Json]) -> Iterator[tuple[str, "array[float]"]]:
    """Every vector that has a direction."""
    for name, values in entries.items():
        vector = _vector(values)
        length = hypot(*vector) if vector else 0.0
        if vector is not None and length > 0 and isfinite(length):
            yield id_key(name), vector


def _vector(values: Json) -> "array[float] | None":
    """A list of numbers, packed: as floats of their own they take eight times more."""
    if not isinstance(values, list):
        return None
    numbers = [value for value in values if isinstance(value, int | float)]
    if len(numbers) < len(values):
        return None
    try:
        return array("f", numbers)
    except OverflowError:
        return None
