"""Values of JSON as they stand in a cell: in short for people, whole for pipes."""

import json

from store.clean import clean
from store.findings import Json


def in_short(value: Json) -> str:
    """A value as people read it; what is nested as names and values."""
    match value:
        case dict():
            return " ".join(f"{clean(k)}={in_short(v)}" for k, v in value.items())
        case list():
            return ", ".join(map(in_short, value))
        case float():
            return f"{round(value, 3):.12g}"
        case _:
            return in_whole(value)


def in_whole(value: Json) -> str:
    """A value as it is: texts bare, nothing as nothing, all else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
