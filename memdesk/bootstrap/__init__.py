"""The composition root: the only place that knows every layer and joins them.

``app.App`` is one running memdesk, ``throwaway.throwaway`` one for benches and tests, ``profile`` what can be had
without either: keyring, vault, database, models.
"""
