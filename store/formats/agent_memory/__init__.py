"""Agent Memory Server: memories of three kinds, one JSON object a line."""

from store.formats.agent_memory.format import FORMAT, AgentMemoryFormat

__all__ = ["FORMAT", "AgentMemoryFormat"]
