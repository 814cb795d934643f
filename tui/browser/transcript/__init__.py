"""A conversation in the browser: read message by message, brought as one reads."""
