from .consolidation import BinItem as BinItem
from .consolidation import ConsolidationService as ConsolidationService
from .consolidation import RunResult as RunResult
from .consolidation import Schedule as Schedule
from .consolidation import UndoResult as UndoResult
from .health import HealthTile as HealthTile
from .redacting import without_folders as without_folders
from .status import StatusService as StatusService
