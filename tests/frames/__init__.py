"""What every view looks like, kept as text: `python -m tests.frames` writes it anew."""
