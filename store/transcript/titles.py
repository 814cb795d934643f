"""The lines that give a transcript a name."""

from store.findings import Rank

TITLES = {
    "custom-title": (Rank.CUSTOM, "customTitle"),
    "ai-title": (Rank.WRITTEN, "aiTitle"),
    "agent-name": (Rank.AGENT, "agentName"),
}
"""By type: how good a name such a line gives, and where in it the name stands."""
