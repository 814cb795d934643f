"""Records as pages for others to read: Markdown, or one HTML file by itself."""
