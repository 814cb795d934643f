"""The story as KeiSeiKit keeps it: traces, journals, the analyzer, the ledger."""

from store.demo.days import Days
from store.demo.kei.databases import analyzer, ledger
from store.demo.kei.journals import put_journals
from store.demo.kei.measured import Measured, read_measured
from store.demo.kei.traces import flat_trace, put_traces
from store.demo.model import Story
from store.demo.tree import Tree

HOME = "kei"


def put_kei(tree: Tree, story: Story, days: Days) -> str:
    """Put the kit's memory and its ledger, and return the memory's place."""
    measured = read_measured(story, days)
    root = f"{HOME}/memory"
    put_traces(tree, root, measured, days)
    flat_trace(tree, root, measured)
    put_journals(tree, root, measured)
    _put_pages(tree, root, measured)
    changed = measured.last
    tree.put_bytes(f"{root}/kei-memory.sqlite", analyzer(measured), changed)
    tree.put_bytes(f"{HOME}/agents/ledger.sqlite", ledger(measured), changed)
    return root


def _put_pages(tree: Tree, root: str, measured: Measured) -> None:
    for path, text in measured.pages.items():
        tree.put(f"{root}/{path}", text.lstrip("\n"), measured.last)
