"""What can be changed from the browser: asked for, planned, done, and taken back."""
