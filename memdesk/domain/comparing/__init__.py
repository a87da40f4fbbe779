"""How two statements relate: the same, an update, a reversal, or none of these."""
