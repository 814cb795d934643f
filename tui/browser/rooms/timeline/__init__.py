"""The room of conversations: blocks along their time, and what went on lately."""
