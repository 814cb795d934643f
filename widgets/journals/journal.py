"""The list of a journal: its columns are those of the section that is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace
from textual.message import Message

from store.records.lead import Lead
from store.records.measure import Measure
from widgets.columns.column import Column
from widgets.columns.table import Table
from widgets.journals.tables import agents, events, measures
from widgets.journals.tables.scale import Scale
from widgets.lines.reports import Report


class Journal(Table[Any]):
    """Figures, events or agents, a row each."""

    @dataclass
    class ProofsWanted(Report):
        """Where some claims lead is to be told, by their rows."""

        rows: Sequence[int]

        def can_replace(self, message: Message) -> bool:
            """What was in view before interests nobody."""
            return isinstance(message, Journal.ProofsWanted)

    def __init__(
        self,
        section: str,
        *,
        id: str | None = None,  # noqa: A002  # as every widget has it
        classes: str | None = None,
    ) -> None:
        super().__init__((), id=id, classes=classes)
        self._scale = Scale()
        self._section = ""
        self._sought: tuple[int, ...] = ()
        self.turn(section)

    @property
    def leads(self) -> Mapping[str, Lead]:
        """Where claims lead, as far as that is known."""
        return self._scale.leads

    def turn(self, section: str) -> None:
        """Show the columns of a section, by its name."""
        if section != self._section:
            self._section = section
            self._columns = self._of(section)
            self._drawn_anew()

    def measure_by(self, long: float) -> None:
        """Draw bars that are full from so many seconds on."""
        if long != self._scale.long:
            self._scale = replace(self._scale, long=long)
            self._drawn_anew()

    def lead(self, leads: Mapping[str, Lead]) -> None:
        """Tell where more claims lead."""
        self._scale = replace(self._scale, leads={**self._scale.leads, **leads})
        self._sought = ()
        self._drawn_anew()

    def seek_proofs(self, *, anew: bool = False) -> None:
        """Ask where the claims in view lead, those of which that is not known."""
        seen = self.rows.page(self.first, self.first + self.room)
        rows = [
            self.key(at)
            for at, record in enumerate(seen, self.first)
            if isinstance(record, Measure)
            and record.pointer
            and (anew or record.ref not in self.leads)
        ]
        wanted = tuple(row for row in rows if isinstance(row, int))
        if wanted and (anew or wanted != self._sought):
            self._sought = wanted
            self.post_message(self.ProofsWanted(self, wanted))

    def settle(self) -> None:
        """See what came into view."""
        super().settle()
        self.seek_proofs()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The same."""
        super().watch_scroll_y(old_value, new_value)
        self.seek_proofs()

    def _of(self, section: str) -> tuple[Column[Any], ...]:
        if section in {"events", "errors"}:
            return events.columns()
        if section == "agents":
            return agents.columns(self._now)
        kinds = {
            "tasks": measures.tasks,
            "sessions": measures.sessions,
            "claims": measures.claims,
            "tools": measures.tools,
        }
        return kinds.get(section, measures.everything)(self._now)

    def _now(self) -> Scale:
        return self._scale

    def _drawn_anew(self) -> None:
        self.forget()
        if self.is_attached:
            self.redraw()
