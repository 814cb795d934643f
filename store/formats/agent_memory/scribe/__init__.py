"""What changes would write into a store of agent memories."""

from store.formats.agent_memory.scribe.scribe import AgentMemoryScribe

__all__ = ["AgentMemoryScribe"]
