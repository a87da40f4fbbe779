"""API tokens: a secret is shown once, only its SHA-256 is stored."""

import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal, get_args

from memdesk.domain.models import ApiToken, new_id
from memdesk.errors import BadRequestError, MemdeskError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock, Lanes, Repositories, Store
from memdesk.services.events import EventBus, LockChanged, TokensChanged
from memdesk.services.guarding.reach import RowKind, check_reach
from memdesk.services.moments import now_ms

log = logging.getLogger(__name__)

TokenScope = Literal["chat", "memory:read", "memory:write", "admin", "memory:private"]
ALL_SCOPES: Final[tuple[str, ...]] = get_args(TokenScope)
#: Gives a program, whose model may be anywhere, local-only memory: only on explicit request.
PRIVATE: Final = "memory:private"
USUAL_SCOPES: Final = tuple(scope for scope in ALL_SCOPES if scope != PRIVATE)
#: Names of memdesk's own requests: the command line's, and those of "Try it" in the window.
COMMAND_LINE: Final = "command line"
TRY_IT: Final = "Try it"
#: Name of requests without a token, where the user allows them on this machine.
TOKENLESS: Final = "without a token"
SECRET_PREFIX: Final = "mdk-"  # noqa: S105 - how a secret begins, not one
#: ``last_used`` is for people; writing it more often than this would cost an fsync per request.
LAST_USED_EVERY: Final = timedelta(seconds=60)


@dataclass(slots=True)
class _Known:
    token: ApiToken
    #: whether ``last_used`` was written since this process started.
    written: bool = False


