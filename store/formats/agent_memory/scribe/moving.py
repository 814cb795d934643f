"""Memories taken to another store of the same format, or copied there."""

from collections.abc import Sequence
from pathlib import Path

from store.edits.draft import AppendStep, FileStep
from store.edits.refusals import NotPossibleError
from store.errors import UnreadableError
from store.files.beneath import Root
from store.formats.agent_memory.layout import Role, is_archive, role_of
from store.formats.agent_memory.scribe.draft import steps_of
from store.formats.agent_memory.scribe.held import Held, Holder
from store.formats.agent_memory.scribe.putting import archive_file, kind_of_memory
from store.formats.agent_memory.scribe.rewriting import compact
from store.formats.agent_memory.scribe.work import Work
from store.formats.agent_memory.sniff import sniff
from store.records.intents import Move


def move(
    work: Work, intent: Move, memories: Sequence[Held]
) -> list[FileStep | AppendStep]:
    """Take memories out here, unless they stay, and answer the steps over there."""
    target = Path(intent.to)
    with _opened(target) as root:
        if root.path == work.root.path:
            raise NotPossibleError("It is in that store already.")
        there = Work(root, work.now)
        known = {str(held.thing.get("id")).casefold() for held in there.all_held()}
        for held in memories:
            own = held.thing.get("id")
            if own is not None and str(own).casefold() in known:
                sentence = f"{target} has a memory with the identifier {own} already."
                raise NotPossibleError(sentence)
            _put_down(work, there, held, keeps=intent.keeps)
        steps = steps_of(there, root=root.path)
    work.warnings += there.warnings
    return steps


def _put_down(work: Work, there: Work, held: Held, *, keeps: bool) -> None:
    file: Holder = work.file(held.path)
    raw = compact(file.raw(held)) if _is_document(held) else file.raw(held)
    kind = kind_of_memory(held)
    is_away = is_archive(held.path)
    path = archive_file(kind, there.now) if is_away else there.live_file(kind)
    there.add(path, kind, raw)
    if not keeps:
        file.take(held)


def _is_document(held: Held) -> bool:
    return role_of(held.path) is Role.AGENT


def _opened(path: Path) -> Root:
    """The other store; raises NotPossibleError where there is none."""
    try:
        root = Root(path)
    except UnreadableError as error:
        raise NotPossibleError(str(error)) from error
    if sniff(root):
        return root
    root.close()
    raise NotPossibleError(f"{path} is no store of this format.")
