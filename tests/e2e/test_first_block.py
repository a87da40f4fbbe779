"""The first block of the README, pasted as it stands: a server in the background, and at once a token from it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import httpx
import pytest

from tests.helpers.server import environment

pytestmark = pytest.mark.e2e

BLOCK = """
serve() { "$PYTHON" -m memdesk --passphrase-env MEMDESK_TEST_PASSPHRASE serve --port 0 > "$OUT"; }
serve & SERVER=$!
TOKEN=$("$PYTHON" -m memdesk --passphrase-env MEMDESK_TEST_PASSPHRASE tokens create t)
echo "$TOKEN"
until grep -q ready "$OUT"; do sleep 0.1; done
cat "$OUT"
read -r _
pkill -TERM -P $SERVER || kill $SERVER
wait $SERVER
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_a_token_is_made_while_the_server_starts(home, tmp_path):
    shell = subprocess.Popen(
        ["sh", "-c", BLOCK],
        env=environment(PYTHON=sys.executable, OUT=str(tmp_path / "out"), MEMDESK_HOME=str(home / "memdesk")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with shell:
        try:
            token, ready = shell.stdout.readline().strip(), shell.stdout.readline()
            assert token.startswith("mdk-")
            url = ready.split('"url": "')[1].split('"')[0]
            answer = httpx.get(f"{url}/agents", headers={"Authorization": f"Bearer {token}"}, timeout=60)
            assert answer.status_code == 200
            shell.stdin.write("\n")
            shell.stdin.flush()
            assert shell.wait(120) == 0
        finally:
            if shell.poll() is None:
                os.killpg(shell.pid, signal.SIGKILL)
