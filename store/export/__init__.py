"""Export records as Markdown or as one HTML file."""
