"""Agents, the owners of memory. Created by hand, from a template, from a file, or by first use over HTTP."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, get_args

from memdesk.domain.chatting.folders import FOLDERS
from memdesk.domain.models import Agent, MemoryMode
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, Repositories, Store
from memdesk.services.events import AgentsChanged, EventBus
from memdesk.services.moments import now_ms

if TYPE_CHECKING:
    from memdesk.services.forgetting import ForgetPreview, ForgetReport, ForgettingService

DEFAULT_AGENT_ID: Final = "default"
#: Maximum length of a name.
NAME_CHARS: Final = 100
FORMAT: Final = "memdesk.agent/1"
SAMPLING_BOUNDS: Final[dict[str, tuple[float, float]]] = {
    "temperature": (0.0, 2.0),
    "top_p": (0.0, 1.0),
    "max_tokens": (1, 1_048_576),
    "seed": (-(2**63), 2**63 - 1),
}
_EDITABLE: Final = (
    "name",
    "description",
    "system_prompt",
    "model",
    "color",
    "sampling",
    "memory",
    "search_tool",
    "shares_identity",
)
_OVERRIDABLE: Final = frozenset({"system_prompt", "model", "search_tool", "sampling"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTemplate:
    """A starting point for a new agent."""

    id: str
    name: str
    description: str
    system_prompt: str
    color: str
    sampling: dict[str, Any] = field(default_factory=dict)


TEMPLATES: Final[tuple[AgentTemplate, ...]] = (
    AgentTemplate(
        id="assistant",
        name=say("Assistant"),
        description=say("Answers plainly and remembers what matters to you."),
        system_prompt=say("You are a helpful assistant. Answer briefly and plainly. Say so when you do not know."),
        color="#4f6bed",
    ),
    AgentTemplate(
        id="writer",
        name=say("Writing partner"),
        description=say("Drafts and edits in your voice; remembers your style and your projects."),
        system_prompt=say(
            "You help with writing. Keep the author's voice, prefer short sentences, and explain each larger "
            "change in one line."
        ),
        color="#b4562f",
        sampling={"temperature": 0.8},
    ),
    AgentTemplate(
        id="coder",
        name=say("Code companion"),
        description=say("Explains and writes code; remembers your stack and your decisions."),
        system_prompt=say(
            "You are a careful programmer. Ask when a requirement is unclear. Show code that runs, then say "
            "what it assumes."
        ),
        color="#2f8f6b",
        sampling={"temperature": 0.2},
    ),
    AgentTemplate(
        id="coach",
        name=say("Journal and coach"),
        description=say("Listens, asks one good question, and remembers your goals."),
        system_prompt=say(
            "You are a calm coach. Listen first, ask one question at a time, and come back to the goals the "
            "user has named."
        ),
        color="#8a4fbf",
        sampling={"temperature": 0.7},
    ),
    AgentTemplate(
        id="tutor",
        name=say("Tutor"),
        description=say("Teaches step by step; remembers what you already know."),
        system_prompt=say(
            "You are a patient tutor. Find out what the learner knows, explain one step, then let them try."
        ),
        color="#c28a17",
        sampling={"temperature": 0.5},
    ),
)


class AgentsService:
    """Keeps agents. Deleting one deletes its whole memory."""

    def __init__(self, *, store: Store, clock: Clock, events: EventBus, forgetting: ForgettingService) -> None:
        self._store = store
        self._clock = clock
        self._events = events
        self._forgetting = forgetting

    def all(self) -> list[Agent]:
        """Return all agents, the built-in one first, then by name. The built-in one is created if missing."""
        with self._store.read() as repos:
            agents = repos.agents.all()
        if not any(agent.id == DEFAULT_AGENT_ID for agent in agents):
            agents.append(self.ensure(DEFAULT_AGENT_ID))
        return sorted(agents, key=lambda agent: (not agent.is_built_in, agent.name.casefold(), agent.id))

    def get(self, agent_id: str) -> Agent:
        """Return one agent. Raises ``NotFoundError``."""
        agent = self.find(agent_id)
        if agent is None and agent_id == DEFAULT_AGENT_ID:
            agent = self.ensure(agent_id)
        if agent is None:
            raise NotFoundError(
                say("There is no agent “{agent_id}”.", agent_id=agent_id), hint="GET /agents lists them."
            )
        return agent

    def find(self, agent_id: str) -> Agent | None:
        with self._store.read() as repos:
            return repos.agents.get(agent_id)

    def ensure(self, agent_id: str) -> Agent:
        """Return the agent of this id, creating it if unknown.

        Raises:
            BadRequestError: the id is invalid (see :func:`check_id`).
        """
        known = self.find(agent_id)
        if known is not None:
            return known
        agent = self._store.write(lambda repos: self.ensure_in(repos, agent_id))
        self._events.publish(AgentsChanged())
        return agent

    def draft(self, agent_id: str) -> Agent:
        """Return the agent that :meth:`ensure` would create, without storing it.

        Raises:
            BadRequestError: the id is invalid.
        """
        return self._first(check_id(agent_id))

    def ensure_in(self, repos: Repositories, agent_id: str) -> Agent:
        """Like :meth:`ensure`, in the caller's transaction and without an event.

        Raises:
            BadRequestError: the id is invalid.
        """
        known = repos.agents.get(agent_id)
        if known is not None:
            return known
        agent = self._first(check_id(agent_id))
        repos.agents.put(agent)
        return agent

    def put(self, agent: Agent) -> Agent:
        """Store an agent as given, new or changed; ``updated_at`` is set here.

        Raises:
            BadRequestError: a field is out of bounds.
        """
        checked = _checked(agent)

        def work(repos: Repositories) -> Agent:
            known = repos.agents.get(checked.id)
            stored = replace(
                checked,
                created_at=known.created_at if known else checked.created_at,
                is_built_in=checked.id == DEFAULT_AGENT_ID,
                updated_at=now_ms(self._clock),
            )
            repos.agents.put(stored)
            return stored

        result = self._store.write(work)
        self._events.publish(AgentsChanged())
        return result

    def create(self, name: str, *, template: str | None = None, agent_id: str | None = None, **fields: Any) -> Agent:
        """Create an agent.

        Its id is the name's slug unless ``agent_id`` is given; ``template`` is one of :meth:`templates`, ``fields`` are
        any editable ones of :class:`Agent`.

        Raises:
            BadRequestError: an unknown template or field, or a value out of bounds.
            ConflictError: ``agent_id`` is taken.
        """
        base: dict[str, Any] = {}
        if template is not None:
            chosen = next((known for known in TEMPLATES if known.id == template), None)
            if chosen is None:
                raise BadRequestError(say("There is no template “{template}”.", template=template))
            base = {key: value for key, value in asdict(chosen).items() if key not in {"id", "name"}}
        _refuse_unknown(fields)
        if agent_id is not None and self.find(check_id(agent_id)) is not None:
            raise ConflictError(
                say("The agent id “{agent_id}” is taken.", agent_id=agent_id), hint=say("Choose another id.")
            )
        now = now_ms(self._clock)
        fresh_id = agent_id or self._free_id(name)
        return self.put(Agent(id=fresh_id, name=name, created_at=now, updated_at=now, **(base | fields)))

    def edit(self, agent_id: str, **fields: Any) -> Agent:
        """Change editable fields of an agent.

        Raises:
            BadRequestError: an unknown field or a value out of bounds.
            NotFoundError: no agent has this id.
        """
        _refuse_unknown(fields)
        return self.put(replace(self.get(agent_id), **fields))

    def duplicate(self, agent_id: str, name: str | None = None) -> Agent:
        source = self.get(agent_id)
        title = self.free_name(name or f"{source.name} (copy)")
        now = now_ms(self._clock)
        return self.put(
            replace(source, id=self._free_id(title), name=title, is_built_in=False, created_at=now, updated_at=now)
        )

    def free_name(self, name: str) -> str:
        """Return an unused name: this one, possibly with a number."""
        with self._store.read() as repos:
            taken = {agent.name.casefold() for agent in repos.agents.all()}
        number, free = 1, name
        while free.casefold() in taken:
            number += 1
            free = f"{name[:90]} ({number})"
        return free

    def templates(self) -> tuple[AgentTemplate, ...]:
        return TEMPLATES

    def export(self, agent_id: str) -> dict[str, Any]:
        """Return an agent's settings as JSON; never its memory."""
        agent = self.get(agent_id)
        return {"format": FORMAT, "id": agent.id} | {name: getattr(agent, name) for name in _EDITABLE}

    def import_(self, data: dict[str, Any]) -> Agent:
        """Create an agent from :meth:`export`'s JSON. If its id or name is taken, a free one is used.

        Raises:
            BadRequestError: not such a file, or a value out of bounds.
        """
        made = data.get("format") if isinstance(data, dict) else None
        if isinstance(made, str) and made != FORMAT and made.startswith(FORMAT.rpartition("/")[0]):
            raise BadRequestError(
                say("This agent was exported by a newer memdesk."), hint=say("Update memdesk, then try again.")
            )
        if made != FORMAT:
            raise BadRequestError(
                say("This is not an exported agent."), hint=say("It should say “format”: “{value}”.", value=FORMAT)
            )
        fields = {name: data[name] for name in _EDITABLE if name in data and name != "name"}
        name = self.free_name(str(data.get("name", "")))
        wanted = data.get("id")
        usable = isinstance(wanted, str) and _ID.fullmatch(wanted) is not None and self.find(wanted) is None
        return self.create(name, agent_id=str(wanted) if usable and wanted != DEFAULT_AGENT_ID else None, **fields)

    def delete(self, agent_id: str, dry_run: bool = False) -> ForgetPreview | ForgetReport:
        """Delete an agent with everything it remembers, or preview what that would delete.

        Raises:
            ConflictError: it is the built-in agent, or the memory of a folder.
            NotFoundError: no agent has this id.
        """
        from memdesk.services.forgetting import ForgetTarget

        agent = self.get(agent_id)
        target = ForgetTarget(kind="agent", ids=(agent.id,), agent_id=agent.id, learned=True)
        if dry_run:
            return self._forgetting.preview(target)
        if agent.id == DEFAULT_AGENT_ID:
            raise ConflictError(
                say("The built-in agent cannot be deleted."),
                hint=say("Forget its memory instead, or edit it to your taste."),
            )
        with self._store.read() as repos:
            folders = repos.meta.prefix(FOLDERS).values()
        if any(folder.get("agent_id") == agent.id for folder in folders):
            raise ConflictError(
                say("“{name}” is the memory of a folder.", name=agent.name),
                hint=say("Delete the folder instead: its memory goes with it."),
            )
        report = self._forgetting.forget(target)
        self._store.write(lambda repos: repos.agents.delete(agent.id))
        self._events.publish(AgentsChanged())
        return report

    def counts(self) -> dict[str, int]:
        """Return active pinned facts by agent id; agents without any are left out."""
        with self._store.read() as repos:
            return repos.agents.fact_counts()

    def _first(self, agent_id: str) -> Agent:
        now = now_ms(self._clock)
        built_in = agent_id == DEFAULT_AGENT_ID
        template = TEMPLATES[0]
        return Agent(
            id=agent_id,
            name=template.name if built_in else agent_id[:NAME_CHARS],
            description=template.description if built_in else "",
            system_prompt=template.system_prompt if built_in else "",
            color=template.color,
            is_built_in=built_in,
            created_at=now,
            updated_at=now,
        )

    def _free_id(self, name: str) -> str:
        base = slug(name) or "agent"
        with self._store.read() as repos:
            taken = {agent.id for agent in repos.agents.all()}
        number = 1
        while (candidate := base if number == 1 else f"{base}-{number}") in taken:
            number += 1
        return candidate


