"""``memdesk doctor``: is this installation complete, does the vault open, do the models work?"""

import argparse
import importlib.metadata
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from memdesk import __version__
from memdesk.cli.backend import connect, paths_of, running
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_wrapped
from memdesk.cli.secrets import given_passphrase
from memdesk.errors import EnvironmentFault, LockedError, MemdeskError, MissingPartError
from memdesk.settings.paths import ProfilePaths

State = Literal["ok", "warn", "fail"]
LOW_DISK_BYTES = 1_000_000_000
LIBRARIES = ("llama-cpp-python", "sentence-transformers", "onnxruntime", "sqlcipher3", "PySide6-Essentials", "fastapi")
#: Optional libraries, with the extra that installs each.
OPTIONAL = {"PySide6-Essentials": "desktop", "llama-cpp-python": "local", "sentence-transformers": "torch"}


@dataclass(frozen=True, slots=True)
class Check:
    """One finding."""

    name: str
    state: State
    message: str
    hint: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    model = actions.add_parser("model", help="self-test: can this model digest a small known session correctly?")
    model.add_argument("id", nargs="?", help="model id; left out: the core model")
    actions.add_parser("paths", help="print where everything of this profile is kept")


def run(options: argparse.Namespace) -> int:
    if options.action == "model":
        return _model(options)
    if options.action == "paths":
        return _paths(options)
    found: list[Check] = []
    for check in _all(options):
        found.append(check)
        if not options.json:
            _print(check)
    if options.json:
        print_json([asdict(check) for check in found])
    return Exit.FAILED if any(check.state == "fail" for check in found) else Exit.OK


def _print(check: Check) -> None:
    mark = {"ok": "ok  ", "warn": "note", "fail": "FAIL"}[check.state]
    print(f"{mark}  {check.name}: {check.message}", flush=True)
    if check.hint and check.state != "ok":
        print_wrapped(check.hint, indent="      ")


def _all(options: argparse.Namespace) -> Iterator[Check]:
    paths = paths_of(options)
    yield Check("memdesk", "ok", f"{__version__}, Python {platform.python_version()}, {platform.platform()}")
    yield from _libraries()
    yield from _folders(paths)
    yield _settings(paths)
    yield _keyring()
    yield _drill()
    owner = running(paths)
    if owner is not None:
        yield Check("instance", "ok", f"running at {owner.url} (process {owner.pid}); it owns the memory")
    else:
        yield _memory(options, paths)
    yield from _models(paths)
    yield _language()


