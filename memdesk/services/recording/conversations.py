"""Conversations: list, find, rename, keep drafts, export, and delete with what was learned from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from attrs import define

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.images import Image
from memdesk.domain.chatting.versions import Thought, Versions, versions_of
from memdesk.domain.models import Conversation, FactStatus, Hit, MemoryMode, Overrides, Page, Turn, new_id
from memdesk.domain.reading.secrets import secret_kinds, sentences_with_secrets
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, Repositories, Store
from memdesk.services.agents import check_overrides
from memdesk.services.events import ConversationsChanged, DistillationFinished, EventBus, MemoryChanged
from memdesk.services.moments import now_ms
from memdesk.services.recording import drafts, versions
from memdesk.services.recording.folders import known_folder, placed

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.services.agents import AgentsService
    from memdesk.services.forgetting import ForgetPreview, ForgetReport, ForgettingService

FORMAT: Final = "memdesk.conversation/1"


@define(kw_only=True, eq=False, repr=False, slots=False)
class ConversationsService:
    """Manages the threads of agents.

    Unknown ids raise ``NotFoundError``.
    """

    _store: Store
    _clock: Clock
    _events: EventBus
    _agents: AgentsService
    _forgetting: ForgettingService

    def page(
        self,
        agent_id: str | None = None,
        query: str = "",
        archived: bool | None = None,
        limit: int = 50,
        cursor: str | None = None,
        *,
        pinned: bool | None = None,
        folder: str | None = None,
    ) -> Page[Conversation]:
        """List threads, newest first; ``query`` searches titles and messages; ``folder`` "" means those in none."""
        with self._store.read() as repos:
            return repos.conversations.page(
                agent_id=agent_id,
                query=query,
                archived=archived,
                pinned=pinned,
                folder=folder,
                limit=limit,
                cursor=cursor,
            )

    def hits(self, talks: Sequence[Conversation], query: str) -> dict[tuple[str, str], Hit]:
        """Return search hits in threads, by (agent, thread), excluding titles."""
        with self._store.read() as repos:
            return repos.conversations.hits([(talk.agent_id, talk.id) for talk in talks], query)

    def get(self, agent_id: str, conversation_id: str) -> Conversation:
        with self._store.read() as repos:
            return known_conversation(repos, agent_id, conversation_id)

    def turns(self, agent_id: str, conversation_id: str) -> list[Turn]:
        """Return the turns, in order; empty for a thread that does not exist (any more)."""
        with self._store.read() as repos:
            return repos.turns.of_conversation(agent_id, conversation_id)

    def versions(self, agent_id: str, conversation_id: str) -> dict[str, Versions]:
        """Return, by turn, the versions of edited messages and regenerated answers."""
        with self._store.read() as repos:
            former = versions.former(repos, agent_id, conversation_id)
            return versions_of(repos.turns.of_conversation(agent_id, conversation_id), former)

    def thoughts(self, agent_id: str, conversation_id: str) -> dict[str, Thought]:
        """Return, by turn, the model's thinking."""
        with self._store.read() as repos:
            return versions.thoughts(repos, agent_id, conversation_id)

    def pictures(self, agent_id: str, conversation_id: str) -> Iterator[Image]:
        with self._store.read() as repos:
            turns = repos.turns.of_conversation(agent_id, conversation_id)
            for image in dict.fromkeys(image for turn in turns for image in turn.images):
                yield from repos.images.many([image]).values()

    def picture(self, image_id: str) -> Image:
        """Return one picture.

        Raises:
            NotFoundError: it was forgotten.
        """
        with self._store.read() as repos:
            found = repos.images.many([image_id])
        if image_id not in found:
            raise NotFoundError(say("That picture is no longer there."))
        return found[image_id]

    def learned(self, agent_id: str, conversation_id: str) -> DistillationFinished | None:
        """Return the remaining results of a thread's latest distillation, as its event; None if there are none.

        Secrets left out are reported until they are stored, as nobody may have seen the first report.
        """
        with self._store.read() as repos:
            episodes = [e for e in repos.items.episodes_of(agent_id, conversation_id) if e.status == "active"]
            facts = repos.items.of_conversation(agent_id, conversation_id)
            secrets = _left_out(repos, agent_id, conversation_id, facts)
        latest = max(episodes, key=lambda episode: episode.created_at, default=None)
        if latest is None:
            return DistillationFinished(agent_id, conversation_id, "empty", secrets=secrets) if secrets else None
        mine = [fact for fact in facts if fact.parent_id == latest.id and fact.origin == "distiller"]
        kept, waiting = (
            tuple(fact.id for fact in mine if fact.status is status)
            for status in (FactStatus.ACTIVE, FactStatus.REVIEW)
        )
        return DistillationFinished(agent_id, conversation_id, "distilled", latest.id, kept, waiting, secrets=secrets)

    def create(
        self, agent_id: str, *, title: str = "", memory: MemoryMode = "on", conversation_id: str | None = None
    ) -> Conversation:
        """Create an empty thread; a chat creates its own with the first message."""
        now = now_ms(self._clock)
        thread = Conversation(
            agent_id=agent_id,
            id=conversation_id or new_id(),
            title=title,
            memory=memory,
            created_at=now,
            updated_at=now,
        )

        def work(repos: Repositories) -> Conversation:
            self._agents.ensure_in(repos, agent_id)
            kept = replace(thread, folder_id=placed(repos, agent_id, None))
            repos.conversations.put(kept)
            return kept

        made = self._store.write(work)
        self._events.publish(ConversationsChanged(agent_id))
        return made

    def rename(self, agent_id: str, conversation_id: str, title: str) -> Conversation:
        """Give a thread a title.

        Raises:
            BadRequestError: empty or over 200 characters.
            NotFoundError: the agent has no thread of this id.
        """
        title = " ".join(title.split())
        if not 1 <= len(title) <= 200:
            raise BadRequestError(say("A title must have 1 to 200 characters."))
        return self._change(agent_id, conversation_id, lambda thread: replace(thread, title=title))

    def pin(self, agent_id: str, conversation_id: str, on: bool = True) -> Conversation:
        """Pin a thread to the top, or unpin it."""
        return self._change(agent_id, conversation_id, lambda thread: replace(thread, pinned=on))

    def archive(self, agent_id: str, conversation_id: str, on: bool = True) -> Conversation:
        """Archive a thread, or restore it. Its memory stays in use."""
        return self._change(agent_id, conversation_id, lambda thread: replace(thread, archived=on))

    def move(self, agent_id: str, conversation_id: str, folder_id: str | None) -> Conversation:
        """Move a thread into a folder; None moves it out.

        Raises:
            ConflictError: it would enter or leave a folder with its own memory.
            NotFoundError: the folder does not exist, or the agent has no such thread.
        """
        with self._store.read() as repos:
            if folder_id is not None:
                known_folder(repos, folder_id)
            if placed(repos, agent_id, folder_id) != folder_id:
                raise ConflictError(
                    say("This chat is in a folder with its own memory and cannot leave it."),
                    hint=say("What was said there stays there."),
                )
        return self._change(agent_id, conversation_id, lambda thread: replace(thread, folder_id=folder_id))

    def set_memory(self, agent_id: str, conversation_id: str, mode: MemoryMode) -> Conversation:
        """Set whether replies may see memory and whether the thread may be learned from.

        Leaving ``on`` does not unlearn; pending signals are unchanged.

        Raises:
            BadRequestError: not one of on, read_only, off.
        """
        if mode not in get_args(MemoryMode):
            raise BadRequestError(say("A conversation's memory must be on, read_only or off."))
        thread = self._change(agent_id, conversation_id, lambda thread: replace(thread, memory=mode))
        # Other chats may now see its text again, or no longer.
        self._events.publish(MemoryChanged(agent_id, ("turn",)))
        return thread

    def save_draft(self, agent_id: str, conversation_id: str | None, draft: Draft) -> None:
        """Store a draft with its files; without a conversation, for the agent's next one."""
        self._store.write(lambda repos: drafts.write(repos, agent_id, conversation_id, draft))

    def draft(self, agent_id: str, conversation_id: str | None) -> Draft:
        with self._store.read() as repos:
            return drafts.read(repos, agent_id, conversation_id)

    def set_overrides(self, agent_id: str, conversation_id: str | None, overrides: Overrides) -> None:
        """Set a thread's overrides of its agent's settings; without a conversation, for the agent's next one.

        Raises:
            BadRequestError: a field that cannot be overridden, or a value out of bounds.
            NotFoundError: the agent has no thread of this id.
        """
        check_overrides(self._agents.get(agent_id), overrides)
        if conversation_id is None:
            self._store.write(lambda repos: drafts.choose_overrides(repos, agent_id, overrides))
        else:
            self._change(agent_id, conversation_id, lambda thread: replace(thread, overrides=overrides))

    def overrides_of_next(self, agent_id: str) -> Overrides:
        """Return the overrides for the agent's next thread."""
        with self._store.read() as repos:
            return drafts.overrides_of_next(repos, agent_id)

    def memory_of_next(self, agent_id: str) -> MemoryMode | None:
        """Return the memory mode for the agent's next conversation; None if not chosen."""
        with self._store.read() as repos:
            return drafts.memory_of_next(repos, agent_id)

    def choose_memory(self, agent_id: str, mode: MemoryMode) -> None:
        """Store the memory mode for an agent's next conversation."""
        self._store.write(lambda repos: drafts.choose_memory(repos, agent_id, mode))

    def forget_choices(self, agent_id: str) -> None:
        """Clear the choices for the agent's next conversation, which has started with them."""

        def work(repos: Repositories) -> None:
            drafts.choose_memory(repos, agent_id, None)
            drafts.choose_overrides(repos, agent_id, {})

        self._store.write(work)

    def delete(
        self, agent_id: str, conversation_id: str, learned: bool = True, dry_run: bool = False
    ) -> ForgetPreview | ForgetReport:
        """Delete a thread, with ``learned`` also what was learned solely from it; or preview that."""
        from memdesk.services.forgetting import ForgetTarget

        self.get(agent_id, conversation_id)
        target = ForgetTarget(kind="conversation", ids=(conversation_id,), agent_id=agent_id, learned=learned)
        if dry_run:
            return self._forgetting.preview(target)
        report = self._forgetting.forget(target)
        self._events.publish(ConversationsChanged(agent_id))
        return report

    def export(self, agent_id: str, conversation_id: str, format_: Literal["md", "json"] = "md") -> str:
        """Return a thread as Markdown for people or JSON for programs (readable by ``ingest``).

        Raises:
            BadRequestError: another format.
            NotFoundError: the agent has no thread of this id.
        """
        if format_ not in {"md", "json"}:
            raise BadRequestError(say("A conversation can be exported as md or json."))
        with self._store.read() as repos:
            thread = known_conversation(repos, agent_id, conversation_id)
            turns = repos.turns.of_conversation(agent_id, conversation_id)
            agent = repos.agents.get(agent_id)
            shown = versions.pictures(repos, turns)
        if format_ == "json":
            return _as_json(thread, turns, shown)
        name = agent.name if agent is not None else agent_id
        return as_markdown(thread, turns, name, self._clock, {key: image.url for key, image in shown.items()})

    def _change(
        self, agent_id: str, conversation_id: str, edit: Callable[[Conversation], Conversation]
    ) -> Conversation:
        def work(repos: Repositories) -> Conversation:
            # ``updated_at`` stays: nothing new was said, so the thread must not move in the list.
            thread = edit(known_conversation(repos, agent_id, conversation_id))
            repos.conversations.put(thread)
            return thread

        thread = self._store.write(work)
        self._events.publish(ConversationsChanged(agent_id))
        return thread


