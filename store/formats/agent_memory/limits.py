"""How much a store may hold: the usual limits, its settings, and the environment's."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import cast

from msgspec import Struct

from store.errors import UnreadableError
from store.files.beneath import Root
from store.files.json_document import DamagedJsonError, load, load_map
from store.findings import DocumentFound, Findings, Flaw, Severity, Value
from store.formats.agent_memory.layout import CONFIG, CORE, LEARNING, TASK
from store.formats.agent_memory.values import as_value
from store.machine import Machine

_MEGABYTE = 1024 * 1024

BYTES = {CORE: 10 * _MEGABYTE, LEARNING: 5 * _MEGABYTE, TASK: 2 * _MEGABYTE}
"""How large each file may get; no setting says otherwise."""

IS_HARD = {CORE: True, LEARNING: False, TASK: False}
"""Whether nothing more is written at the limit, or something is put away."""


class Limits(Struct, frozen=True):
    """The settings that bound a store; each field is named like its variable."""

    max_core_memories: int = 1000
    max_learnings: int = 500
    max_tasks: int = 200
    auto_archive_learnings_days: int = 90
    auto_archive_tasks_days: int = 30
    enable_auto_archival: int = 1
    """0 where nothing is put away unasked."""
    backup_enabled: int = 1
    """0 where no backups are made."""
    max_backups: int = 5
    """How many backups of a file are kept."""

    def most(self, kind: str) -> int:
        """How many memories of a kind there may be."""
        most = {
            CORE: self.max_core_memories,
            LEARNING: self.max_learnings,
            TASK: self.max_tasks,
        }
        return most[kind]


_NAMES = {name.replace("_", ""): name for name in Limits.__struct_fields__}
_SWITCHED = frozenset({"enable_auto_archival", "backup_enabled"})
_SWITCHES = {"true": 1, "yes": 1, "1": 1, "false": 0, "no": 0, "0": 0}
_MARKS = re.compile(r"[^a-z0-9]")


def limits_in(root: Root) -> Limits:
    """The limits of a store on this machine; a settings file that is none says none."""
    settings: object = None
    with suppress(UnreadableError):
        settings = load(root.read(CONFIG).raw)
    return limits_of(settings, Machine.this().environment)


def limits_of(settings: object, environment: Mapping[str, str]) -> Limits:
    """The limits: those of the environment win, then the settings, then the usual."""
    told = dict(_told(settings))
    told |= _told({key: environment[key] for key in environment if key.isupper()})
    return Limits(**told)


def _told(settings: object, depth: int = 2) -> Iterator[tuple[str, int]]:
    """The limits that settings name, in any spelling and however they are grouped."""
    if not isinstance(settings, dict):
        return
    for key, value in cast("Mapping[str, object]", settings).items():
        name = _NAMES.get(_MARKS.sub("", key.lower()))
        number = _switch(value) if name in _SWITCHED else _number(value)
        if name and number is not None:
            yield name, number
        elif depth and isinstance(value, dict):
            yield from _told(cast("object", value), depth - 1)


def _number(value: object) -> int | None:
    """A whole number from 0, also where it is written as text."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip(), re.ASCII):
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if value >= 0 else None


def _switch(value: object) -> int | None:
    """Yes as 1 and no as 0, however it is written."""
    return _SWITCHES.get(str(value).strip().lower())


def read_settings(path: str, raw: bytes) -> Findings:
    """The settings file, as a document."""
    try:
        settings = load_map(raw)
    except DamagedJsonError as error:
        return Findings(flaws=(error.flaw,))
    facts: dict[str, Value] = {key: as_value(value) for key, value in settings.items()}
    document = DocumentFound(title=path, role="document", text="", facts=facts)
    return Findings(documents=(document,))


def over(kind: str, memories: int, size: int, limits: Limits) -> Flaw | None:
    """The note on a file that is larger, or holds more, than it may."""
    most, largest = limits.most(kind), BYTES[kind]
    if memories <= most and size <= largest:
        return None
    then = "nothing more is written" if IS_HARD[kind] else "old ones are put away"
    message = (
        f"The file holds {memories} memories in {size} bytes; the limit is {most} in "
        f"{largest}, beyond which {then}."
    )
    code = "over-hard-limit" if IS_HARD[kind] else "over-soft-limit"
    return Flaw(code=code, message=message, severity=Severity.NOTE)
