"""The frame around the pages: sidebar, status bar, palette, lock."""
