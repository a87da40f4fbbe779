from .models import ModelsService as ModelsService
from .seams import Fetching as Fetching
from .seams import FoundModel as FoundModel
from .seams import HubFile as HubFile
from .seams import Progress as Progress
from .seams import Speed as Speed