#: Programs use ids of their own: spaces, slashes and any alphabet are fine, line breaks and control characters are not.
_ID: Final = re.compile(r"(?!\s)[^\x00-\x1f\x7f]{1,300}(?<!\s)")


def known_agent(repos: Repositories, agent_id: str) -> Agent:
    """Return an agent, in a transaction of its caller. Raises ``NotFoundError``."""
    agent = repos.agents.get(agent_id)
    if agent is None:
        raise NotFoundError(say("There is no agent “{agent_id}”.", agent_id=agent_id), hint="GET /agents lists them.")
    return agent


def check_id(agent_id: str) -> str:
    """Return an agent id.

    Raises:
        BadRequestError: empty, over 300 characters, with space around it or control characters in it.
    """
    if not _ID.fullmatch(agent_id):
        raise BadRequestError(
            say("An agent id must have 1 to 300 characters, on one line."),
            hint=say("For example “caroline” or “work-notes”."),
        )
    return agent_id


def slug(name: str) -> str:
    """Return a name as an id: ASCII, lower case, words joined by ``-``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")[:60]


def _refuse_unknown(fields: dict[str, Any]) -> None:
    unknown = sorted(set(fields) - set(_EDITABLE))
    if unknown:
        raise BadRequestError(
            say("An agent has no field {join}.", join=", ".join(unknown)),
            hint=say("It has {join}.", join=", ".join(_EDITABLE)),
        )


def _checked(agent: Agent) -> Agent:
    check_id(agent.id)
    name = agent.name.strip() if isinstance(agent.name, str) else ""
    if not 1 <= len(name) <= NAME_CHARS:
        raise BadRequestError(say("An agent needs a name of 1 to 100 characters."))
    texts = (agent.description, agent.system_prompt, agent.model, agent.color)
    switches = (agent.search_tool, agent.shares_identity)
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(switch, bool) for switch in switches):
        raise BadRequestError(say("An agent's text fields must be strings, and its switches true or false."))
    if agent.memory not in get_args(MemoryMode):
        raise BadRequestError(say("An agent's memory must be on, read_only or off."))
    check_sampling(agent.sampling)
    return replace(agent, name=name)


def check_overrides(agent: Agent, overrides: Any) -> None:
    """Check the settings that a conversation overrides.

    Raises:
        BadRequestError: a field that cannot be overridden, or a value out of bounds.
    """
    if not isinstance(overrides, dict) or not overrides.keys() <= _OVERRIDABLE:
        raise BadRequestError(say("A conversation can override only {join}.", join=", ".join(sorted(_OVERRIDABLE))))
    if "sampling" in overrides:
        check_sampling(overrides["sampling"])
    _checked(agent.overridden(overrides))


def check_sampling(sampling: Any) -> None:
    """Check sampling parameters: temperature, top_p, max_tokens, seed and stop.

    Raises:
        BadRequestError: an unknown name or a value out of bounds.
    """
    if not isinstance(sampling, dict):
        raise BadRequestError(say("Sampling parameters must be an object."))
    for key, value in sampling.items():
        if key == "stop":
            if not (isinstance(value, (str, list, tuple)) and all(isinstance(part, str) for part in value)):
                raise BadRequestError(say("stop must be a string or a list of strings."))
            continue
        bounds = SAMPLING_BOUNDS.get(key)
        if bounds is None:
            raise BadRequestError(
                say("There is no sampling parameter {key}.", key=key),
                hint=say("The parameters are {join} and stop.", join=", ".join(SAMPLING_BOUNDS)),
            )
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not bounds[0] <= value <= bounds[1]:
            raise BadRequestError(
                say("{key} must be between {bounds} and {bounds_}.", key=key, bounds=bounds[0], bounds_=bounds[1])
            )
