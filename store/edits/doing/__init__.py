"""How a change is carried out: all of it, or nothing, also after a crash."""
