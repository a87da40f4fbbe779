"""Chat: one engine for the window, which keeps its history in the store, and for clients, which bring theirs."""

import lazy_loader

# The public names are listed in the stub beside this file.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
