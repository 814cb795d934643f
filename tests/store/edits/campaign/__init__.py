"""What may go wrong while a change is made, in its thousands."""
