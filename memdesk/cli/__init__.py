"""The command line: one small module per command, over the same HTTP API that programs use."""
