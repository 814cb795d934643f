"""Blame: each line of a file, and what made it as far as anything tells."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from store.derive.whereabouts import Placed
from store.provenance.attribution import NOBODY, Step, attribute
from store.provenance.gathering import Gathered
from store.provenance.made import Made, Maker
from store.records.blame import Blame, Blamed

UNKNOWN = Maker(by="unknown", what="")
"""What made the lines of which nothing tells."""


def blame(ref: str, place: Placed, text: str, known: Gathered) -> Blame:
    """The lines of a file's text, by what made them.

    What was done counts before what was committed, for a commit only tells how a file
    was by then, and not who had made it so.
    """
    lines = attribute(_steps(known.done), text)
    makers = [_maker(known.done, line.maker) for line in lines]
    if UNKNOWN in makers and known.commits:
        committed = attribute(_steps(known.commits), text)
        makers = [
            _maker(known.commits, line.maker) if maker is UNKNOWN else maker
            for maker, line in zip(makers, committed, strict=True)
        ]
    return Blame(
        ref=ref,
        store=place.store,
        path=place.path,
        lines=tuple(_blamed(makers, [line.text for line in lines])),
        written=tuple(_each_once(one.maker for one in known.done)),
        maybe=tuple(_each_once(one.maker for one in known.commands)),
    )


def _steps(made: Sequence[Made]) -> list[Step]:
    return [Step(one.before, one.after, one.edits) for one in made]


def _maker(made: Sequence[Made], number: int) -> Maker:
    return UNKNOWN if number == NOBODY else made[number].maker


def _blamed(makers: Sequence[Maker], texts: Sequence[str]) -> Iterator[Blamed]:
    """The lines, those together that lie next to one another and are of one maker."""
    at = 1
    for maker, several in groupby(zip(makers, texts, strict=True), lambda one: one[0]):
        lines = [text for _, text in several]
        yield Blamed(
            first=at,
            last=at + len(lines) - 1,
            by=maker.by,
            what=maker.what or None,
            at=maker.at,
            ref=maker.ref,
            conversation=maker.conversation,
            session=maker.session,
            who=maker.who,
            text="\n".join(lines),
        )
        at += len(lines)


def _each_once(makers: Iterator[Maker]) -> Iterator[str]:
    """The messages that makers are told by, each once."""
    refs = dict.fromkeys(maker.ref for maker in makers if maker.conversation)
    return (ref for ref in refs if ref)
