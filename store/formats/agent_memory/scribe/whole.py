"""Files put in place as a whole: from a backup, or made anew."""

from store.edits.draft import FileStep
from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.json_document import DamagedJsonError, load_map
from store.files.json_style import style_of
from store.formats.agent_memory.index import VERSION
from store.formats.agent_memory.layout import INDEX, Role, backup_of, role_of
from store.formats.agent_memory.rebuilding import rebuild_index
from store.formats.agent_memory.scribe.draft import Manner
from store.formats.agent_memory.scribe.indexing import taken_now, taken_then
from store.formats.agent_memory.scribe.recovering import newest_backup
from store.formats.agent_memory.scribe.work import LARGEST, Work

_TOLD = 5


def from_backup(work: Work, path: str) -> Manner:
    """Put a backup back in the place of the file that it was made of."""
    if role_of(path) is not Role.BACKUP:
        raise NotPossibleError(f"{path} is no backup.")
    target = backup_of(path).of
    try:
        raw = work.root.read(path, limit=LARGEST).raw
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    step = FileStep(path=target, before=work.bytes_of(target), after=raw)
    return Manner(is_grave=True, replaces=(step,))


def from_newest_backup(work: Work, path: str) -> Manner:
    """Put the newest backup of a file in its place."""
    newest = newest_backup(work, path)
    if newest is None:
        sentence = f"{path} is damaged, and there is no backup of it. Edit it by hand."
        raise NotPossibleError(sentence)
    return from_backup(work, newest)


def index_anew(work: Work, version: str | None = None) -> Manner:
    """Make the index anew from the memories as they will be, with a version if told."""
    before = work.bytes_of(INDEX)
    text = None if before is None else before.decode(errors="surrogateescape")
    changed = {path: work.after(path) for path in [*work.files, *work.grown]}
    anew = rebuild_index(text, taken_then(work, taken_now(work), changed))
    work.warnings += anew.warnings[:_TOLD]
    after = anew.after.encode(errors="surrogateescape")
    if version:
        after = _with_version(after, version)
    step = FileStep(path=INDEX, before=before, after=after)
    return Manner(replaces=(step,), backs_up=version is not None)


def later_version(work: Work) -> str | None:
    """The version that the index names, where that is later than what is known."""
    try:
        told = load_map(work.bytes_of(INDEX) or b"").get("version")
    except DamagedJsonError:
        return None
    if not isinstance(told, str):
        return None
    return told if _numbers(told) > _numbers(VERSION) else None


def _with_version(raw: bytes, version: str) -> bytes:
    data = load_map(raw)
    data["version"] = version
    return style_of(raw.decode()).dumps(data).encode()


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(
        int(part) if part.isascii() and part.isdigit() else 0 for part in parts
    )
