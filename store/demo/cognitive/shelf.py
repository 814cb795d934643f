"""The part of a cognitive store that git keeps: memories, edges, the diary."""

from datetime import datetime

from store.demo.cognitive.edges import connect
from store.demo.cognitive.episodes import diary
from store.demo.cognitive.pages import edge_page, memory_page
from store.demo.cognitive.placed import Placed, place
from store.demo.days import Days
from store.demo.model import Graph
from store.demo.tree import Tree

GITIGNORE = "_state.json\n_index.json\n_embeddings.json\n_config.json\n"


class Shelf:
    """One store's place in the tree, and what stands there."""

    def __init__(self, tree: Tree, root: str, graph: Graph, days: Days) -> None:
        self._tree = tree
        self._root = root
        self._graph = graph
        self._days = days
        self.placed = place(graph, days)
        self.edges = connect(graph, self.placed)

    def put(self, path: str, text: str, changed: datetime) -> None:
        """Add a file of the store."""
        self._tree.put(f"{self._root}/{path}", text, changed)

    def put_pages(self) -> None:
        """Add everything that git keeps, except what is generated for reading."""
        blemishes = self._graph.blemishes
        for one in self.placed.values():
            self.put(one.path, memory_page(one, self.edges, blemishes), one.updated)
        for edge in self.edges:
            if edge.path:
                self.put(edge.path, edge_page(edge, blemishes), edge.created)
        for path, page, changed in diary(self._graph.episodes, self.placed, self._days):
            self.put(path, page, changed)
        oldest = max(memory.ago for memory in self._graph.memories)
        self.put(".gitignore", GITIGNORE, self._days.ago(oldest, "16:30"))

    def known(self, at: datetime) -> list[Placed]:
        """The memories that had been made by then."""
        return [one for one in self.placed.values() if one.created < at]
