"""`recollect dedupe`: memories that stand more than once; `--way` makes one of them."""

import argparse
from collections.abc import Sequence

from store.errors import NothingFoundError, WrongUseError
from store.library import Library
from store.records.double import Double
from store.records.intents import Merge
from store.records.memory import Memory, MemoryInFull
from store.reviewing.doubled import MERGE, in_order
from tui.cli.answer import answer_list
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session


def run(arguments: argparse.Namespace, session: Session) -> None:
    """List what stands more than once, or make one memory of what one stands with."""
    if not arguments.way:
        with session.library() as library:
            found = _found(library, arguments.ref)
            nothing = "Nothing stands more than once."
            answer_list("doubles", found, json=session.json, nothing=nothing)
        return
    if arguments.ref is None:
        raise WrongUseError("A REF is missing: one of those that --way makes one of.")
    with changing(session, arguments) as library:
        found = [double.memory for double in _found(library, arguments.ref)]
        if not found:
            raise NothingFoundError(
                f"Nothing else says what {arguments.ref} says; `recollect merge` takes "
                "any memories."
            )
        merged = in_order(found, arguments.way)
        body = None if arguments.way == MERGE else _body(library, merged[0])
        carry_out(library, session, arguments, library.plan(Merge(body=body), merged))


def _found(library: Library, name: str | None) -> Sequence[Double]:
    """What stands more than once; of a memory that is named, what it is one with."""
    doubles = library.doubles()
    if name is None:
        return doubles
    (record,) = library.changeable([name])
    groups = {double.of for double in doubles if double.memory.ref == record.ref}
    return [double for double in doubles if double.of in groups]


def _body(library: Library, memory: Memory) -> str | None:
    """What the memory that stays says, so that it goes on saying that alone."""
    shown = library.show(memory.ref)
    return shown.body if isinstance(shown, MemoryInFull) else None
