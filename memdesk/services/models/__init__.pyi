from .models import ModelsService as ModelsService
