"""The journals beneath `time-metrics`, and that of agents, line by line."""

from collections.abc import Callable

from msgspec import Struct, field

from store.files.beneath import Root
from store.files.jsonl import Line
from store.findings import START, Findings, Flaw, Json
from store.formats.kei.agent_events import event_of
from store.formats.kei.growing import MOST_FLAWS, Entry, Leave, Record, read_growing
from store.formats.kei.measures import measure_of, shape_of
from store.formats.kei.tasks import measures_of_tasks

Reading = Callable[[Record, int], Findings | None]
"""What one line comes to; None for one of which nothing is known."""


class JournalReader(Struct):
    """Reads a journal each line of which stands for itself."""

    reading: Reading
    parts: list[Findings] = field(default_factory=list[Findings])
    flaws: list[Flaw] = field(default_factory=list[Flaw])

    def take(self, entry: Entry) -> bool:
        """Read one line."""
        found = self.reading(entry.record, entry.line.number)
        if found is None:
            self.flaws.append(unknown(entry.line.number))
        else:
            self.parts.append(found)
        return True

    def broken(self, line: Line) -> None:
        """Lines that hold nothing change nothing here."""

    def knows(self) -> Json:
        """A line stands for itself, so nothing has to be known."""
        return None

    def found(self) -> Findings:
        """All that was read."""
        return Findings(
            events=tuple(e for part in self.parts for e in part.events),
            measures=tuple(m for part in self.parts for m in part.measures),
            agents=tuple(a for part in self.parts for a in part.agents),
            flaws=tuple(self.flaws),
        )


def figures(record: Record, line: int) -> Findings | None:
    """A line of a journal of figures."""
    measure = measure_of(record, line)
    if measure is None and shape_of(record) == "task":
        return Findings(measures=tuple(measures_of_tasks([(line, record)])))
    return Findings(measures=(measure,)) if measure else None


def agent_events(record: Record, line: int) -> Findings | None:
    """A line of the journal of agents."""
    event = event_of(record, line)
    return Findings(events=(event,)) if event else None


def read_tasks(root: Root, path: str, leave: Leave | None) -> Findings:
    """A whole journal of tasks: a line may change what earlier ones mean.

    Lines that tell of other figures are read as well.
    """
    gathered = _Gathered()
    flaws: list[Flaw] = []
    piece = read_growing(root, path, START, gathered.anew, leave)
    while piece.more:
        flaws += piece.flaws
        piece = read_growing(root, path, piece.mark, gathered.anew, leave)
    lines = gathered.lines
    others = (measure_of(record, number) for number, record in lines)
    found = [measure for measure in others if measure] + measures_of_tasks(lines)
    strange = [unknown(n) for n, record in lines if shape_of(record) is None]
    return Findings(
        measures=tuple(sorted(found, key=lambda measure: measure.line)),
        flaws=(*flaws, *piece.flaws, *strange[:MOST_FLAWS]),
        tail=piece.tail,
    )


class _Gathered(Struct):
    """Keeps the records of a journal with the numbers of their lines."""

    lines: list[tuple[int, Record]] = field(default_factory=list[tuple[int, Record]])

    def anew(self, known: Json) -> "_Gathered":
        """The reader of a further piece, or of the first."""
        if known is None:
            self.lines.clear()
        return self

    def take(self, entry: Entry) -> bool:
        """Keep one record."""
        self.lines.append((entry.line.number, entry.record))
        return True

    def broken(self, line: Line) -> None:
        """Lines that hold nothing change nothing here."""

    def knows(self) -> Json:
        """That there was a piece before."""
        return True

    def found(self) -> Findings:
        """Nothing as long as not all is there."""
        return Findings()


def unknown(line: int) -> Flaw:
    """The flaw of a line whose shape is not known."""
    return Flaw(
        code="unknown-record",
        message="This line is no record of any known kind.",
        line=line,
    )
