"""What the formats keep, so that a view can fit that, and say why it is empty."""

from collections.abc import Iterable, Mapping

from widgets.columns.memories import IMPORTANCE, STRENGTH, USES

_ALWAYS = frozenset({"problems"})

_KEEPS: Mapping[str, frozenset[str]] = {
    "agent-memory": frozenset({"memories", "documents"}),
    "claudia": frozenset({"episodes", "conversations", "messages", "documents"}),
    "cognitive": frozenset({"memories", "edges", "episodes", "documents"}),
    "kei": frozenset(
        {"conversations", "messages", "events", "measures", "agents", "documents"}
    ),
    "notes": frozenset({"memories", "edges", "documents"}),
    "transcripts": frozenset({"conversations", "messages", "documents"}),
}


_FADING = frozenset({"cognitive"})
_WEIGHING = frozenset({"agent-memory", "cognitive"})
_FACTS = {STRENGTH: _FADING, IMPORTANCE: _WEIGHING, USES: _WEIGHING}
"""Which formats keep what not all keep of a memory."""


def fades(form: str) -> bool:
    """Whether memories of a format grow weaker while time passes."""
    return form in _FADING


def lacking(forms: Iterable[str]) -> frozenset[str]:
    """What none of these formats keeps of a memory; of a new one nothing is known."""
    known = frozenset(forms)
    if not known or not known <= _KEEPS.keys():
        return frozenset()
    return frozenset(fact for fact, those in _FACTS.items() if not known & those)


def keeps(form: str, kind: str) -> bool:
    """Whether stores of a format hold records of a kind; one not known here may."""
    return kind in _ALWAYS or kind in _KEEPS.get(form, {kind})


def that_keep_none(forms: Iterable[str], kind: str) -> tuple[str, ...]:
    """The formats, by name, if none of them keeps any of a kind; else nothing."""
    names = tuple(sorted(set(forms)))
    return () if any(keeps(name, kind) for name in names) else names
