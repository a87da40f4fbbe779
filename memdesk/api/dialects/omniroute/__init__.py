"""OmniRoute's memory."""
