"""Transcripts: messages of any number and length, laid out only where one reads."""
