"""What is gathered from a file while it is read."""

from msgspec import Struct, field

from store.findings import Findings, Flaw, MemoryFound, Severity


class Gathered(Struct):
    """What was found so far."""

    memories: list[MemoryFound] = field(default_factory=list[MemoryFound])
    flaws: list[Flaw] = field(default_factory=list[Flaw])

    def flaw(
        self, code: str, message: str, severity: Severity, line: int | None = None
    ) -> None:
        """Note what is wrong."""
        self.flaws.append(
            Flaw(code=code, message=message, severity=severity, line=line)
        )

    def findings(self) -> Findings:
        """All of it."""
        return Findings(memories=tuple(self.memories), flaws=tuple(self.flaws))
