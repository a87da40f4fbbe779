from .agents import DEFAULT_AGENT_ID as DEFAULT_AGENT_ID
from .agents import AgentsService as AgentsService
from .agents import AgentTemplate as AgentTemplate
from .agents import check_overrides as check_overrides
from .agents import known_agent as known_agent
from .prompts import PromptsService as PromptsService
from .prompts import put_prompt as put_prompt
from .prompts import saved_prompts as saved_prompts
