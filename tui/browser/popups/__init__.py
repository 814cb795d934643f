"""Popups: menus, questions, dialogs."""
