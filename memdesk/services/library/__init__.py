"""Memory for programs: the use case behind the Python library and its REST dialect."""

import lazy_loader

# The public names are listed in the stub beside this file.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
