"""What a store can be asked: one word each, answered row by row."""

from store.formats.kei.questions.asking import QUESTIONS, answer

__all__ = ["QUESTIONS", "answer"]
