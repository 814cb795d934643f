"""What the mendings of one change share: its files, and records found by name."""

from collections.abc import Callable
from functools import cached_property

from store.edits.refusals import NotPossibleError
from store.files.markdown.job import Job
from store.findings import Side
from store.formats.cognitive.vocabulary import id_key
from store.records.edge import Edge
from store.records.memory import Memory
from store.records.problem import Problem


class Mender:
    """Looks up what problems are about."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def edge(self, problem: Problem) -> Edge:
        """The edge that a problem is about."""
        found = self._edges.get(problem.ref or "")
        if found is None:
            raise NotPossibleError(f"No edge goes by {problem.ref!r} any more.")
        return found

    def memory(self, problem: Problem) -> Memory | None:
        """The memory that a problem is about."""
        return self.job.known.memory(problem.ref) if problem.ref else None

    def identified(self, key: str) -> Memory | None:
        """The memory that has an identifier."""
        return self._memories.get(key)

    def has_edge_file(self, edge_id: str) -> bool:
        """Whether an edge file has an identifier."""
        return edge_id in self._filed

    @cached_property
    def _edges(self) -> dict[str, Edge]:
        return {edge.ref: edge for edge in self.job.known.edges()}

    @cached_property
    def _filed(self) -> set[str | None]:
        edges = self._edges.values()
        return {edge.id for edge in edges if Side.FILE in edge.sides}

    @cached_property
    def _memories(self) -> dict[str, Memory]:
        memories = [memory for memory in self.job.known.memories() if memory.id]
        return {id_key(memory.id or ""): memory for memory in reversed(memories)}


Mending = Callable[[Mender, Problem], None]
"""Mends one problem."""
