"""The key is there when it should be, and nobody else's."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor

import pytest

from memdesk.errors import BadRequestError, EnvironmentFault, LockedError
from memdesk.storage import wrapping
from memdesk.storage.errors import (
    MistypedRecoveryCodeError,
    NoKeyringError,
    PassphraseRequiredError,
    RecoveryRequiredError,
    VaultAbsentError,
    VaultDamagedError,
    VaultError,
    VaultExistsError,
    VaultMissingError,
    VaultNewerError,
    WrongPassphraseError,
    WrongRecoveryCodeError,
)
from memdesk.storage.vault import Vault
from memdesk.storage.vault_file import checksum
from memdesk.storage.wrapping import KdfCost

CHEAP = KdfCost(memory_kib=64, iterations=1, lanes=1)


class Keyring:
    """A keyring in memory that can be away, or refuse."""

    def __init__(self, *, there=True, refuses=False):
        self.there = there
        self.refuses = refuses
        self.kept = {}

    def available(self):
        return self.there

    def get(self, account):
        return self.kept.get(account)

    def set(self, account, secret):
        if self.refuses:
            raise EnvironmentFault("The keyring is locked.")
        self.kept[account] = secret

    def delete(self, account):
        self.kept.pop(account, None)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / "vault.json"


def vault(file, keyring=None):
    return Vault(file, Keyring() if keyring is None else keyring, cost=CHEAP)


def test_the_keyring_opens_it(file):
    keyring = Keyring()
    key, code = vault(file, keyring).create()
    assert len(key) == 32
    assert vault(file, keyring).open() == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]
    assert code.count("-") == 6


def test_a_lost_keyring_is_a_question_for_the_code_which_puts_the_key_back(file):
    key, code = vault(file).create()
    other = Keyring()
    with pytest.raises(RecoveryRequiredError) as caught:
        vault(file, other).open()
    assert isinstance(caught.value, LockedError)
    assert vault(file, other).open(recovery_code=code.lower().replace("-", " ")) == key
    assert vault(file, other).open() == key


def test_a_keyring_with_another_key_is_not_believed(file):
    keyring = Keyring()
    key, code = vault(file, keyring).create()
    for account in keyring.kept:
        keyring.kept[account] = "bm90IHRoZSBrZXk="
    with pytest.raises(RecoveryRequiredError):
        vault(file, keyring).open()
    for account in keyring.kept:
        keyring.kept[account] = "?"
    with pytest.raises(RecoveryRequiredError):
        vault(file, keyring).open()
    assert vault(file, keyring).open(recovery_code=code) == key


@pytest.mark.expect_log
def test_a_keyring_that_refuses_keeps_nobody_out(file, caplog):
    key, code = vault(file).create()
    refusing = Keyring(refuses=True)
    assert vault(file, refusing).open(recovery_code=code) == key
    assert "keyring" in caplog.text
    with pytest.raises(NoKeyringError):
        vault(file.with_name("other.json"), refusing).create()
    key, _code = vault(file.with_name("other.json"), refusing).create("with a passphrase")
    assert vault(file.with_name("other.json"), refusing).open(passphrase="with a passphrase") == key


def test_without_a_keyring_the_passphrase_opens_it(file):
    away = Keyring(there=False)
    with pytest.raises(NoKeyringError) as caught:
        vault(file, away).create()
    assert "passphrase" in caught.value.hint
    key, code = vault(file, away).create("Grün")
    with pytest.raises(PassphraseRequiredError):
        vault(file, away).open()
    assert vault(file, away).open(passphrase="Gru\u0308n") == key
    assert vault(file, away).open(recovery_code=code) == key
    with pytest.raises(WrongPassphraseError):
        vault(file, away).open(passphrase="grün")
    with pytest.raises(NoKeyringError):
        vault(file, away).set_passphrase(key, None)
    assert away.kept == {}


def test_a_passphrase_can_be_added_changed_and_taken_away(file):
    keyring = Keyring()
    made = vault(file, keyring)
    key, code = made.create()
    assert not made.has_passphrase()
    assert made.ways() == {"keyring"}
    with pytest.raises(WrongPassphraseError):
        made.open(passphrase="anything")
    made.set_passphrase(key, "first")
    made.set_passphrase(key, "second")
    assert made.has_passphrase()
    assert made.ways() == {"keyring", "passphrase"}
    keyring.there = False
    assert made.ways() == {"passphrase"}
    keyring.there = True
    with pytest.raises(WrongPassphraseError):
        made.open(passphrase="first")
    assert made.open(passphrase="second") == key
    assert made.open(recovery_code=code) == key
    made.set_passphrase(key, None)
    assert not made.has_passphrase()
    with pytest.raises(BadRequestError):
        made.set_passphrase(key, "")


def test_a_new_recovery_code_replaces_the_old_one(file):
    made = vault(file)
    key, old = made.create("words")
    new = made.new_recovery_code(key)
    assert made.verify_recovery(new)
    assert not made.verify_recovery(old)
    with pytest.raises(WrongRecoveryCodeError):
        made.open(recovery_code=old)
    assert made.open(recovery_code=new) == made.open(passphrase="words") == key


def test_a_slip_is_mended_and_more_is_told_apart_from_a_wrong_code(file):
    made = vault(file)
    key, code = made.create()
    slip = ("A" if code[0] != "A" else "B") + code[1:]
    assert made.open(recovery_code=slip) == key
    with pytest.raises(MistypedRecoveryCodeError):
        made.open(recovery_code="A" * 10 + code[10:])
    _other_key, other = vault(file.with_name("other.json")).create()
    with pytest.raises(WrongRecoveryCodeError):
        made.open(recovery_code=other)
    assert not made.verify_recovery("nonsense")


def test_only_the_vaults_own_key_can_change_it(file):
    made = vault(file)
    made.create()
    with pytest.raises(VaultError):
        made.new_recovery_code(bytes(32))


def test_no_vault_yet(file):
    assert not vault(file).exists()
    with pytest.raises(VaultAbsentError):
        vault(file).open()


def test_a_database_without_its_vault_is_an_alarm_and_no_new_vault_is_made_over_it(file):
    file.parent.mkdir()
    file.with_name("memory.db").write_bytes(b"somebody's memory")
    for call in (vault(file).exists, vault(file).create, vault(file).open):
        with pytest.raises(VaultMissingError):
            call()
    assert not file.exists()


def test_a_second_vault_is_not_made(file):
    vault(file).create()
    before = file.read_bytes()
    with pytest.raises(VaultExistsError):
        vault(file).create()
    assert file.read_bytes() == before


def _altered(change):
    def alter(data):
        body = json.loads(data)
        change(body)
        return json.dumps(body).encode()

    return alter


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda _data: b"",
        lambda _data: b"[]",
        lambda _data: b"[" * 100_000,
        lambda _data: b"\xff\xfe",
        _altered(lambda body: body.pop("slots")),
        _altered(lambda body: body.update(id="another")),
        _altered(lambda body: body["slots"]["recovery"].update(iterations=10**9)),
        _altered(lambda body: body["slots"].update(passphrase=body["slots"]["recovery"])),
    ],
)
def test_a_damaged_file_is_told_apart_from_a_wrong_code(file, damage):
    made = vault(file)
    _key, code = made.create()
    file.write_bytes(damage(file.read_bytes()))
    before = file.read_bytes()
    with pytest.raises(VaultDamagedError):
        made.open(recovery_code=code)
    with pytest.raises(VaultDamagedError):
        made.open()
    assert file.read_bytes() == before


def _with(*place, value=None, drop=False):
    """Return a change of one field of the file."""

    def change(body):
        *way, last = place
        for name in way:
            body = body[name]
        if drop:
            del body[last]
        else:
            body[last] = value

    return change


SLOT = ("slots", "recovery")
FORGED = {
    **{f"no {name}": _with(name, drop=True) for name in ("format", "id", "fingerprint", "slots")},
    **{
        f"no {name} of a slot": _with(*SLOT, name, drop=True)
        for name in ("kdf", "memory_kib", "iterations", "lanes", "salt", "nonce", "wrapped")
    },
    **{f"format {value!r}": _with("format", value=value) for value in (0, -1, 2, "1", "99", True, 1.0, None, [1])},
    **{f"id {value!r}": _with("id", value=value) for value in (None, 7, ["x"])},
    **{f"fingerprint {value!r}": _with("fingerprint", value=value) for value in (None, 7)},
    **{f"slots {value!r}": _with("slots", value=value) for value in (None, [], "x", {"recovery": None})},
    **{
        f"{name} {value!r}": _with(*SLOT, name, value=value)
        for name in ("memory_kib", "iterations", "lanes")
        for value in (0, -1, 1 << 30, 10**30, 1.5, "64", True, None)
    },
    "a gigabyte, 64 times": lambda body: body["slots"]["recovery"].update(memory_kib=1 << 20, iterations=64),
    **{
        f"{name} {value!r}": _with(*SLOT, name, value=value)
        for name in ("salt", "nonce", "wrapped")
        for value in ("", "AAAA", "A" * 4000, "?", 7, None)
    },
    "another way to derive": _with(*SLOT, "kdf", value="scrypt"),
    "a change to nothing": lambda body: body.update(format=2, next={}),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_what_we_never_write_is_refused_even_with_a_right_checksum(file, change, monkeypatch):
    keyring = Keyring()
    made = vault(file, keyring)
    key, code = made.create("a passphrase")
    true, kept = file.read_bytes(), dict(keyring.kept)
    body = json.loads(true)
    del body["checksum"]
    change(body)
    forged = json.dumps({**body, "checksum": checksum(body)}).encode()
    file.write_bytes(forged)
    derived = []
    monkeypatch.setattr(wrapping, "_derive", lambda *given: derived.append(given))
    uses = (
        made.open, made.has_passphrase, lambda: made.open("a passphrase"), lambda: made.open(recovery_code=code),
        lambda: made.verify_recovery(code), lambda: made.new_recovery_code(key), lambda: made.set_passphrase(key, "b"),
    )  # fmt: skip
    for use in uses:
        with pytest.raises(VaultDamagedError) as refused:
            use()
        assert str(refused.value)
    # Nothing was paid for: costs are looked at before a key is derived.
    assert not derived
    assert (file.read_bytes(), keyring.kept) == (forged, kept)
    monkeypatch.undo()
    file.write_bytes(true)
    assert made.open(recovery_code=code) == key


def test_two_values_of_one_name_are_refused(file):
    made = vault(file)
    _key, code = made.create("a passphrase")
    text = file.read_text()
    for name in ("id", "fingerprint", "checksum", "recovery", "wrapped"):
        twice = text.replace(f'"{name}":', f'"{name}": "", "{name}":', 1)
        assert json.loads(twice) == json.loads(text)
        file.write_text(twice)
        with pytest.raises(VaultDamagedError):
            made.open(recovery_code=code)
        assert file.read_text() == twice
    file.write_text(text)
    assert made.open(recovery_code=code)


@pytest.mark.parametrize("part", ["wrapped", "salt", "nonce"])
def test_parts_that_changed_places_open_nothing_and_change_nothing(file, part):
    made = vault(file)
    key, code = made.create("a passphrase")
    body = json.loads(file.read_bytes())
    del body["checksum"]
    one, other = body["slots"]["recovery"], body["slots"]["passphrase"]
    one[part], other[part] = other[part], one[part]
    file.write_text(json.dumps({**body, "checksum": checksum(body)}))
    before = file.read_bytes()
    with pytest.raises(WrongPassphraseError):
        made.open(passphrase="a passphrase")
    with pytest.raises(WrongRecoveryCodeError):
        made.open(recovery_code=code)
    assert file.read_bytes() == before
    # The keyring still has the key, with which new secrets are set.
    assert made.open() == key
    made.set_passphrase(key, "another")
    assert vault(file).open(passphrase="another") == key


def test_a_slot_does_not_work_under_another_name(file):
    """Moving the code's slot to the passphrase's place, checksum and all, opens nothing."""

    made = vault(file)
    _key, code = made.create()
    body = json.loads(file.read_bytes())
    del body["checksum"]
    body["slots"]["passphrase"] = body["slots"]["recovery"]
    file.write_text(json.dumps({**body, "checksum": checksum(body)}))
    with pytest.raises(WrongPassphraseError):
        made.open(passphrase=code.replace("-", "")[:25])


def test_a_newer_vault(file):
    made = vault(file)
    made.create()
    body = json.loads(file.read_bytes())
    file.write_text(json.dumps({**body, "format": 3}))
    with pytest.raises(VaultNewerError):
        made.open()


def test_a_crash_while_writing_leaves_the_old_vault(file, monkeypatch):
    from memdesk.settings import files

    made = vault(file)
    key, code = made.create()

    def crash(_descriptor):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(files.os, "fsync", crash)
    with pytest.raises(EnvironmentFault):
        made.new_recovery_code(key)
    monkeypatch.undo()
    assert made.open(recovery_code=code) == key
    assert list(file.parent.iterdir()) == [file]


def test_secrets_show_nowhere(file, caplog):
    caplog.set_level(logging.DEBUG)
    made = vault(file)
    key, code = made.create("my words")
    text = file.read_text() + repr(made) + repr(vars(made)) + caplog.text + repr(made._read())
    with pytest.raises(WrongPassphraseError) as caught:
        made.open(passphrase="not my words")
    text += str(caught.value) + repr(caught.value)
    for secret in (key.hex(), repr(key), code, code.replace("-", ""), "my words"):
        assert secret not in text


def test_a_vault_costs_to_guess_at_what_the_standard_recommends(file, monkeypatch):
    monkeypatch.setattr("memdesk.storage.vault.KdfCost", KdfCost)
    Vault(file, Keyring()).create("my words")
    slots = json.loads(file.read_text())["slots"]
    costs = [{name: slot[name] for name in ("kdf", "memory_kib", "iterations", "lanes")} for slot in slots.values()]
    assert costs == [{"kdf": "argon2id", "memory_kib": 64 * 1024, "iterations": 3, "lanes": 4}] * 2


def test_passphrases_that_are_tried_at_once_all_open_it(file):
    """OpenSSL has threads for one derivation alone: of two at once one failed, or both waited for ever."""
    key, _ = Vault(file, Keyring(), cost=KdfCost(memory_kib=64, iterations=1, lanes=4)).create(passphrase="all at once")
    with ThreadPoolExecutor(4) as pool:
        opened = pool.map(lambda _: Vault(file, Keyring()).open(passphrase="all at once"), range(200))
        assert set(opened) == {key}
