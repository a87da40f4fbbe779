"""Where secrets are read from, and that they are removed there."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace

import pytest

from memdesk.cli.secrets import secret_from
from memdesk.errors import BadRequestError

SHOWN = """
import sys
from argparse import Namespace
from pathlib import Path
from memdesk.cli.secrets import secret_from
environ = Path("/proc/self/environ")
assert b"very secret" in environ.read_bytes()
assert secret_from(Namespace(token_env="NAME"), "token") == "very secret"
print(b"very secret" in environ.read_bytes())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc is Linux's")
def test_a_secret_from_a_variable_is_gone_from_where_the_system_shows_it():
    done = subprocess.run(
        [sys.executable, "-c", SHOWN],
        env={**os.environ, "NAME": "very secret"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"


def test_a_secret_is_read_from_a_private_file(tmp_path):
    file = tmp_path / "secret"
    file.write_text("pass phrase\n", encoding="utf-8")
    file.chmod(0o600)
    assert secret_from(Namespace(passphrase_file=str(file)), "passphrase") == "pass phrase"


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_a_file_that_others_may_read_is_refused(tmp_path):
    file = tmp_path / "secret"
    file.write_text("pass phrase\n", encoding="utf-8")
    file.chmod(0o644)
    with pytest.raises(BadRequestError, match="Others may read"):
        secret_from(Namespace(passphrase_file=str(file)), "passphrase")


def test_a_secret_that_is_named_twice_is_refused():
    with pytest.raises(BadRequestError, match="--token-env and --token-fd"):
        secret_from(Namespace(token_env="NAME", token_fd=3, token_file=None), "token")


def test_a_secret_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BadRequestError, match="cannot be read"):
        secret_from(Namespace(token_file=str(tmp_path / "none")), "token")
    assert secret_from(Namespace(token_file=None), "token") is None
