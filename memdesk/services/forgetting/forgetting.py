"""Complete forgetting: previewed, hidden from every reader at once, erased in slices if there is a lot, then proved.

Forgotten are: rows, full-text entries, vectors and index snapshots (by the store's triggers), texts in the history, in
receipts, in the bin and in the diffs of runs, entities no longer named, and copies of the same statement in episodes
and identity. The preview says what stays: a fact's messages, unless included, and the bare record that something was
forgotten.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from attrs import define

from memdesk.domain.models import Actor
from memdesk.ports import CancelToken, Clock, Repositories, StoreUpkeep
from memdesk.ports.seams import Indexing
from memdesk.services.distilling import note_forgetting
from memdesk.services.events import AgentsChanged, ConversationsChanged, EventBus, MemoryChanged, PendingChanged
from memdesk.services.forgetting.copies import Copies, find_copies
from memdesk.services.forgetting.erasing import TABLES, By, Touched, changes, hidden_by, removal, touched
from memdesk.services.forgetting.gathering import gather
from memdesk.services.forgetting.proof import Proof, choose_phrases, prove
from memdesk.services.forgetting.scope import ForgetTarget, Scope
from memdesk.services.forgetting.slices import SlicedForgetting, unfinished
from memdesk.services.moments import now_ms

__all__ = ["ForgetPreview", "ForgetReport", "ForgetTarget", "ForgettingService"]

log = logging.getLogger(__name__)

#: Maximum rows deleted or changed in one transaction; each costs up to half a millisecond.
_SMALL: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPreview:
    """What forgetting would do.

    Attributes:
        counts: rows to delete (facts, episodes, identity, turns, conversations, entities) or lose a part
            (facts_changed, episodes_changed).
        notes: what stays contrary to expectation, in sentences for the user.
        said_in: messages that say it, whether they go or stay.
        personal: whether it names a person or somebody's health, so that most users would include the messages.
        in_prompts: the user's own texts for models that say it: instructions of agents and chats, saved prompts.
        along: other facts and lines deleted with their only messages.
    """

    counts: dict[str, int]
    notes: tuple[str, ...] = ()
    said_in: int = 0
    personal: bool = False
    in_prompts: int = 0
    along: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetReport:
    """What was forgotten, and whether it was proved.

    Attributes:
        counts: as in the preview.
        verified: the proof was made and found nothing that should be gone.
        phrases_checked: number of distinctive phrases searched for in every decrypted page and by every search.
        kept_elsewhere: phrases also in remaining rows, which prove nothing either way.
        left: places where a forgotten phrase was still found although no row has it. Empty if verified.
        notes: as in the preview.
        said_in: remaining messages that still say it.
        proof: what was checked and found, in words; empty if no proof was requested.
    """

    counts: dict[str, int]
    verified: bool
    phrases_checked: int
    kept_elsewhere: int = 0
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    said_in: int = 0
    proof: str = ""


@define(kw_only=True, eq=False, repr=False, slots=False)
class ForgettingService:
    """Forgets on request.

    Args:
        drop_copies: called before and after each forgetting: deletes copies of the memory that still contain it.
    """

    _store: StoreUpkeep
    _clock: Clock
    _events: EventBus
    _indexing: Indexing | None = None
    _drop_copies: Callable[[], object] = lambda: None

    def preview(self, target: ForgetTarget, *, cancel: CancelToken | None = None) -> ForgetPreview:
        """Preview what :meth:`forget` would do, without changes.

        Raises:
            BadRequestError: an agent is required but not named.
            CancelledError: ``cancel`` was set.
            NotFoundError: a thing named does not exist.
        """
        with self._store.read() as repos:
            scope = gather(repos, target, now_ms(self._clock), cancel=cancel)
        return ForgetPreview(
            counts=scope.counts(),
            notes=tuple(scope.notes),
            said_in=len(scope.said_in),
            personal=scope.personal,
            in_prompts=len(scope.instructions),
            along=scope.along(target) if target.kind in {"fact", "facts", "identity"} else (),
        )

    def forget(
        self,
        target: ForgetTarget,
        *,
        verify: bool = True,
        actor: Actor = "user",
        actor_detail: str = "",
        then: Callable[[Repositories], object] | None = None,
    ) -> ForgetReport:
        """Forget for good; afterwards the write-ahead log is folded in and emptied, at leisure unless ``verify``.

        From one durable moment on, no read returns any of it. A small amount is deleted in that transaction; a large
        one follows in slices that never hold the writer for long, and :meth:`resume` continues after a kill. An agent's
        own settings stay: only its memory is deleted.

        ``verify`` searches every text, every decrypted page and every search for distinctive phrases, which takes a
        pass over the file. ``then`` writes a replacement, in the transaction from which on it is gone.

        Raises:
            BadRequestError: an agent is required but not named.
            NotFoundError: a thing named does not exist; nothing was changed.
        """
        by = By(actor, actor_detail, now_ms(self._clock))
        with self._store.read() as repos:
            scope = gather(repos, target, by.at)
            copies = find_copies(repos, scope)
            indexes = touched(repos, scope)
        with self._store.making_room(self._drop_all_copies):
            # Before and after: a kill in between must not leave it in an old copy, nor in one made meanwhile.
            self._drop_all_copies()
            if _is_small(scope, copies):
                scope, indexes = self._at_once(target, by, copies, then)
                self._tell(scope, indexes)
            else:
                piece = SlicedForgetting(self._store, target, by)
                piece.begin(scope, copies, then)
                self._tell(scope, indexes)
                piece.remove(piece.change(scope, copies))
            if verify:
                self._store.checkpoint()
            else:
                self._store.checkpoint_soon()
        self._drop_all_copies()
        proof = self._prove(scope) if verify else None
        if proof is not None and proof.left:
            log.warning("forgetting left %d traces", len(proof.left))
        return ForgetReport(
            counts=scope.counts(),
            verified=proof is not None and not proof.left,
            phrases_checked=proof.checked if proof else 0,
            kept_elsewhere=proof.kept_elsewhere if proof else 0,
            left=proof.left if proof else (),
            notes=tuple(scope.notes),
            said_in=len(scope.said_in - scope.turns.keys()),
            proof=proof.in_words() if proof else "",
        )

    def _at_once(
        self, target: ForgetTarget, by: By, copies: Copies, then: Callable[[Repositories], object] | None
    ) -> tuple[Scope, Touched]:
        """Forget in one transaction, gathering again in it, so that nothing can have changed since."""

        def work(repos: Repositories) -> tuple[Scope, Touched]:
            scope = gather(repos, target, by.at)
            indexes, hidden = touched(repos, scope), hidden_by(repos, scope, None)
            for step in changes(scope, copies):
                step.work(repos, step.items)
            for table in TABLES:
                seqs = hidden.threads if table == "conversations" else hidden.rows[table]
                step = removal(table, seqs, by, marks=False)
                step.work(repos, step.items)
            note_forgetting(repos, scope.agent_ids(), by.at)
            if then is not None:
                then(repos)
            return scope, indexes

        return self._store.write(work)

    def resume(self) -> None:
        """Resume what a kill interrupted; it is already hidden."""
        pieces = unfinished(self._store)
        if not pieces:
            return
        with self._store.making_room(self._drop_all_copies):
            for piece, mark in pieces:
                log.info("going on with an interrupted forgetting")
                piece.resume(mark)
            self._store.checkpoint()
        self._drop_all_copies()

    def _drop_all_copies(self) -> None:
        self._store.drop_former_copies()
        self._drop_copies()

    def _prove(self, scope: Scope) -> Proof:
        phrases = choose_phrases(scope.texts())
        return prove(self._store, phrases, sorted(scope.agent_ids()))

    def _tell(self, scope: Scope, indexes: Touched) -> None:
        if self._indexing is not None:
            for (agent_id, kind), seqs in indexes.gone.items():
                self._indexing.forget(agent_id, kind, seqs)
            for (agent_id, kind), seqs in indexes.changed.items():
                self._indexing.note(agent_id, kind, seqs)
        for agent_id in sorted(scope.agent_ids()):
            self._events.publish(MemoryChanged(agent_id, ("fact", "episode", "entity", "turn")))
        if scope.identity or scope.changed_identity or any(fact.tier == "always" for fact in scope.facts.values()):
            self._events.publish(MemoryChanged(None, ("identity",)))
        for agent_id in sorted({turn.agent_id for turn in scope.turns.values()} | scope.agents.keys()):
            self._events.publish(ConversationsChanged(agent_id))
        if scope.turns or scope.agents:
            self._events.publish(PendingChanged())
        if scope.cut_instructions and scope.instructions:
            self._events.publish(AgentsChanged())
            for agent_id in sorted({one.key[0] for one in scope.instructions if one.kind == "chat"}):
                self._events.publish(ConversationsChanged(agent_id))


def _is_small(scope: Scope, copies: Copies) -> bool:
    """Whether it fits in one short transaction."""
    rows = len(scope.refs()) + len(scope.receipts) + len(scope.marks)
    rows += len(scope.changed_facts) + len(scope.changed_episodes) + len(scope.changed_identity)
    rows += len(copies.receipts) + len(copies.threads) + sum(len(seqs) for seqs in copies.rows.values())
    return not scope.agents and rows <= _SMALL
