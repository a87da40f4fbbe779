"""The memory page: everything remembered, in tabs."""
