"""Other libraries' APIs over ours, for programs that only change their import."""
