"""Tools over the memory: one registry for chat, MCP, HTTP and docs."""

import lazy_loader

# What other rooms and the faces may use; the stub beside this file names it.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
