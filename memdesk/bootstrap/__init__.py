"""The composition root: the only place that knows every layer and joins them.

``app.App`` is one running memdesk, ``throwaway.throwaway`` one for benches and tests; ``profile`` has what works
without either: keyring, vault, database, models.
"""
