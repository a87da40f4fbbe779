"""The kinds of rows that an export of everything has: how each is read, recognized, written and put in JSON."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import getitem
from typing import Any, Final

from pydantic import TypeAdapter

from memdesk.domain.chatting.files import WHOLE
from memdesk.domain.chatting.folders import FOLDERS, Folder
from memdesk.domain.chatting.images import Image
from memdesk.domain.chatting.prompts import PROMPTS, Prompt
from memdesk.domain.items.filters import Where
from memdesk.domain.items.item import OF_EPISODE, MemoryItem
from memdesk.domain.items.registry import EPISODE, FORMS
from memdesk.domain.models import Agent, Conversation, Entity, HistoryEntry, Relation, Signal, SignalStatus, Turn, every
from memdesk.domain.notes.kept import FILES, files_of
from memdesk.ports import FactFilter, Repositories
from memdesk.services.agents import DEFAULT_AGENT_ID, check_prompt, put_prompt, saved_prompts
from memdesk.services.recording import check_folder, put_folder, saved_folders

_PAGE: Final = 500
#: Forms of items that are not exported as items: episodes and files of agents have their own rows, and folders of notes
#: are read again.
_LEFT_OUT: Final = frozenset({"episode", "passage"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An entity with its other names and what mentions it."""

    entity: Entity
    aliases: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """A file that an agent wrote below ``/memories``: its text is that of its passages."""

    id: str
    path: str
    agent_id: str
    size: int
    passages: tuple[MemoryItem, ...]

    def key(self) -> str:
        return files_of(self.agent_id) + self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class SentWhole:
    """The whole text of a long file of which passages were sent in a conversation."""

    agent_id: str
    conversation_id: str
    name: str
    text: str

    def __post_init__(self) -> None:
        if any("\x1f" in part for part in (self.agent_id, self.conversation_id, self.name)):
            raise ValueError("a unit separator in what a file is named by")

    def key(self) -> str:
        return f"{WHOLE}{self.agent_id}\x1f{self.conversation_id}\x1f{self.name}"


@dataclass(frozen=True, slots=True)
class Kind:
    """How rows of one kind are read, recognized and written."""

    name: str
    type: type[Any]
    all: Callable[[Repositories], Iterable[Any]]
    known: Callable[[Repositories, Any], bool]
    add: Callable[[Repositories, list[Any]], object]
    #: rows held and written at once.
    page: int = _PAGE

    def dump(self, row: Any) -> dict[str, Any]:
        """Return a row as JSON, an episode under the names that it has outside."""
        told: dict[str, Any] = _adapter(self.name).dump_python(row, mode="json")
        return _as_episode(told) if self.name == "episode" else told

    def parse(self, told: dict[str, Any]) -> Any:
        """Return the row of what :meth:`dump` returned.

        Raises:
            ValueError, KeyError, TypeError, BadRequestError: it is not such a row.
        """
        row = _adapter(self.name).validate_python(_as_item(told) if self.name == "episode" else told)
        if isinstance(row, Prompt):
            check_prompt(row)
        elif isinstance(row, Folder):
            check_folder(row)
        elif isinstance(row, MemoryItem):
            FORMS[row.form].check(row.metadata)
        return row


def all_items(repos: Repositories) -> Iterator[MemoryItem]:
    for form in FORMS.values():
        if form.name not in _LEFT_OUT:
            found = every(repos.items.page, Where("form", "eq", form.name))
            # A detail is written with its episode. Other items may name an episode but are independent.
            yield from (item for item in found if item.tier != "kept" or item.parent_id is None)


def _put_episode(repos: Repositories, episode: MemoryItem) -> None:
    """Write an episode and its details, which it would itself write without usage, age and privacy."""
    details = episode.session.details
    known = {item.id for item in repos.items.many([detail.id for detail in details])}
    repos.items.put_many([*(detail for detail in details if detail.id not in known), episode])


def _named(repos: Repositories) -> Iterator[Named]:
    for entity in every(repos.entities.page):
        links = tuple(repos.entities.links(entity.id))
        yield Named(entity=entity, aliases=tuple(repos.entities.aliases(entity.id)), links=links)


def all_files(repos: Repositories) -> Iterator[OwnFile]:
    for key, kept in repos.meta.prefix(FILES).items():
        passages = tuple(repos.items.many(kept["passages"]))
        if passages:
            path = key.removeprefix(FILES).partition(":")[2]
            agent_id = passages[0].agent_id or ""
            yield OwnFile(id=kept["id"], path=path, agent_id=agent_id, size=kept["size"], passages=passages)


def _put_file(repos: Repositories, file: OwnFile) -> None:
    repos.items.put_many(file.passages)
    ids = [passage.id for passage in file.passages]
    repos.meta.put(file.key(), {"id": file.id, "size": file.size, "passages": ids})


def all_sent(repos: Repositories) -> Iterator[SentWhole]:
    for key, text in repos.meta.prefix(WHOLE).items():
        agent_id, conversation_id, name = key.removeprefix(WHOLE).split("\x1f")
        yield SentWhole(agent_id=agent_id, conversation_id=conversation_id, name=name, text=text)