def known_conversation(repos: Repositories, agent_id: str, conversation_id: str) -> Conversation:
    """Return a conversation. Raises ``NotFoundError``."""
    thread = repos.conversations.get(agent_id, conversation_id)
    if thread is None:
        raise NotFoundError(say("There is no such conversation."), hint="GET /memory/conversations lists them.")
    return thread


def as_markdown(
    thread: Conversation, turns: Sequence[Turn], agent_name: str, clock: Clock, pictures: Mapping[str, str]
) -> str:
    """Return a thread for people: its title, start, and each message with speaker and time.

    Pictures are in their messages; ``pictures`` has their URLs by id, which follow at the end.
    """
    began = clock.local(thread.session_date or thread.created_at)
    parts = [f"# {thread.title or 'Conversation'}", f"*{agent_name}, {began:%Y-%m-%d %H:%M}*"]
    for turn in turns:
        speaker = turn.speaker or ("You" if turn.role == "user" else agent_name)
        parts += [f"**{speaker}** · {clock.local(turn.said_at):%Y-%m-%d %H:%M}", turn.content]
        parts += [f"![{image[:12]}]" for image in turn.images if image in pictures]
    parts += [f"[{image[:12]}]: {address}" for image, address in pictures.items()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _as_told(image: Image) -> dict[str, str]:
    return {"media_type": image.media_type, "data": image.data, "name": image.name}


def _as_json(thread: Conversation, turns: list[Turn], shown: Mapping[str, Image]) -> str:
    data: dict[str, Any] = {
        "format": FORMAT,
        "agent_id": thread.agent_id,
        "conversation_id": thread.id,
        "title": thread.title,
        "session_date": thread.session_date.isoformat() if thread.session_date else None,
        "created_at": thread.created_at.isoformat(),
        "messages": [
            {
                "role": turn.role,
                "speaker": turn.speaker,
                "content": turn.content,
                "date": turn.said_at.isoformat(),
                "model": turn.model,
                **({"images": [_as_told(shown[i]) for i in turn.images if i in shown]} if turn.images else {}),
            }
            for turn in turns
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _left_out(
    repos: Repositories, agent_id: str, conversation_id: str, facts: Sequence[MemoryItem]
) -> tuple[tuple[str, str], ...]:
    """Return the secrets in read messages that no fact quotes: the message's id, and the kind."""
    turns = repos.turns.of_conversation(agent_id, conversation_id)
    waiting = {signal.turn_id for signal in repos.signals.pending(agent_id, conversation_id)}
    read = repos.signals.of_turns([turn.id for turn in turns]) - waiting
    kept = {source.quote for fact in facts for source in fact.sources}
    return tuple(
        (turn.id, kind)
        for turn in turns
        if turn.id in read
        for kind in secret_kinds(sentence for sentence in sentences_with_secrets(turn.content) if sentence not in kept)
    )
