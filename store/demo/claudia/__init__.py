"""The story as Anima remembers it: a database, and the pages of its librarian."""

from store.demo.claudia.pages import episode, log
from store.demo.claudia.sittings import read_anima
from store.demo.claudia.tables import database
from store.demo.days import Days
from store.demo.model import Story
from store.demo.tree import Tree

HOME, PAGES = "anima", "memory"

_SETTINGS = """\
{
  // The gateway reads its secrets from the environment.
  gateway: { port: 30086, token: "${ANIMA_GATEWAY_TOKEN}" },
  extensions: {
    memory: {
      enabled: true,
      config: {
        watchPath: "~/.claude/projects",
        conversationGapMinutes: 60,
        minConversationMessages: 5,
        timezone: "Europe/Stockholm",
        autoProcess: false,
      },
    },
    voice: { apiKey: "not-a-key-only-a-demo" },
  },
}
"""


def put_claudia(tree: Tree, story: Story, days: Days) -> str:
    """Put the database with its settings and logs, and return the place."""
    anima = read_anima(story, days)
    last = max(sitting.last for sitting in anima.sittings)
    tree.put_bytes(f"{HOME}/anima.db", database(anima), last)
    tree.put(f"{HOME}/anima.json", _SETTINGS, anima.sittings[0].first)
    for sitting in anima.sittings:
        if sitting.episode:
            path = f"{HOME}/memory/libby/logs/{sitting.number}.md"
            tree.put(path, log(sitting), sitting.last)
    return HOME


def put_pages(tree: Tree, story: Story, days: Days) -> str:
    """Put the librarian's pages, and return the place."""
    anima = read_anima(story, days)
    for sitting in anima.sittings:
        if sitting.episode:
            path = f"{PAGES}/{sitting.episode}"
            tree.put(path, episode(sitting), sitting.last)
    for path, text, changed in anima.pages:
        tree.put(f"{PAGES}/{path}", text, changed)
    return PAGES
