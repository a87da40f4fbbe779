"""The agents page: the agents, their settings, and how programs use them."""
