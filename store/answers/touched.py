"""Which records lie in the files that a change touches, before it and after it."""

from collections.abc import Sequence

_USUAL = ("memories",)
_KINDS = {"link": ("edges",), "append": ("episodes", "measures")}
"""What a change makes, by the word of its intent, where that is no memory."""


_MAKING = frozenset({"append", "link", "move", "new"})
_TAKING = frozenset({"delete", "merge"})


def kinds_of(word: str) -> tuple[str, ...]:
    """The kinds of record that a change may make or take away."""
    return _KINDS.get(word, _USUAL)


def refs_then(
    word: str, refs: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> tuple[str, ...]:
    """What a change was about, as it goes by its refs afterwards.

    What is gone from the files is left out, unless nothing would be left. What came is
    added where the change makes something, or where it gave something another ref; any
    other record that goes by a new ref only lies behind it in the same file.
    """
    gone = set(before) - set(after)
    now = [ref for ref in refs if ref not in gone]
    is_renamed = len(now) < len(refs) and word not in _TAKING
    if word in _MAKING or is_renamed:
        known = {*before, *refs}
        now += [ref for ref in after if ref not in known]
    return tuple(dict.fromkeys(now)) or tuple(refs)
