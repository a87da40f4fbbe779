"""Commands. Each module has ``add_arguments(parser)`` and ``run(options) -> int``."""
