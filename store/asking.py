"""Put a question to several stores; one that fails keeps no other from answering."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from store.discover import Found
from store.errors import NothingFoundError, RecollectError, WrongUseError
from store.findings import Json

Refusals = list[tuple[Path, RecollectError]]
"""The stores that could not answer, and why."""


def ask_all(
    stores: Sequence[Found],
    name: str,
    words: Sequence[str],
    now: int,
    complain: Callable[[str], None],
) -> Iterator[Mapping[str, Json]]:
    """The rows of every store that can answer, each with its store.

    Those that fail are complained of at the end; where none can answer, it is an error.
    """
    refusals: Refusals = []
    has_rows = False
    for found in stores:
        try:
            with found.format.open(found.path) as store:
                for row in store.ask(name, words, now):
                    has_rows = True
                    yield {"store": str(found.path), **row}
        except WrongUseError:
            raise
        except RecollectError as error:
            refusals.append((found.path, error))
    nobody_answered = not has_rows and len(refusals) == len(stores)
    _settle(refusals, complain, nobody_answered=nobody_answered)


def _settle(
    refusals: Refusals, complain: Callable[[str], None], *, nobody_answered: bool
) -> None:
    """Say which stores did not answer; raise where none did.

    What is looked for lies in one store: that the others do not have it goes unsaid.
    """
    missing = [one for one in refusals if isinstance(one[1], NothingFoundError)]
    broken = [one for one in refusals if one not in missing]
    final = (missing or broken)[:1] if nobody_answered else []
    for path, error in broken:
        if (path, error) not in final:
            complain(f"{path} did not answer: {error}")
    for _, error in final:
        raise error
