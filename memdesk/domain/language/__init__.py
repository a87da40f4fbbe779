"""Words, sentences, names and dates."""
