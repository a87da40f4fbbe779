"""Automatic maintenance of the memory, and the health of the app's parts."""

import lazy_loader

# What other rooms and the faces may use; the stub beside this file names it.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
