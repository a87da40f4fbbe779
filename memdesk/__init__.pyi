from memdesk.bootstrap.library import AsyncMemory as AsyncMemory
from memdesk.bootstrap.library import Memory as Memory
from memdesk.library.config import MemoryConfig as MemoryConfig
from memdesk.services.library.errors import EmbeddingError as EmbeddingError
from memdesk.services.library.errors import InvalidInputError as InvalidInputError
from memdesk.services.library.errors import LLMError as LLMError
from memdesk.services.library.errors import MemoryError as MemoryError  # noqa: A004
from memdesk.services.library.errors import NotFoundError as NotFoundError
from memdesk.services.library.errors import ScopeError as ScopeError
from memdesk.services.library.errors import VaultError as VaultError
from memdesk.services.library.errors import VectorStoreError as VectorStoreError

__version__: str
