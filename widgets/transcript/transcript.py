"""The transcript: how one moves in it, opens and closes its parts, and finds hits."""

from collections.abc import Container, Sequence

from widgets.lines.pieces import Pieces
from widgets.reader.hits import Needles
from widgets.transcript.drawing import TranscriptSheet
from widgets.transcript.entry import Entry, Part
from widgets.transcript.layout import EVERYTHING
from widgets.transcript.reading import Spot
from widgets.transcript.reports import Followed

_TWICE = 2


class Transcript(TranscriptSheet):
    """Shows messages; keys are bound elsewhere to what it can do."""

    def show(self, title: Pieces, count: int) -> None:
        """Show another conversation of so many messages; nothing of it is at hand."""
        self.title = title
        self.begin(count)
        self.settle()

    def extend(self, count: int) -> None:
        """The same conversation has so many messages now."""
        was_at_end = self.reading.is_at_end
        self.reading.layout.extend(count)
        self.arrived(range(0))
        if was_at_end:
            self.reading.bottom()
        self.settle()

    def bring(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Messages that were wanted, from a place on."""
        self.reading.layout.bring(first, entries)
        self.arrived(range(first, first + len(entries)))
        self.reading.brought()
        self.walk.resume(self.reading)
        self.settle()

    def renew(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Messages that are other than they were; so may be those not in view."""
        row = self.reading.keep()
        self.reading.layout.renew(first, entries)
        self.arrived(range(len(self.reading.layout)))
        self.reading.restore(row)
        self.settle()

    def fill(self, at: int, key: int, parts: Sequence[Part]) -> None:
        """All of a message of which only the beginning was at hand."""
        layout = self.reading.layout
        entry = layout.entry(at) if at < len(layout) else None
        if entry is not None and entry.key == key:
            row = self.reading.keep()
            known = {part.key: part for part in parts}
            layout.replace(at, entry.with_parts(known))
            self.reading.restore(row)
            self.walk.filled(self.reading)
            self.settle()

    def seek(self, needles: Needles) -> None:
        """Let what is looked for stand out."""
        self.set_look(self.reading.layout.look._replace(needles=tuple(needles)))

    def zoom(self, *, is_zoomed: bool) -> None:
        """Give code its colours, or take them away."""
        self.set_look(self.reading.layout.look._replace(is_zoomed=is_zoomed))

    def show_only(
        self, shown: bytes | None, kinds: Container[str] = EVERYTHING
    ) -> None:
        """Show some messages alone, a byte for each, and parts of some kinds."""
        row = self.reading.keep()
        self.reading.layout.show_only(shown, kinds)
        self.reading.restore(row)
        self.settle()

    def go(self, at: int, part: int = 0) -> None:
        """Go to a message."""
        self.reading.go(at, part)
        self.settle()

    def move(self, parts: int) -> None:
        """Point to another part."""
        self.reading.move(parts)
        self.settle()

    def scroll_lines(self, lines: int) -> None:
        """Scroll without anything else."""
        self.reading.scroll(lines)
        self.settle()

    def page(self, pages: int) -> None:
        """Read on by what is in view, one line of it left for the eye."""
        self.reading.page(pages * max(self.room - 1, 1))
        self.settle()

    def half_page(self, pages: int) -> None:
        """Read on by half of what is in view."""
        self.reading.page(pages * max(self.room // 2, 1))
        self.settle()

    def top(self) -> None:
        """Go to the first message."""
        self.reading.beginning()
        self.settle()

    def bottom(self) -> None:
        """Go to the end of the last message."""
        self.reading.bottom()
        self.settle()

    def toggle(self) -> None:
        """Open what is pointed at, or close it."""
        entry, part = self.entry, self.part
        if entry is None or part is None or not part.can_fold:
            return
        row = self.reading.keep()
        self.reading.layout.folds.toggle(entry, part)
        self.reading.layout.replace(self.reading.spot.at, entry)
        self.reading.restore(row)
        self.settle()

    def toggle_all(self) -> None:
        """Open everything that can be opened, or close all of it."""
        row = self.reading.keep()
        layout = self.reading.layout
        layout.folds.set_all(are_open=not layout.folds.all_open)
        layout.change()
        self.reading.restore(row)
        self.settle()

    def follow(self) -> bool:
        """Ask to go where it leads what is pointed at; tells whether it does."""
        part = self.part
        if part is None or part.target is None:
            return False
        self.post_message(Followed(part.target))
        return True

    def next_hit(self, step: int, places: Sequence[int] = ()) -> None:
        """Go to the next hit; `places` are the messages in which there are some."""
        self.walk.next(self.reading, step, places)
        self.settle()

    def land(self, at: int) -> None:
        """Go to a message, and to what was looked for in it."""
        self.walk.land(self.reading, at)
        self.settle()

    def clicked(self, position: int, x: int, times: int) -> None:
        """Point to the part; where it is folded, a second click opens it."""
        del x
        row = position - self.first
        if not 0 <= row < len(self.view) or self.selected_text():
            return
        at, line, laid = self.view[row]
        if laid is None or not laid.parts:
            return
        part, within = laid.place(line)
        is_head = not within and part >= 0 and laid.parts[part].part.can_fold
        self.reading.spot = Spot(at, max(part, 0))
        if is_head or times == _TWICE:
            self.toggle()
        self.settle()