def hash_secret(secret: str) -> bytes:
    """Return the SHA-256 of a secret, which is all that is stored of it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def new_secret() -> str:
    """Return a new secret, of 256 random bits."""
    return SECRET_PREFIX + secrets.token_urlsafe(32)


class TokensService:
    """Issues, checks and revokes tokens for clients of the local server. Thread-safe.

    Unknown ids raise ``NotFoundError``.
    """

    def __init__(self, *, store: Store, clock: Clock, lanes: Lanes, events: EventBus) -> None:
        self._store = store
        self._clock = clock
        self._lanes = lanes
        self._events = events
        self._lock = threading.Lock()
        self._known: dict[bytes, _Known] = {}
        self._accepted: list[ApiToken] = []
        #: Counts revocations and locks: a check's result from before one must not be cached after it.
        self._epoch = 0
        events.subscribe(LockChanged, lambda _event: self.forget_checked())

    def all(self) -> list[ApiToken]:
        """Return the stored tokens, newest first, revoked ones included."""
        with self._store.read() as repos:
            tokens = repos.tokens.all()
        with self._lock:
            fresh = {known.token.id: known.token.last_used for known in self._known.values()}
        tokens = [replace(token, last_used=fresh.get(token.id) or token.last_used) for token in tokens]
        return sorted(tokens, key=lambda token: token.created_at, reverse=True)

    def get(self, token_id: str) -> ApiToken:
        for token in self.all():
            if token.id == token_id:
                return token
        raise NotFoundError(say("There is no such token."))

    def create(
        self,
        name: str,
        scopes: Sequence[str] | None = None,
        agents: Sequence[str] | None = None,
        days: int | None = None,
    ) -> tuple[ApiToken, str]:
        """Issue a token and return it with its secret, which cannot be shown again.

        Without ``scopes`` it has all but ``memory:private``; without ``agents`` it reaches all (an empty list does
        not); without ``days`` it never expires.

        Raises:
            BadRequestError: no name, no or an empty agent, an unknown scope, or a non-positive lifetime.
        """
        name = name.strip()
        chosen = tuple(dict.fromkeys(USUAL_SCOPES if scopes is None else scopes))
        unknown = sorted(set(chosen) - set(ALL_SCOPES))
        if not name or len(name) > 100:
            raise BadRequestError(say("A token needs a name of 1 to 100 characters."))
        if unknown or not chosen:
            raise BadRequestError(
                say("Unknown scope: {join}.", join=", ".join(unknown))
                if unknown
                else say("A token needs at least one scope."),
                hint=say("Scopes are {join}.", join=", ".join(ALL_SCOPES)),
            )
        if agents is not None and not (agents and all(agent.strip() for agent in agents)):
            raise BadRequestError(
                say("The agent is empty."), hint=say("Leave the agent out for a token that reaches all agents.")
            )
        if days is not None and not 1 <= days <= 36_500:
            raise BadRequestError(say("A token can be valid for 1 to 36500 days, or forever."))
        secret = new_secret()
        now = now_ms(self._clock)
        token = ApiToken(
            id=new_id(),
            name=name,
            secret_hash=hash_secret(secret),
            scopes=chosen,
            agents=tuple(dict.fromkeys(agents or ())),
            created_at=now,
            expires_at=None if days is None else now + timedelta(days=days),
        )
        self._store.write(lambda repos: repos.tokens.put(token))
        self._events.publish(TokensChanged())
        return token, secret

    def accept(self, secret: str, *, name: str, scopes: Sequence[str] = USUAL_SCOPES) -> ApiToken:
        """Accept a secret from the user (``--token-env``) while this process runs; nothing is stored.

        Raises:
            BadRequestError: the secret is empty.
        """
        if not secret:
            raise BadRequestError(
                say("The token for {name} is empty.", name=name),
                hint=say("Put a long random text in that variable, then start again."),
            )
        token = ApiToken(
            id=f"process:{name}",
            name=name,
            secret_hash=hash_secret(secret),
            scopes=tuple(scopes),
            created_at=now_ms(self._clock),
        )
        with self._lock:
            self._accepted = [known for known in self._accepted if known.id != token.id] + [token]
        return token

    def issue_for_process(self, *, name: str) -> str:
        """Create a secret that is valid until this process ends, and never stored; for our own command line."""
        secret = new_secret()
        self.accept(secret, name=name, scopes=ALL_SCOPES)
        return secret

    def revoke(self, token_id: str) -> ApiToken:
        """Revoke a token at once. The row stays, so that the activity log keeps its name."""

        def work(repos: Repositories) -> ApiToken:
            stored = next((token for token in repos.tokens.all() if token.id == token_id), None)
            if stored is None:
                raise NotFoundError(say("There is no such token."))
            revoked = replace(stored, revoked=True)
            repos.tokens.put(revoked)
            return revoked

        token = self._store.write(work)
        self._drop_known(token_id)
        self._events.publish(TokensChanged())
        return token

    def check(self, secret: str) -> ApiToken | None:
        """Return the token of a secret, or None if it is unknown, revoked or expired.

        The secret is hashed before anything is compared, and hashes are compared in constant time, so
        the timing reveals nothing about a stored secret.

        Raises:
            LockedError: the vault is locked and the secret is not one of this process.
        """
        if (token := self.recognize(secret)) is not None:
            return token
        digest = hash_secret(secret)
        with self._lock:
            epoch = self._epoch
        with self._store.read() as repos:
            stored = repos.tokens.by_hash(digest)
        if stored is None or not hmac.compare_digest(stored.secret_hash, digest):
            return None
        return self._used(digest, _Known(stored), epoch)

    def recognize(self, secret: str) -> ApiToken | None:
        """Return the token of a secret as :meth:`check` does, if that is known without reading the store."""
        digest = hash_secret(secret)
        with self._lock:
            epoch = self._epoch
            matches = [token for token in self._accepted if hmac.compare_digest(token.secret_hash, digest)]
            known = self._known.get(digest)
        if matches or known is None:
            return matches[0] if matches else None
        return self._used(digest, known, epoch)

    def _used(self, digest: bytes, known: _Known, epoch: int) -> ApiToken | None:
        if not self._is_live(known.token):
            return None
        self._note_use(digest, known, epoch)
        return known.token

    def is_valid(self, token: ApiToken) -> bool:
        """Whether a previously accepted token is still valid: for long answers.

        Raises:
            LockedError: the vault is locked and the token is not one of this process.
        """
        with self._lock:
            if any(token.id == known.id for known in self._accepted):
                return True
        with self._store.read() as repos:
            stored = repos.tokens.by_hash(token.secret_hash)
        return stored is not None and self._is_live(stored)

    def check_rows(self, token: ApiToken, kind: RowKind, ids: Iterable[str]) -> None:
        """Refuse rows outside the token's agents.

        Raises:
            NotFoundError: one of them does not exist or belongs to another agent; the error does not say which.
        """
        check_reach(self._store, token.agents or None, kind, ids)

    def forget_checked(self) -> None:
        """Clear the cache of stored tokens (the vault was locked or restored)."""
        with self._lock:
            self._epoch += 1
            self._known.clear()

    def _is_live(self, token: ApiToken) -> bool:
        return not token.revoked and (token.expires_at is None or token.expires_at > now_ms(self._clock))

    def _drop_known(self, token_id: str) -> None:
        with self._lock:
            self._epoch += 1
            self._known = {digest: known for digest, known in self._known.items() if known.token.id != token_id}

    def _note_use(self, digest: bytes, known: _Known, epoch: int) -> None:
        now = now_ms(self._clock)
        with self._lock:
            if epoch != self._epoch:
                # Revoked, or locked, while this check ran: its result must not be cached for the next one.
                return
            last = known.token.last_used
            due = not known.written or last is None or now - last >= LAST_USED_EVERY
            if due:
                known.token = replace(known.token, last_used=now)
                known.written = True
            self._known[digest] = known
        if due:
            self._lanes.submit("background", lambda: self._write_use(known.token)).add_done_callback(_log_failure)

    def _write_use(self, token: ApiToken) -> None:
        def work(repos: Repositories) -> None:
            # Read in the writing transaction: read before it, a revocation in between would be undone.
            stored = repos.tokens.by_hash(token.secret_hash)
            if stored is not None:
                repos.tokens.put(replace(stored, last_used=token.last_used))

        self._store.write(work)


def _log_failure(done: Future[None]) -> None:
    if done.cancelled():
        return
    error = done.exception()
    if isinstance(error, MemdeskError):
        log.info("a token's last use was not written: %s", error.code)
    elif error is not None:
        log.error("a token's last use was not written", exc_info=error)
