"""The library's errors, by their public names."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from memdesk import errors
from memdesk.errors import LockedError, MemdeskError

#: Advice for programs with several processes.
SHARING: Final = (
    "several can share Memory.desktop(token=...) or PostgreSQL; a folder can be open in one process at a time."
)


class MemoryError(MemdeskError):  # noqa: A001  # the name that programs know it by
    """The memory failed to do something. ``code`` is stable and machine readable."""

    code = "memory_error"

    def __str__(self) -> str:
        """Return what happened and what to do."""
        return f"{self.message} {self.hint}".strip()


class ScopeError(MemoryError):
    """A missing or invalid scope."""

    code = "scope_error"
    title = "Whose memory?"
    status = 400


class InvalidInputError(MemoryError, errors.BadRequestError):
    """Invalid input; nothing was changed."""

    code = "bad_request"
    status = 400


class NotFoundError(MemoryError, errors.NotFoundError):
    code = "not_found"
    status = 404


class VectorStoreError(MemoryError):
    """The store does not answer, or refuses."""

    code = "vector_store_error"
    status = 503
    retryable = True


class LLMError(MemoryError):
    code = "llm_error"
    status = 502
    retryable = True


class EmbeddingError(MemoryError):
    code = "embedding_error"
    status = 502
    retryable = True


class VaultError(MemoryError):
    """The encrypted file cannot be opened this way."""

    code = "vault_error"
    status = 423


@contextmanager
def translated(failed: type[MemoryError] = VectorStoreError) -> Iterator[None]:
    """Raise the parts' errors as the library's; ``failed`` is for a part that cannot do its work."""
    try:
        yield
    except MemoryError:
        raise
    except errors.NotFoundError as error:
        raise NotFoundError(error.message, hint=error.hint) from error
    except errors.BadRequestError as error:
        raise InvalidInputError(error.message, hint=error.hint) from error
    except LockedError as error:
        raise VaultError(error.message, hint=error.hint) from error
    except MemdeskError as error:
        raise failed(error.message, hint=error.hint) from error
