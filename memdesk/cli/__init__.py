"""The command line: one small module a command, over the same HTTP surface that programs use."""
