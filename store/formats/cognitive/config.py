"""_config.json: which program makes embeddings. Its key is a secret and stays one."""

import re
from collections.abc import Mapping
from typing import cast

from store.files.beneath import Blob
from store.findings import DocumentFound, Findings, Severity, Value
from store.formats.cognitive.derived import Derived, scalar

HIDDEN = "set, hidden"
"""What is shown in place of a secret."""

_SECRET_NAME = re.compile(r"key|secret|token|password|credential", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"\bsk-\S")
_PROVIDERS = ("ollama", "openai")


def read_config(path: str, blob: Blob) -> Findings:
    """The settings, without what is secret."""
    derived = Derived(blob)
    if derived.data is None:
        return Findings(flaws=tuple(derived.flaws))
    provider = derived.data.get("embedding_provider", _PROVIDERS[0])
    if provider not in _PROVIDERS:
        message = "`embedding_provider` is neither ollama nor openai."
        derived.flaw("unknown-provider", message, Severity.NOTE)
    facts = {key: _shown(key, value) for key, value in derived.data.items()}
    document = DocumentFound(title=path, role="document", text="", facts=facts)
    return Findings(documents=(document,), flaws=tuple(derived.flaws))


def is_secret(key: str, value: object) -> bool:
    """Whether a setting is never shown: for its name, or for how it begins."""
    if value is None:
        return False
    told = scalar(value) or ""
    return bool(_SECRET_NAME.search(key) or _SECRET_VALUE.search(told))


def _shown(key: str, value: object) -> Value:
    """A setting as it may be seen."""
    if value is None:
        return "not set"
    if is_secret(key, value):
        return HIDDEN
    if isinstance(value, dict):
        inner = cast("Mapping[str, object]", value)
        return {name: _shown(name, part) for name, part in inner.items()}
    if isinstance(value, list):
        return [_shown(key, part) for part in cast("list[object]", value)]
    return scalar(value) or ""
