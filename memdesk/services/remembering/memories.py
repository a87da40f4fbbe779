"""Manual edits of the memory: facts, and those of :class:`MemoryEditing`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal

from attrs import Factory, define

from memdesk.domain.comparing.similarity import containment, jaccard, word_set
from memdesk.domain.items.item import ItemType, MemoryItem, type_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import sentences
from memdesk.domain.models import Actor, Entity, FactKind, FactSource, FactStatus, Turn, new_id
from memdesk.domain.reading.candidates import Passed, SourceTurn
from memdesk.domain.reading.judging import judge
from memdesk.domain.reading.secrets import sentences_with_secrets
from memdesk.errors import ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, Clock, LanguageAnalyzer, Repositories
from memdesk.services import journal
from memdesk.services.agents import known_agent
from memdesk.services.distilling import Decider, LineReader, Neighbors, link_names, rename
from memdesk.services.events import LockChanged
from memdesk.services.moments import now_ms
from memdesk.services.reading import read
from memdesk.services.remembering.changing import check_changes, check_free, check_text, restore, reworded, with_changes
from memdesk.services.remembering.editing import MemoryEditing
from memdesk.services.remembering.undo import UNDOABLE, BulkChange, Edit, UndoShelf, edits_of
from memdesk.services.remembering.views import same_words

#: Turns a selection into ``(content, kind)``.
Describe = Callable[[str, Turn | None], tuple[str, FactKind]]


def retold(clock: Clock, analyzer: LanguageAnalyzer | None = None) -> Describe:
    """Return a text in the third person with absolute dates, by the rules for whole sessions.

    Text without a statement (a question, a few words) is kept as a quotation. A model's words stay unchanged: its "I"
    is not the user.

    Args:
        clock: for the user's dates.
        analyzer: parses the selection; if None or failing, only rules apply.
    """

    def describe(text: str, turn: Turn | None) -> tuple[str, FactKind]:
        if turn is not None and turn.role == "assistant" and not turn.speaker:
            return text, FactKind.OTHER
        day = clock.local(turn.said_at if turn else clock.now()).date()
        speaker = turn.speaker if turn and turn.speaker else "the user"
        source = SourceTurn(id="", speaker=speaker, listener="the assistant", text=text, day=day)
        candidates = read(analyzer, [source]).candidates
        # Neighboring statements also come joined; the single ones suffice.
        found = [candidate for candidate in candidates if len(candidate.spans) == 1 and not candidate.order]
        if found:
            return " ".join(candidate.text for candidate in found), found[0].kind
        return language_data(language_of(text)).own_words(speaker, text), FactKind.OTHER

    return describe


def nearest_sentence(text: str, statement: str) -> str:
    """Return the sentence of ``text`` that shares the most words with a statement made from it."""
    wanted = word_set(statement)
    return max(sentences(text), key=lambda sentence: jaccard(word_set(sentence), wanted), default=text.strip())


__all__ = ["BulkChange", "MemoriesService"]


#: Facts per transaction.
AT_ONCE: Final = 500
#: Minimum share of a sentence's words that must still be in its message.
STILL_SAID: Final = 0.7
#: A line of which both the grammar and the sense are read.
WARMING: Final = "I keep bees."
#: Called with progress, 0..1, and a description.
Progress = Callable[[float, str], None]


@define(kw_only=True, eq=False, repr=False, slots=False)
class MemoriesService(MemoryEditing):
    """Lists and changes what is remembered.

    Every change of a fact, an episode or a line is in the history, in the same transaction.
    """

    _describe: Describe = Factory(lambda self: retold(self._clock), takes_self=True)
    _lines: LineReader = Factory(lambda: LineReader(None))

    def __attrs_post_init__(self) -> None:
        self._shelf = UndoShelf(UNDOABLE)
        # Locking ends the undo of list actions.
        self._events.subscribe(LockChanged, lambda event: self._shelf.clear() if event.locked else None)

    def add_fact(
        self,
        *,
        agent_id: str,
        content: str,
        kind: FactKind | str = FactKind.OTHER,
        tags: Sequence[str] = (),
        salience: float = 0.6,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        pinned: bool = False,
        type: ItemType | None = None,  # noqa: A002 - the field's name
        key: str = "",
        expires_at: datetime | None = None,
        actor: Actor = "user",
        actor_detail: str = "",
        sources: Sequence[FactSource] = (),
        conversation_id: str | None = None,
        about: Entity | None = None,
    ) -> MemoryItem:
        """Store a fact that the user or a program states; returns an existing one that says the same.

        Names in it become known entities. If it is given as ``about`` one, it is linked to that alone, keeps its own
        words beside others that say the same, and can only replace what is known about that.

        A fact that it updates or ends is superseded; see :mod:`memdesk.domain.comparing`.

        Raises:
            BadRequestError: empty or too long a text, salience outside 0..1, unknown kind.
            ConflictError: another item of its scope has the key.
            NotFoundError: the agent does not exist.
        """
        wanted: dict[str, Any] = {"content": content, "kind": kind, "tags": tags, "salience": salience}
        wanted |= {"valid_from": valid_from, "valid_until": valid_until, "key": key, "expires_at": expires_at}
        values = check_changes(wanted | ({} if type is None else {"type": type}))
        now = now_ms(self._clock)

        said_at = min(valid_from, now) if valid_from is not None else now
        statement = self._read(values["content"], said_at)
        nearest = self._nearest(agent_id, values["content"], statement, about)

        def work(repos: Repositories) -> tuple[MemoryItem, bool, set[str]]:
            known_agent(repos, agent_id)
            known = same_words(repos, agent_id, values["content"], key)
            decider = Decider(repos, now, actor, actor_detail)
            verdict = judge(statement, values["content"], nearest, said_at, by_hand=actor == "user")
            again = repos.items.get(verdict.target.id) if verdict.action == "NONE" and verdict.target else None
            if known is not None:
                if about is not None:
                    repos.entities.link(about.id, "fact", known.id)
                return known, False, set()
            if about is None and again is not None and again.key == key and again.status is FactStatus.ACTIVE:
                decider.confirm(again, sources, said_at, values["salience"], verdict.reason)
                return repos.items.get(again.id) or again, False, set()
            fact = MemoryItem(
                id=new_id(),
                agent_id=agent_id,
                **{"type": type_of(statement), **values},
                statement=statement,
                user_pinned=pinned,
                origin=actor,
                provenance="import" if actor == "import" else "user",
                sources=tuple(sources),
                source_count=max(1, len(sources)),
                run_id=conversation_id,
                decayed_at=now,
                created_at=now,
                updated_at=now,
            )
            fact = (decider.overtaken(fact, verdict) or fact) if verdict.action == "FORMER" else fact
            check_free(repos, fact)
            seq = repos.items.put(fact)
            repos.history.add([journal.created(fact, actor=actor, actor_detail=actor_detail)])
            decider.carry_out(verdict, fact)
            if about is not None:
                repos.entities.link(about.id, "fact", fact.id)
            else:
                link_names(repos, agent_id, [fact], now)
            return replace(fact, seq=seq), True, {one.id for one in verdict.targets}

        fact, is_new, ended = self._store.write(work)
        if is_new:
            with self._store.read() as repos:
                self._announce(fact, *repos.items.many(sorted(ended)))
        return fact

    def warm_up(self) -> None:
        """Start what reads a fact, and wait for it: the next one is then read at once."""
        self._read(WARMING, now_ms(self._clock))

    def _read(self, content: str, said_at: datetime) -> Statement | None:
        return self._lines.read([(content, self._clock.local(said_at))])[0]

    def _nearest(
        self, agent_id: str, content: str, statement: Statement | None, about: Entity | None
    ) -> Sequence[MemoryItem]:
        """Return the facts that a line may repeat, update or end; ``about``: of those known about it."""
        if statement is None:
            return ()
        with self._store.read() as repos:
            neighbors = Neighbors(self._store, repos, agent_id, self._lines)
            known = None if about is None else repos.entities.links(about.id)
        found = neighbors(content, statement)
        return found if known is None else [fact for fact in found if ("fact", fact.id) in known]

    def remember(self, agent_id: str, text: str, turn_id: str | None = None) -> MemoryItem:
        """Store what the user selected in a chat, with the turn as its source.

        Raises:
            BadRequestError: an empty or too long selection.
        """
        quote = check_text(text, "A selection")
        with self._store.read() as repos:
            turn = repos.turns.get(turn_id) if turn_id else None
        content, kind = self._describe(quote, turn)
        return self.add_fact(
            agent_id=agent_id,
            content=content,
            kind=kind,
            salience=0.8,
            sources=[FactSource(turn_id=turn.id, quote=quote)] if turn else [],
            conversation_id=turn.conversation_id if turn else None,
        )

    def passed_over(
        self, agent_id: str, conversation_id: str, passed: Sequence[Passed]
    ) -> list[tuple[Passed, MemoryItem | None]]:
        """Return the skipped sentences still in their messages, each with the fact made only of it since, if any."""
        with self._store.read() as repos:
            said = {turn.id: word_set(turn.content) for turn in repos.turns.many([one.turn_id for one in passed])}
            facts = repos.items.of_conversation(agent_id, conversation_id)
        alone = [fact for fact in facts if fact.status is FactStatus.ACTIVE and len(fact.sources) == 1]
        kept = {(fact.sources[0].turn_id, fact.sources[0].quote): fact for fact in alone}
        return [
            (one, kept.get((one.turn_id, one.quote)))
            for one in passed
            if containment(word_set(one.quote), said.get(one.turn_id, ())) >= STILL_SAID
        ]

    def keep_secret(self, agent_id: str, turn_id: str) -> list[MemoryItem]:
        """Store, on the user's request, sentences of a message left out because of secrets.

        Raises:
            NotFoundError: the message is gone.
        """
        with self._store.read() as repos:
            turn = repos.turns.get(turn_id)
        if turn is None:
            raise NotFoundError(say("This message is gone."))
        return [self.remember(agent_id, sentence, turn_id) for sentence in sentences_with_secrets(turn.content)]

    def edit_fact(self, fact_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any) -> MemoryItem:
        """Change content, kind, type, key, tags, salience, validity, expiry, pin or status of a fact.

        Raises:
            BadRequestError: an unknown field or a value out of bounds; nothing was changed.
            ConflictError: another item of its scope has the key; nothing was changed.
            NotFoundError: no fact has this id.
        """
        values = check_changes(changes)
        changed, _edits = self._edit([fact_id], values, now_ms(self._clock), actor, actor_detail)
        return changed[0] if changed else self.fact(fact_id)

    def edit_facts(
        self,
        ids: Sequence[str],
        *,
        actor: Actor = "user",
        actor_detail: str = "",
        cancel: CancelToken | None = None,
        progress: Progress | None = None,
        **changes: Any,
    ) -> BulkChange:
        """Change many facts in the same way. Besides the fields of :meth:`edit_fact`: ``add_tags`` and ``remove_tags``.

        Works in slices, so that nobody waits long for the store; if stopped, what is done stays and can be undone.

        ``progress`` gets the share done, 0..1. Returns how many changed and a token for :meth:`undo`.

        Raises:
            BadRequestError: an unknown field or a value out of bounds; nothing was changed.
        """
        values, now = check_changes(changes), now_ms(self._clock)
        edits: list[Edit] = []
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), AT_ONCE):
            if cancel is not None and cancel.is_set():
                break
            edits += self._edit(wanted[start : start + AT_ONCE], values, now, actor, actor_detail)[1]
            if progress is not None:
                progress(min(1.0, (start + AT_ONCE) / len(wanted)), "")
        return self._shelf.put(edits)

    def set_status(self, ids: Sequence[str], status: Literal["active", "disabled"], **options: Any) -> BulkChange:
        """Enable or disable facts; disabled ones are kept but never shown to a model. See :meth:`edit_facts`."""
        return self.edit_facts(ids, status=status, **options)

    def pin(self, ids: Sequence[str], on: bool = True, **options: Any) -> BulkChange:
        """Pin facts, so that consolidation leaves them alone, or unpin them. See :meth:`edit_facts`."""
        return self.edit_facts(ids, user_pinned=on, **options)

    def undo(self, token: str, *, progress: Progress | None = None) -> int:
        """Undo a bulk change where nothing changed since; return how many facts were restored.

        Raises:
            ConflictError: the token is no longer known.
        """
        edits = self._shelf.take(token)
        if edits is None:
            raise ConflictError(
                say("That can no longer be undone."), hint=say("Each change can still be undone under Activity.")
            )
        now, count = now_ms(self._clock), 0
        for start in range(0, len(edits), AT_ONCE):
            part = edits[start : start + AT_ONCE]
            restored = self._store.write(lambda repos, part=part: restore(repos, part, now))  # type: ignore[misc]  # at once
            self._announce(*restored)
            count += len(restored)
            if progress is not None:
                progress(min(1.0, (start + AT_ONCE) / len(edits)), "")
        return count

    def _edit(
        self, ids: Sequence[str], values: dict[str, Any], now: datetime, actor: Actor, actor_detail: str
    ) -> tuple[list[MemoryItem], list[Edit]]:
        """Change facts in one transaction; return those that changed, and how."""
        told = self._read(values["content"], now) if "content" in values else None

        def work(repos: Repositories) -> tuple[list[MemoryItem], list[Edit]]:
            found = [item for item in repos.items.many(ids) if item.is_fact]
            if len(ids) == 1 and not found:
                raise NotFoundError(say("There is no such fact."), hint="GET /memory/facts lists them.")
            changes = [(old, with_changes(old, values, now, actor=actor)) for old in found]
            pairs = [(old, new) for old, new in ((o, reworded(n, o, told)) for o, n in changes) if new != old]
            changed, edits = [new for _, new in pairs], edits_of(pairs)
            for fact, edit in zip(changed, edits, strict=True):
                if "key" in edit.after:
                    check_free(repos, fact)
                repos.items.change(fact, edit.after.keys())
            rename(repos, pairs, now)
            # A source no longer supporting the new text is restored by the undo bar; the log has only the text.
            told_of = [(old, replace(new, sources=old.sources)) for old, new in pairs]
            repos.history.add(
                [
                    journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)
                    for old, new in told_of
                ]
            )
            return changed, edits

        changed, edits = self._store.write(work)
        self._announce(*changed)
        return changed, edits

    def unkept(self, episode: MemoryItem) -> list[MemoryItem]:
        """Return the details of an episode that are not verbatim facts of its agent."""
        with self._store.read() as repos:
            details = episode.session.details
            return [detail for detail in details if same_words(repos, episode.agent_id, detail.content) is None]

    def keep_detail(self, episode_id: str, detail_id: str) -> MemoryItem:
        """Turn a detail into a fact with the same source messages, independent of its episode.

        Raises:
            NotFoundError: the episode does not exist, or has no such detail (any more).
        """
        with self._store.read() as repos:
            episode = repos.items.episode(episode_id)
            detail = next((d for d in episode.session.details if d.id == detail_id), None) if episode else None
            if episode is None or detail is None:
                raise NotFoundError(say("There is no such detail."), hint=say("It may be gone already."))
            quoted = [
                (turn, nearest_sentence(turn.content, detail.content)) for turn in repos.turns.many(detail.turn_ids)
            ]
        return self.add_fact(
            agent_id=episode.agent_id,
            content=detail.content,
            kind=detail.kind,
            salience=0.8,
            sources=[FactSource(turn_id=turn.id, quote=quote) for turn, quote in quoted],
            conversation_id=episode.run_id or None,
        )
