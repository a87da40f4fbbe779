"""The agents page: who there is, how each speaks, and how programs use it."""
