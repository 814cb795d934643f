"""Talk: the messages of a conversation in order, by page, each whole if asked."""
