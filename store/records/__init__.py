"""What the library answers with: frozen, slotted, every field documented.

The names and their order are the JSON that `recollect --json` prints; a trailing
underscore (`from_`) only keeps a name clear of a Python keyword.
"""
