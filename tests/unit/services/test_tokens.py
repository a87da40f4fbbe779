"""Tokens: issued once, kept as a hash, checked in constant time."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace

import pytest

from memdesk.errors import BadRequestError, LockedError, NotFoundError
from memdesk.services.guarding.tokens import ALL_SCOPES, PRIVATE, hash_secret
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@pytest.fixture
def store(parts):
    return parts.store


@pytest.fixture
def tokens(parts):
    return parts.services.tokens


def test_a_token_has_every_scope_unless_said_otherwise(tokens):
    token, secret = tokens.create("phone")
    assert (token.scopes, token.agents, token.expires_at) == (ALL_SCOPES[:-1], (), None)
    assert ALL_SCOPES[-1] == PRIVATE
    assert secret.startswith("mdk-")
    assert token.secret_hash == hash_secret(secret)
    assert tokens.check(secret).id == token.id
    assert tokens.check(secret + "x") is None
    assert tokens.check("") is None
    assert tokens.check("\udcff") is None


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("", {}),
        ("x" * 101, {}),
        ("a", {"scopes": []}),
        ("a", {"scopes": ["root"]}),
        ("a", {"agents": ["ana", " "]}),
        ("a", {"agents": []}),
        ("a", {"days": 0}),
        ("a", {"days": -1}),
    ],
)
def test_what_makes_no_token(tokens, name, more):
    with pytest.raises(BadRequestError):
        tokens.create(name, **more)
    assert tokens.all() == []


def test_a_checked_token_is_known_without_reading(tokens, store):
    one, secret = tokens.create("one")
    assert tokens.recognize(secret) is None
    tokens.check(secret)
    store.close()
    assert tokens.recognize(secret).id == one.id


def test_revoked_tokens_end_at_once(tokens):
    one, secret = tokens.create("one")
    assert tokens.check(secret)
    tokens.revoke(one.id)
    assert tokens.check(secret) is None
    assert [(token.id, token.revoked) for token in tokens.all()] == [(one.id, True)]
    with pytest.raises(NotFoundError):
        tokens.revoke("gone")


def test_last_use_is_written_at_most_once_a_minute(tokens, parts, monkeypatch):
    _, secret = tokens.create("phone")
    now = parts.services.clock.now()
    monkeypatch.setattr(tokens, "_clock", SimpleNamespace(now=lambda: now))
    writes = []
    monkeypatch.setattr(tokens, "_write_use", writes.append)
    done = Future()
    done.set_result(None)
    monkeypatch.setattr(tokens, "_lanes", SimpleNamespace(submit=lambda _lane, work: work() or done))
    for seconds in (0, 10, 50, 61, 70):
        moment = now + timedelta(seconds=seconds)
        monkeypatch.setattr(tokens, "_clock", SimpleNamespace(now=lambda moment=moment: moment))
        tokens.check(secret)
    assert len(writes) == 2


def test_a_revocation_is_not_undone_by_a_late_note_of_use(tokens):
    token, _ = tokens.create("phone")
    tokens.revoke(token.id)
    tokens._write_use(token)
    assert tokens.get(token.id).revoked is True


def test_a_secret_of_this_process_works_while_locked(tokens, parts):
    secret = tokens.issue_for_process(name="command line")
    _, stored = tokens.create("phone")
    parts.services.vault.lock()
    assert tokens.check(secret).name == "command line"
    with pytest.raises(LockedError):
        tokens.check(stored)
    with pytest.raises(BadRequestError):
        tokens.accept("", name="env")


def test_a_check_that_was_under_way_does_not_bring_a_revoked_token_back(tokens, store, monkeypatch):
    token, secret = tokens.create("notebook")
    reading = store.read

    @contextmanager
    def slow_read():
        # The revocation comes after the check has read the token, and before it keeps what it read.
        with reading() as repos:
            yield SimpleNamespace(tokens=SimpleNamespace(by_hash=lambda digest: stored_then_revoked(repos, digest)))

    def stored_then_revoked(repos, digest):
        found = repos.tokens.by_hash(digest)
        monkeypatch.setattr(store, "read", reading)
        tokens.revoke(token.id)
        return found

    monkeypatch.setattr(store, "read", slow_read)
    tokens.check(secret)
    assert tokens.check(secret) is None


def test_noting_the_last_use_does_not_take_a_revocation_back(tokens, store):
    token, secret = tokens.create("notebook")
    used = tokens.check(secret)
    tokens.revoke(token.id)
    tokens._write_use(used)
    assert tokens.get(token.id).revoked
    assert tokens.check(secret) is None
