"""Settings: declared once in ``schema``, read and written by ``store``, located by ``paths``."""
