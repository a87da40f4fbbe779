"""The Qt window: a face of the service layer. The only package that knows PySide6."""
