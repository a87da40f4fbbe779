"""Exit codes, documented in ``resources/docs/cli.md``; scripts may rely on them."""

from enum import IntEnum

from memdesk.errors import MemdeskError


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    FAILED = 1
    USAGE = 2
    ENVIRONMENT = 3
    NOT_FOUND = 4
    LOCKED = 5
    CONFLICT = 6
    #: Only some of the work was done; the output says which.
    PARTIAL = 7
    MODEL = 8
    INTERRUPTED = 130


_BY_STATUS = {
    400: Exit.USAGE,
    401: Exit.LOCKED,
    403: Exit.LOCKED,
    404: Exit.NOT_FOUND,
    409: Exit.CONFLICT,
    422: Exit.USAGE,
    423: Exit.LOCKED,
    499: Exit.INTERRUPTED,
    502: Exit.MODEL,
    503: Exit.ENVIRONMENT,
    504: Exit.MODEL,
    507: Exit.ENVIRONMENT,
}


def exit_for(error: MemdeskError) -> Exit:
    if error.code == "model_missing":
        return Exit.MODEL
    return _BY_STATUS.get(error.status, Exit.FAILED)
