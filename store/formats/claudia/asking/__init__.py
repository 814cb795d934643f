"""What the databases can be asked, and the answers."""

from store.formats.claudia.asking.answers import QUESTIONS, answer

__all__ = ["QUESTIONS", "answer"]
