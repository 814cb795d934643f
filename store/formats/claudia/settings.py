"""claudia.json, anima.json: JSON5, with the memory's settings in one of two places."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo

import json5

from store.errors import UnreadableError
from store.files.beneath import Blob, Root
from store.files.json_document import DamagedJsonError, load
from store.findings import DocumentFound, Findings, Json, Value
from store.formats.claudia.layout import SETTINGS
from store.formats.claudia.secrets import shown

LIMIT = 64 * 1024
"""The largest file of settings that is read."""

DEFAULT_ZONE = "America/New_York"
DEFAULT_WATCHED = "~/.claude/projects"

_KNOWN = (
    *("watchPath", "watch", "conversationGapMinutes", "minConversationMessages"),
    *("pollIntervalMs", "timezone", "model", "processBatchSize", "autoProcess"),
    "exclude",
)
_PLACES = (("extensions", "memory"), ("memory",))
"""Where the memory's settings are: in use, and as the first versions had it."""


@dataclass(frozen=True)
class Settings:
    """The memory's settings, as far as they are understood."""

    place: str | None = None
    """Where in the file they stand."""
    enabled: Json = None
    values: Mapping[str, Json] = field(default_factory=dict[str, Json])

    @property
    def zone(self) -> ZoneInfo:
        """The time zone that people are told times in."""
        name = self.values.get("timezone")
        for candidate in (name, DEFAULT_ZONE, "UTC"):
            try:
                return ZoneInfo(candidate if isinstance(candidate, str) else "")
            except (ValueError, OSError, LookupError):
                continue
        raise UnreadableError("This machine knows no time zones.")

    def watched(self, home: Path) -> Path:
        """The folder that transcripts are taken from; `~` is the store's home."""
        told = self.values.get("watchPath")
        path = told if isinstance(told, str) and told else DEFAULT_WATCHED
        return home / path.removeprefix("~/") if path.startswith("~/") else Path(path)


def settings_of(root: Root) -> Settings:
    """The settings that lie in a store; the defaults where there are none."""
    for name in sorted(SETTINGS):
        try:
            return _memory_settings(_parsed(root.read(name, limit=LIMIT)))
        except UnreadableError:
            continue
    return Settings()


def read_settings(path: str, blob: Blob) -> Findings:
    """The settings as a document, without what is secret."""
    try:
        data = _parsed(blob)
    except DamagedJsonError as error:
        return Findings(flaws=(error.flaw,))
    memory = _memory_settings(data)
    facts: dict[str, Value] = {}
    if memory.place:
        known = {key: memory.values[key] for key in _KNOWN if key in memory.values}
        facts["memory"] = memory.place
        facts["enabled"] = shown("enabled", memory.enabled)
        facts |= {key: shown(key, value) for key, value in known.items()}
    facts["settings"] = shown("", cast("Json", data))
    document = DocumentFound(
        title=path, role="document", text="", category="settings", facts=facts
    )
    return Findings(documents=(document,))


def _parsed(blob: Blob) -> dict[str, Json]:
    """The file's object; raises DamagedJsonError."""
    if not blob.whole:
        raise DamagedJsonError("The file is too large to be settings.")
    try:
        data = load(blob.raw)
    except DamagedJsonError:
        data = _forgiving(blob.raw)
    if not isinstance(data, dict):
        raise DamagedJsonError("The file holds no object with settings.")
    return cast("dict[str, Json]", data)


def _forgiving(raw: bytes) -> object:
    """What it is as JSON5: with comments, trailing commas, names without quotes."""
    try:
        return json5.loads(raw.decode("utf-8-sig", "replace"))
    except RecursionError:
        raise DamagedJsonError("The file is nested too deeply to be read.") from None
    except ValueError as error:
        sentence = f"The file is no valid JSON5: {error}."
        raise DamagedJsonError(sentence.replace("<string>:", "line ")) from None


def _memory_settings(data: Mapping[str, Json]) -> Settings:
    for place in _PLACES:
        found: Json = dict(data)
        for part in place:
            found = found.get(part) if isinstance(found, dict) else None
        if isinstance(found, dict):
            inner = found.get("config")
            values = found | inner if isinstance(inner, dict) else found
            return Settings(".".join(place), found.get("enabled"), values)
    return Settings()
