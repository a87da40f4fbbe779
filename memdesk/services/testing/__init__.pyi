from .memory_tests import PREFIX as PREFIX
from .memory_tests import MemoryTestsService as MemoryTestsService
from .outcome import MemoryTest as MemoryTest
