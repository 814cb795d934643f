"""Lists of any length, drawn line by line; `sheet` is what all panes of lines share."""
