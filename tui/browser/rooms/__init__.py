"""Rooms: the content of each view, with its list and the widgets around it."""
