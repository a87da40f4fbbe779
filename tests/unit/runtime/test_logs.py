"""The log keeps secrets and other people's words out."""

from __future__ import annotations

import logging
import sys

import pytest

from memdesk.errors import BadRequestError
from memdesk.runtime.logs import BACKUPS, LOG_FILE, redact, start_logging, stop_logging, tail
from memdesk.storage import recovery_code

SECRETS = [
    "mdk_" + "A1b2" * 10,
    "sk-proj-" + "Zz09" * 8,
    "Bearer abcdefghijkl",
    "0123456789abcdef" * 4,
    "ana@example.org",
]


def fail():
    try:
        int("my diagnosis is private")
    except ValueError as error:
        raise BadRequestError("my diagnosis is private, too") from error


@pytest.fixture
def handler(tmp_path):
    root, mine = logging.getLogger(), logging.getLogger("memdesk")
    levels = root.level, mine.level
    handler = start_logging(tmp_path)
    yield handler
    stop_logging(handler)
    root.setLevel(levels[0])
    mine.setLevel(levels[1])


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_are_replaced(secret):
    clean = redact(f"before {secret} after")
    assert secret not in clean
    assert clean.startswith("before")
    assert clean.endswith("after")


@pytest.mark.parametrize(
    "text", ["passphrase=hunter2", 'token: "hunter2"', "api_key = hunter2", "http://ana:hunter2@localhost:11434/v1"]
)
def test_values_of_secret_fields_are_replaced(text):
    assert "hunter2" not in redact(text)


def test_recovery_codes_are_replaced_however_they_are_written():
    for _ in range(20):
        code = recovery_code.generate()
        for text in (code, code.lower(), code.replace("-", " ")):
            assert redact(f"the code is {text}.") == "the code is [redacted]."


def test_plain_lines_stay():
    line = "2024-05-01 10:00:00,123 INFO MainThread memdesk.engines: embedder ready in 0.55 s, 199 MB, pid 4711"
    assert redact(line) == line


def test_file_holds_redacted_lines_and_no_foreign_words(tmp_path, handler):
    log = logging.getLogger("memdesk.test")
    log.info("token=%s", SECRETS[0])
    try:
        fail()
    except BadRequestError:
        log.info("it failed", exc_info=True)
    try:
        tmp_path.mkdir()
    except OSError:
        log.info("disk", exc_info=True)
    handler.flush()
    text = (tmp_path / LOG_FILE).read_text()
    assert SECRETS[0] not in text
    assert "diagnosis" not in text
    assert "BadRequestError" in text
    assert "ValueError" in text
    assert "test_logs.py" in text
    assert "File exists" in text
    assert tail(tmp_path, 1).endswith("File exists")


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_log_is_private_and_bounded(tmp_path, handler, monkeypatch):
    monkeypatch.setattr(handler, "maxBytes", 2000)
    log = logging.getLogger("memdesk.test")
    for number in range(300):
        log.info("line %d of many", number)
    files = list(tmp_path.glob(f"{LOG_FILE}*"))
    assert len(files) == BACKUPS + 1
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)


def test_tail_without_a_log(tmp_path):
    assert tail(tmp_path) == ""
