from .forgetting import ForgetPreview as ForgetPreview
from .forgetting import ForgetReport as ForgetReport
from .forgetting import ForgetTarget as ForgetTarget
from .forgetting import ForgettingService as ForgettingService
