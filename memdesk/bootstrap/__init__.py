"""The composition root: the only place that knows every layer and joins them."""
