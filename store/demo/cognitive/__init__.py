"""The story as a cognitive store: a graph of memories, a diary, what is derived."""

from store.demo.cognitive.derived import config, embeddings, index, state
from store.demo.cognitive.shelf import Shelf
from store.demo.cognitive.summaries import core, reflection
from store.demo.days import Days
from store.demo.model import Story
from store.demo.tree import Tree

REFRESHED = 4
"""How many days ago the scores and summaries were last computed."""

EMBEDDED = 30
"""How many days ago the embeddings were."""


def put_lived_in(tree: Tree, root: str, story: Story, days: Days) -> str:
    """The store of a machine that it is used on, with everything that is derived."""
    graph = story.graphs["main"]
    shelf = Shelf(tree, root, graph, days)
    shelf.put_pages()
    refreshed = days.ago(REFRESHED, "04:00")
    reindexed = days.ago(1, "23:30")
    embedded = days.ago(EMBEDDED, "04:05")
    placed = shelf.placed
    shelf.put("_index.json", index(placed, shelf.edges, graph, reindexed), reindexed)
    shelf.put("_state.json", *state(placed, refreshed))
    shelf.put("_embeddings.json", embeddings(placed, embedded), embedded)
    shelf.put("_config.json", config(), days.ago(230, "19:40"))
    known = shelf.known(refreshed)
    shelf.put("CORE.md", core(known, refreshed), refreshed)
    page = reflection(known, graph.episodes, list(story.projects), refreshed)
    shelf.put("REFLECTION.md", page, refreshed)
    return root


def put_cloned(tree: Tree, root: str, story: Story, days: Days) -> str:
    """A store fresh from git: what is derived or private to a machine is absent."""
    shelf = Shelf(tree, root, story.graphs["work"], days)
    shelf.put_pages()
    refreshed = days.ago(REFRESHED, "06:30")
    shelf.put("CORE.md", core(shelf.known(refreshed), refreshed), refreshed)
    return root
