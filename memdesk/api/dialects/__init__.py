"""Foreign protocols over our services: names and shapes, no rules."""