def _relations(repos: Repositories) -> Iterator[Relation]:
    seen: set[str] = set()
    for entity in every(repos.entities.page):
        for relation in repos.entities.relations(entity.id):
            if relation.id not in seen:
                seen.add(relation.id)
                yield relation


def _each(put: Callable[[Repositories, Any], object]) -> Callable[[Repositories, list[Any]], None]:
    def add(repos: Repositories, rows: list[Any]) -> None:
        for row in rows:
            put(repos, row)

    return add


def _put_named(repos: Repositories, named: Named) -> None:
    repos.entities.put(named.entity)
    repos.entities.set_aliases(named.entity, named.aliases)
    for kind, ref_id in named.links:
        repos.entities.link(named.entity.id, kind, ref_id)  # type: ignore[arg-type]  # checked by the database


def _add_turns(repos: Repositories, rows: list[Turn]) -> None:
    # Receipts are not exported.
    repos.turns.add([replace(turn, receipt_id=None, seq=0) for turn in rows])


def _unused(repos: Repositories, agent_id: str) -> bool:
    """Whether it is the built-in agent of a memory where nobody has spoken with it: an exported one takes its place."""
    talks = repos.conversations.page(agent_id=agent_id, limit=1).total
    return (
        agent_id == DEFAULT_AGENT_ID
        and not talks
        and not repos.items.facts(FactFilter(agent_id=agent_id), limit=1).total
    )


#: In order of dependency.
_KINDS: Final = (
    Kind(
        "agent",
        Agent,
        lambda repos: repos.agents.all(),
        lambda repos, row: repos.agents.get(row.id) is not None and not _unused(repos, row.id),
        _each(lambda repos, row: repos.agents.put(row)),
    ),
    Kind(
        "prompt",
        Prompt,
        saved_prompts,
        lambda repos, row: repos.meta.get(PROMPTS + row.id) is not None,
        _each(put_prompt),
    ),
    Kind(
        "folder",
        Folder,
        saved_folders,
        lambda repos, row: repos.meta.get(FOLDERS + row.id) is not None,
        _each(put_folder),
    ),
    Kind(
        "conversation",
        Conversation,
        lambda repos: every(repos.conversations.page),
        lambda repos, row: repos.conversations.get(row.agent_id, row.id) is not None,
        _each(lambda repos, row: repos.conversations.put(row)),
    ),
    Kind(
        "image",
        Image,
        lambda repos: repos.images.all(),
        lambda repos, row: repos.images.has(row.id),
        lambda repos, rows: repos.images.put(rows),
        page=1,
    ),
    Kind(
        "turn",
        Turn,
        lambda repos: every(repos.turns.page, agent_id=None),
        lambda repos, row: repos.turns.get(row.id) is not None,
        _add_turns,
    ),
    Kind(
        "sent_file",
        SentWhole,
        all_sent,
        lambda repos, row: repos.meta.get(row.key()) is not None,
        _each(lambda repos, row: repos.meta.put(row.key(), row.text)),
        page=1,
    ),
    Kind(
        "pending",
        Signal,
        lambda repos: every(repos.signals.page, status=SignalStatus.PENDING),
        lambda repos, row: bool(repos.signals.of_turns([row.turn_id])),
        lambda repos, rows: repos.signals.add(rows),
    ),
    Kind(
        "item",
        MemoryItem,
        all_items,
        lambda repos, row: repos.items.get(row.id) is not None,
        lambda repos, rows: repos.items.put_many(rows),
    ),
    Kind(
        "episode",
        MemoryItem,
        lambda repos: every(repos.items.episodes, status=None),
        lambda repos, row: repos.items.get(row.id) is not None,
        _each(_put_episode),
    ),
    Kind(
        "file",
        OwnFile,
        all_files,
        lambda repos, row: repos.meta.get(row.key()) is not None,
        _each(_put_file),
        page=1,
    ),
    Kind("entity", Named, _named, lambda repos, row: repos.entities.get(row.entity.id) is not None, _each(_put_named)),
    Kind(
        "relation",
        Relation,
        _relations,
        lambda repos, row: any(one.id == row.id for one in repos.entities.relations(row.subject_id)),
        _each(lambda repos, row: repos.entities.relate(row)),
    ),
    Kind(
        "history",
        HistoryEntry,
        lambda repos: every(repos.history.page),
        lambda repos, row: repos.history.get(row.id) is not None,
        lambda repos, rows: repos.history.add(rows),
    ),
)
#: By name.
KINDS: Final = {kind.name: kind for kind in _KINDS}


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(KINDS[name].type)


def _as_episode(item: dict[str, Any]) -> dict[str, Any]:
    """Return an episode's item under the names that episodes have outside."""
    return {name: reduce(getitem, field.split("."), item) for name, field in EPISODE.items()}


def _as_item(episode: dict[str, Any]) -> dict[str, Any]:
    """Return the input of :func:`_as_episode`."""
    item: dict[str, Any] = {**OF_EPISODE, "digest": {}}
    for name, field in EPISODE.items():
        part, _, last = field.rpartition(".")
        if name in episode:
            (item[part] if part else item)[last] = episode[name]
    return item
