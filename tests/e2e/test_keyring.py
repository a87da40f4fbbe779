"""With a real Secret Service: no prompt at start; and after a lost keyring a prompt for the recovery code."""

import os
import re
import shlex
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.keyring]

#: A session bus of its own, with gnome-keyring unlocked by an empty password, around one command.
IN_SESSION = "printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null; {}"


def in_session(home, command: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command in a desktop session of its own, whose keyring lies below ``home``."""
    return run(home, ["dbus-run-session", "--", "sh", "-c", IN_SESSION.format(command)])


def run(home, command: list[str], **extra: str) -> subprocess.CompletedProcess[str]:
    runtime = home / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    hidden = {"PYTHON_KEYRING_BACKEND", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY"}
    inherited = {name: value for name, value in os.environ.items() if name not in hidden}
    environment = {**inherited, "XDG_RUNTIME_DIR": str(runtime), **extra}
    return subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def memdesk(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "memdesk", *arguments]


def test_the_key_is_kept_by_the_session_and_a_lost_keyring_is_opened_by_the_recovery_code(home):
    first = shlex.join(memdesk("facts", "add", "Ada keeps bees"))
    second = shlex.join(memdesk("search", "bees"))
    done = in_session(home, f"{first} && {second}")
    assert done.returncode == 0, done.stderr
    assert "Ada keeps bees" in done.stdout
    code = re.search(r"^ {4}(\S+)$", done.stderr, re.MULTILINE)[1]

    # The same machine without its keyring: locked, told in words, and nothing is damaged by asking.
    null = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    locked = run(home, memdesk("search", "bees"), **null)
    assert locked.returncode == 5, locked.stderr
    assert "recovery code" in locked.stderr
    opened = run(home, memdesk("search", "bees", "--recovery-code-env", "CODE"), CODE=code, **null)
    assert opened.returncode == 0, opened.stderr
    assert "Ada keeps bees" in opened.stdout
    wrong = run(home, memdesk("search", "bees", "--recovery-code-env", "CODE"), CODE=code[::-1], **null)
    assert wrong.returncode == 5, wrong.stderr
    check = run(home, memdesk("vault", "check", "--recovery-code-env", "CODE"), CODE=code, **null)
    assert check.returncode == 0, check.stderr
