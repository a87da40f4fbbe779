"""Folders of chats, in the encrypted database: create, rename, reorder, and delete with or without their chats.

The memory of a folder with its own memory is a separate agent, whose chats are those of the folder: nothing crosses
agents, so no second boundary is needed. It shares no identity either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from memdesk.domain.chatting.folders import FOLDERS, Folder
from memdesk.domain.models import Conversation, every, new_id
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, Repositories, Store
from memdesk.services.events import AgentsChanged, ConversationsChanged, EventBus

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService
    from memdesk.services.forgetting import ForgetPreview, ForgetReport, ForgetTarget, ForgettingService

T = TypeVar("T")
_NAME_CHARS: Final = 100
_INSTRUCTIONS_CHARS: Final = 100_000
_EDITABLE: Final = frozenset({"name", "instructions", "position", "collapsed"})


class FoldersService:
    """Manages folders; a chat records its own folder (:meth:`ConversationsService.move`)."""

    def __init__(self, *, store: Store, events: EventBus, agents: AgentsService, forgetting: ForgettingService) -> None:
        self._store = store
        self._agents = agents
        self._events = events
        self._forgetting = forgetting

    def all(self) -> list[Folder]:
        with self._store.read() as repos:
            return saved_folders(repos)

    def counts(self) -> dict[str, int]:
        """Return how many chats each folder holds, archived ones included, by its id; without empty ones."""
        with self._store.read() as repos:
            return repos.conversations.folder_counts()

    def get(self, folder_id: str) -> Folder:
        """Return one folder. Raises ``NotFoundError``."""
        with self._store.read() as repos:
            return known_folder(repos, folder_id)

    def create(self, name: str, instructions: str = "", *, own_memory_as: str | None = None) -> Folder:
        """Create an empty folder, above the others.

        ``own_memory_as`` permanently gives it its own memory: what is learned in its chats is recalled only there, and
        they see nothing else, except what the user wrote about themselves. This agent answers its chats.

        Raises:
            BadRequestError: without a name, or too long.
            NotFoundError: the agent does not exist.
        """
        folder = check_folder(Folder(id=new_id(), name=name, instructions=instructions))
        if own_memory_as is not None:
            made = self._agents.duplicate(own_memory_as, folder.name)
            self._agents.edit(made.id, shares_identity=False, description="")
            folder = replace(folder, agent_id=made.id)
        self._write(lambda repos: _arrange(repos, [folder, *saved_folders(repos)]))
        return folder

    def edit(self, folder_id: str, **fields: Any) -> Folder:
        """Change name, instructions, position (0 is the top) or whether it is collapsed.

        Raises:
            BadRequestError: an unknown field or a value out of bounds.
            NotFoundError: no folder has this id.
        """
        unknown = sorted(fields.keys() - _EDITABLE)
        if unknown:
            raise BadRequestError(say("A folder has no field {join}.", join=", ".join(unknown)))

        def work(repos: Repositories) -> Folder:
            folder = check_folder(replace(known_folder(repos, folder_id), **fields))
            others = [other for other in saved_folders(repos) if other.id != folder_id]
            others.insert(folder.position, folder)
            _arrange(repos, others)
            return known_folder(repos, folder_id)

        edited = self._write(work)
        if edited.agent_id is not None and "name" in fields:
            self._agents.edit(edited.agent_id, name=self._agents.free_name(edited.name))
        return edited

    def preview(
        self, folder_id: str, *, chats: bool = False, learned: bool = True, cancel: CancelToken | None = None
    ) -> ForgetPreview:
        """Preview what :meth:`delete` would do. Raises as it does, and ``CancelledError`` if ``cancel`` was set."""
        from memdesk.services.forgetting import ForgetPreview

        targets = self._going(self.get(folder_id), chats=chats, learned=learned)
        previews = [self._forgetting.preview(target, cancel=cancel) for target in targets]
        return ForgetPreview(counts=_sum(one.counts for one in previews), notes=_notes(previews))

    def delete(self, folder_id: str, *, chats: bool = False, learned: bool = True) -> ForgetReport:
        """Delete a folder; its chats go back to the list, or are deleted with it.

        With ``chats`` archived ones go too; with ``learned`` also what was learned solely from them.

        Raises:
            ConflictError: its chats should stay, but it has its own memory.
            NotFoundError: no folder has this id.
        """
        from memdesk.services.forgetting import ForgetReport

        folder = self.get(folder_id)
        reports = [self._forgetting.forget(target) for target in self._going(folder, chats=chats, learned=learned)]

        def work(repos: Repositories) -> None:
            if folder.agent_id is not None:
                repos.agents.delete(folder.agent_id)
            repos.meta.put(FOLDERS + folder_id, None)
            repos.conversations.leave_folder(folder_id)
            _arrange(repos, saved_folders(repos))

        self._write(work)
        if folder.agent_id is not None:
            self._events.publish(AgentsChanged())
        return ForgetReport(
            counts=_sum(one.counts for one in reports),
            verified=all(one.verified for one in reports),
            phrases_checked=sum(one.phrases_checked for one in reports),
            kept_elsewhere=sum(one.kept_elsewhere for one in reports),
            left=tuple(place for one in reports for place in one.left),
            notes=_notes(reports),
            said_in=sum(one.said_in for one in reports),
            proof="\n".join(one.proof for one in reports if one.proof),
        )

    def _going(self, folder: Folder, *, chats: bool, learned: bool) -> list[ForgetTarget]:
        """Return what is forgotten with a folder: its own memory, or its chats by agent."""
        from memdesk.services.forgetting import ForgetTarget

        if folder.agent_id is not None:
            if not chats:
                raise ConflictError(
                    say("The folder “{name}” has a memory of its own.", name=folder.name),
                    hint=say(
                        "Its chats and all that was learned in them are deleted with it; confirm that to delete it."
                    ),
                )
            return [ForgetTarget(kind="agent", ids=(folder.agent_id,), agent_id=folder.agent_id)]
        with self._store.read() as repos:
            inside: list[Conversation] = list(every(repos.conversations.page, folder=folder.id)) if chats else []
        by_agent: dict[str, list[str]] = {}
        for talk in inside:
            by_agent.setdefault(talk.agent_id, []).append(talk.id)
        return [
            ForgetTarget(kind="conversation", ids=tuple(ids), agent_id=agent_id, learned=learned)
            for agent_id, ids in by_agent.items()
        ]

    def _write(self, work: Callable[[Repositories], T]) -> T:
        done = self._store.write(work)
        self._events.publish(ConversationsChanged(""))
        return done


def check_folder(folder: Folder) -> Folder:
    """Return a folder after validating it: name on one line, instructions trimmed.

    Raises:
        BadRequestError: without a name, too long, or of other types.
    """
    texts = (folder.name, folder.instructions, folder.agent_id or "")
    counted = isinstance(folder.position, int) and not isinstance(folder.position, bool) and folder.position >= 0
    if not all(isinstance(text, str) for text in texts) or not isinstance(folder.collapsed, bool) or not counted:
        raise BadRequestError(
            say("A folder's texts must be strings, its position a number from 0, and collapsed true or false.")
        )
    name, instructions = " ".join(folder.name.split()), folder.instructions.strip()
    if not 1 <= len(name) <= _NAME_CHARS:
        raise BadRequestError(say("A folder needs a name of 1 to 100 characters."))
    if len(instructions) > _INSTRUCTIONS_CHARS:
        raise BadRequestError(say("A folder's instructions can have at most 100,000 characters."))
    return replace(folder, name=name, instructions=instructions)


def saved_folders(repos: Repositories) -> list[Folder]:
    found = [Folder(id=key.removeprefix(FOLDERS), **value) for key, value in repos.meta.prefix(FOLDERS).items()]
    return sorted(found, key=lambda folder: (folder.position, folder.name.casefold(), folder.id))


def known_folder(repos: Repositories, folder_id: str) -> Folder:
    """Return a folder. Raises ``NotFoundError``."""
    value = repos.meta.get(FOLDERS + folder_id)
    if value is None:
        raise NotFoundError(say("There is no such folder."), hint="GET /memory/folders lists them.")
    return Folder(id=folder_id, **value)


def told_in_folder(repos: Repositories, folder_id: str | None, system_prompt: str) -> str:
    """Return a system prompt followed by a folder's instructions; unchanged without a folder."""
    value = repos.meta.get(FOLDERS + folder_id) if folder_id else None
    return Folder(id=str(folder_id), **value).told(system_prompt) if value else system_prompt


def placed(repos: Repositories, agent_id: str, folder_id: str | None) -> str | None:
    """Return the folder for an agent's chat when ``folder_id`` is requested.

    Raises:
        ConflictError: that folder has its own memory, of another agent.
    """
    for folder in saved_folders(repos):
        if folder.agent_id == agent_id:
            return folder.id
        if folder.id == folder_id and not folder.takes(agent_id):
            raise ConflictError(
                say("The folder “{name}” has a memory of its own.", name=folder.name),
                hint=say("Begin a new chat in it: what was said elsewhere stays there."),
            )
    return folder_id


def put_folder(repos: Repositories, folder: Folder) -> None:
    repos.meta.put(FOLDERS + folder.id, {name: value for name, value in asdict(folder).items() if name != "id"})


def _arrange(repos: Repositories, folders: Iterable[Folder]) -> None:
    for position, folder in enumerate(folders):
        put_folder(repos, replace(folder, position=position))


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for some in counts:
        total.update(some)
    return dict(total)


def _notes(reports: Iterable[ForgetPreview | ForgetReport]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note for one in reports for note in one.notes))