def _libraries() -> Iterator[Check]:
    for name in LIBRARIES:
        try:
            yield Check(name, "ok", importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield _missing(name)


def _missing(distribution: str) -> Check:
    """Return what a missing library means: without an optional one the rest works."""
    extra = OPTIONAL.get(distribution)
    if extra is None:
        return Check(distribution, "fail", "is not installed", "python3 packaging/bootstrap.py install")
    return Check(distribution, "warn", "is not installed", MissingPartError.remedy(extra))


def _folders(paths: ProfilePaths) -> Iterator[Check]:
    for name in ("data", "config", "cache", "log", "models"):
        folder: Path = getattr(paths, name)
        existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
        if not os.access(existing, os.W_OK):
            yield Check(f"{name} folder", "fail", f"{folder} cannot be written to", "Choose another with --home DIR.")
        else:
            yield Check(f"{name} folder", "ok", str(folder))
    existing = next(parent for parent in (paths.data, *paths.data.parents) if parent.exists())
    free = shutil.disk_usage(existing).free
    state: State = "ok" if free > LOW_DISK_BYTES else "warn"
    yield Check("disk", state, f"{free / 1e9:.1f} GB free", "Free some space: a full disk stops the memory.")


def _settings(paths: ProfilePaths) -> Check:
    from memdesk.settings.store import SettingsStore

    return _guard("settings", lambda: SettingsStore(paths.config).load() and "readable")


def _keyring() -> Check:
    from memdesk.bootstrap import profile

    if profile.keyring_available():
        try:
            kept = profile.keyring_keeps()
        except EnvironmentFault as fault:
            return Check("keyring", "warn", fault.message, fault.hint)
        if kept:
            return Check("keyring", "ok", "the system's keyring keeps what it is given")
        return Check(
            "keyring",
            "fail",
            "the system's keyring answers, but keeps nothing",
            "Set a passphrase: memdesk vault set-passphrase",
        )
    hint = "Without it memdesk asks for a passphrase at each start; a server takes it from --passphrase-file FILE."
    return Check("keyring", "warn", "no system keyring answers", hint)


def _drill() -> Check:
    """Create a vault, lose the keyring, and open it with the recovery code, which users rely on."""
    from memdesk.bootstrap import profile

    secret = "a passphrase of the drill"  # noqa: S105 -- opens a vault that lives for a second

    def drill() -> str:
        with tempfile.TemporaryDirectory(prefix="memdesk-drill-") as folder:
            vault = profile.vault_at(Path(folder) / "vault.json")
            _, other_code = profile.vault_at(Path(folder) / "other.json").create(secret)
            key, code = vault.create(secret)
            opened = vault.open(recovery_code=code) == key and vault.open(passphrase=secret) == key
            if not opened or vault.verify_recovery(other_code):
                raise LockedError("A vault made here does not open with its own recovery code alone.")
        return "a throw-away vault opens with its recovery code and its passphrase, and with no other"

    return _guard("vault drill", drill)


def _memory(options: argparse.Namespace, paths: ProfilePaths) -> Check:
    from memdesk.bootstrap import profile

    if not paths.vault.exists():
        return Check("memory", "ok", "none yet; it is made at the first start")

    def look() -> str:
        key = profile.profile_vault(paths).open(passphrase=given_passphrase(options))
        store = profile.open_store(paths.database, key)
        try:
            with store.read() as repos:
                counts = repos.agents.fact_counts()
                return f"opens; {repos.turns.count():,} turns, {sum(counts.values()):,} facts"
        finally:
            store.close()

    return _guard("memory", look)


def _models(paths: ProfilePaths) -> Iterator[Check]:
    from memdesk.bootstrap import profile

    for info in profile.list_models(paths):
        if info.available:
            yield Check("model", "ok", f"{info.id} ({info.size_bytes / 1e6:.0f} MB)")
        else:
            yield Check("model", "warn", f"{info.id}: {info.problem or 'not available'}")


def _language() -> Check:
    from memdesk.bootstrap import profile

    return _guard("language", lambda: f"English is read, {profile.parse_a_sentence()} words of a sentence")


def _guard(name: str, look: Callable[[], object]) -> Check:
    try:
        return Check(name, "ok", str(look()))
    except MemdeskError as error:
        return Check(name, "fail", f"{error.title}: {error.message}", error.hint)


def _paths(options: argparse.Namespace) -> int:
    paths = paths_of(options)
    result = {name: str(getattr(paths, name)) for name in ("data", "config", "cache", "log", "models")}
    if options.json:
        print_json(result)
    else:
        for name, folder in result.items():
            print(f"{name:<7} {folder}")
    return Exit.OK


def _model(options: argparse.Namespace) -> int:
    with connect(options) as client:
        model_id = options.id or client.get("/memory/settings")["coreModel"]
        note(f"Asking {model_id} to digest a small known session; this can take a few minutes.")
        grade = client.post("/memory/models/test", {"model_id": model_id}, timeout=None)
    if options.json:
        print_json(grade)
    else:
        print(f"{grade['model_id']}: {grade['grade']}, {grade['score']:.0%} of the points in {grade['seconds']:.0f} s")
        for line in (grade["message"], *grade["problems"]):
            print_wrapped(line, indent="  ")
    return Exit.OK if grade["grade"] == "writes" else Exit.PARTIAL
