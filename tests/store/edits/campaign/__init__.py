"""Thousands of failures during a change."""
