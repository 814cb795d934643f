"""A memory's own list of relations, as claims about edges."""

from collections.abc import Mapping

from store.findings import Claim, Severity, Side, Value
from store.formats.cognitive.header import Header, ratio
from store.formats.cognitive.vocabulary import NULLS, RELATION_TYPES, id_key

KEY = "relations"

_SIDES = {"outgoing": Side.OUTGOING, "incoming": Side.INCOMING}


def read_relations(
    own: str, relations: list[Mapping[str, Value]], header: Header, line: int | None
) -> list[Claim]:
    """One claim for each relation that names a target; flaws go to the header."""
    read = (_read(own, relation, header, line) for relation in relations)
    claims = [claim for claim in read if claim]
    _note_doubles(claims, header)
    return claims


def _note_doubles(claims: list[Claim], header: Header) -> None:
    """Note relations that tell of the same edge from the same side."""
    seen: set[tuple[str, str, str, Side]] = set()
    for claim in claims:
        told = (claim.start, claim.end, claim.type, claim.side)
        if told in seen:
            other = claim.end if claim.side is Side.OUTGOING else claim.start
            message = (
                f"The {claim.side} relation {claim.type:.40} to "
                f"{other.removeprefix('id:'):.80} stands twice; both are one edge."
            )
            header.flaw(KEY, "duplicate-relation", message, Severity.NOTE)
        seen.add(told)


def _read(
    own: str, relation: Mapping[str, Value], header: Header, line: int | None
) -> Claim | None:
    target = _text(relation, "target")
    if target is None:
        header.flaw(KEY, "relation-without-target", "A relation names no target.")
        return None
    side = _side(relation, target, header)
    other = id_key(target)
    return Claim(
        start=own if side is Side.OUTGOING else other,
        end=other if side is Side.OUTGOING else own,
        type=_type(relation, target, header),
        side=side,
        edge_id=_text(relation, "edge_id"),
        strength=_strength(relation, target, header),
        context=_text(relation, "context"),
        line=line,
    )


def _text(relation: Mapping[str, Value], key: str) -> str | None:
    value = relation.get(key)
    return value if isinstance(value, str) and value not in NULLS else None


def _side(relation: Mapping[str, Value], target: str, header: Header) -> Side:
    direction = _text(relation, "direction") or ""
    side = _SIDES.get(direction.strip().lower())
    if side is None:
        message = f"The relation to {target:.80} is neither outgoing nor incoming."
        header.flaw(KEY, "bad-direction", message)
    return side or Side.OUTGOING


def _type(relation: Mapping[str, Value], target: str, header: Header) -> str:
    kind = _text(relation, "type")
    if kind is None:
        message = f"The relation to {target:.80} has no type."
        header.flaw(KEY, "relation-without-type", message)
        return "RELATED_TO"
    if kind not in RELATION_TYPES:
        message = f"The relation to {target:.80} is of a type of its own, {kind:.40}."
        header.flaw(KEY, "unknown-relation", message, Severity.NOTE)
    return kind


def _strength(
    relation: Mapping[str, Value], target: str, header: Header
) -> float | None:
    value = relation.get("strength")
    if value is None or (isinstance(value, str) and value in NULLS):
        return None
    number = ratio(value)
    if number is None:
        message = f"The strength of the relation to {target:.80} is no number 0 to 1."
        header.flaw(KEY, "bad-strength", message)
    return number
