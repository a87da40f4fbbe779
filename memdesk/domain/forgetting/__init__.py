"""What forgetting reaches in texts, and what keeps it from coming back."""
