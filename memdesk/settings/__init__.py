"""Settings: declared once in ``schema``, read and written by ``store``, in the places of ``paths``."""
