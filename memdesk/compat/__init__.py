"""Other libraries' faces over ours, for programs that change their import only."""
