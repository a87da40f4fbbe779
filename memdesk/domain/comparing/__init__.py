"""How two statements relate: the same, an update, a reversal, or nothing of that."""
