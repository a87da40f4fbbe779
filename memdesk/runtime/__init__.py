"""Threads, child processes, timers, logs and the instance lock."""
