"""The commands, a table for each scope; `tui.commands.registry` enters them."""
