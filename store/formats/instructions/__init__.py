"""Instruction files of agents as a store: read-only documents."""
