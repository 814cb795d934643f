"""What must not be seen of settings: passwords and keys, by their name or look."""

import json
import re

from store.findings import Json, Value

HIDDEN = "set, hidden"
"""What is shown in place of a secret."""

_NAME = re.compile(r"key|secret|token|pass(word|phrase)|credential|auth", re.IGNORECASE)
_LOOK = re.compile(
    r"\b(?:sk|pk|rk)-\w|\bgh[pousr]_\w|\bxox[abprs]-|\bAKIA[0-9A-Z]{8}|\bAIza[\w-]{20}"
    r"|\beyJ[\w-]{8,}\.|\bBearer\s+\S|-----BEGIN|://[^/\s:@]*:[^/\s@]+@"
)
_VARIABLE = re.compile(r"\$\{[^}]*\}")
"""A variable's name is no secret; what it stands for is never looked up."""


def shown(name: str, value: Json) -> Value:
    """A setting as it may be seen, its scalars as text."""
    if isinstance(value, dict):
        return {key: shown(key, part) for key, part in value.items()}
    if isinstance(value, list):
        return [shown(name, part) for part in value]
    if not isinstance(value, str):
        return json.dumps(value)
    if _VARIABLE.fullmatch(value):
        return value
    is_secret = _LOOK.search(value) or (value and _NAME.search(name))
    return HIDDEN if is_secret else value
