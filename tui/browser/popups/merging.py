"""Where memories that become one differ: field by field, which of them is right."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from store.findings import Value
from store.opening import InFull
from store.records.memory import MemoryInFull
from tui.browser.changing.fields import Field, fields_of, value_of
from tui.browser.popups.popup import Popup, Row
from tui.browser.popups.rows import Choice, Heading
from widgets.columns.cells import told
from widgets.styles.palette import Palette

Place = tuple[str, int]
"""A field, and which of the memories its value is taken from."""

_UNITED = frozenset({"tags"})
"""What is united anyway."""

_TEXT = "text"
_BOTH = -1
_LINE = 60


class MergeChoice(Struct, frozen=True):
    """What was chosen."""

    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    body: str | None = None
    """The text that was chosen; None for all of them."""


class MergeChoices(Popup[MergeChoice]):
    """Enter chooses; the first row does it."""

    def __init__(self, fulls: Sequence[InFull], palette: Palette) -> None:
        """The first of them stays."""
        super().__init__("merge", "↵ chooses, the first row goes on", palette)
        self._memories = [full for full in fulls if isinstance(full, MemoryInFull)]
        self._fields = _differing(self._memories)
        self._chosen = dict.fromkeys(self._fields, 0) | {_TEXT: _BOTH}

    def rows(self, typed: str) -> Sequence[Row]:
        """Going on, and under each field the values that it has."""
        del typed
        rows: list[Row] = [
            Choice(("do", 0), "go on", "see the plan", before=[("↵ ", "key")])
        ]
        for name, values in self._fields.items():
            rows += [Heading(name), *self._choices(name, values)]
        texts = [_first_line(one.body) for one in self._memories]
        rows += [
            Heading(_TEXT),
            self._choice(_TEXT, _BOTH, "both, one after the other"),
        ]
        rows += self._choices(_TEXT, texts)
        return rows

    def chose(self, choice: Choice[Any]) -> None:
        """Choose a value, or go on with what is chosen."""
        name, at = choice.value
        if name == "do":
            self.dismiss(self._choice_made())
        else:
            self._chosen[name] = at
            self.fill(keeps=True)

    def _choices(self, name: str, values: Sequence[str]) -> list[Choice[Place]]:
        return [self._choice(name, at, value) for at, value in enumerate(values)]

    def _choice(self, name: str, at: int, value: str) -> Choice[Place]:
        is_chosen = self._chosen[name] == at
        sign = ("✓ ", "marked") if is_chosen else ("  ", "")
        return Choice((name, at), told(value) or "–", before=[sign])

    def _choice_made(self) -> MergeChoice:
        first = self._memories[0]
        fields: dict[str, Value] = {}
        for name, values in self._fields.items():
            at = self._chosen[name]
            own = next(one for one in fields_of(first) if one.name == name)
            value = value_of(own, values[at])
            if at and value is not None:
                fields[name] = value
        at = self._chosen[_TEXT]
        return MergeChoice(fields, None if at == _BOTH else self._memories[at].body)


def _differing(memories: Sequence[MemoryInFull]) -> dict[str, list[str]]:
    """The fields in which they differ, with the value that each of them has."""
    all_fields = [{one.name: one for one in fields_of(full)} for full in memories]
    names = [name for name in all_fields[0] if name not in _UNITED] if memories else []
    values = {name: [_text(one.get(name)) for one in all_fields] for name in names}
    return {name: texts for name, texts in values.items() if len(set(texts)) > 1}


def _text(found: Field | None) -> str:
    return found.text if found else ""


def _first_line(body: str) -> str:
    return body.strip().partition("\n")[0][:_LINE]
