from .notes import FolderStatus as FolderStatus
from .notes import NotesService as NotesService
from .own_files import OwnFile as OwnFile
from .own_files import OwnFiles as OwnFiles
from .syncing import Synced as Synced
