"""How memory ages: salience, merging, consolidation."""
