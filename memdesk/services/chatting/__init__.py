"""Chat: one engine for the window, which keeps its history in the store, and for clients, which bring theirs."""

import lazy_loader

# What other rooms and the faces may use; the stub beside this file names it.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
