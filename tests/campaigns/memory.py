"""Counts copies of the key, the passphrase and remembered words in a locked process: ``python -m tests.campaigns.memory``.

Only Linux lets a process read its child's memory. The key, also in hex, and the passphrase must not be found; words are
only counted, as Python does not overwrite what it frees.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.campaigns.report import Report, options
from tests.helpers.server import environment

#: What goes to the child and comes from it is masked, so that the way itself leaves no copy.
MASK = 0x5A
CHILD = """
import sys
from pathlib import Path
from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.settings.paths import profile_paths
unmask = lambda line: bytes(b ^ 0x5A for b in bytes.fromhex(line.strip())).decode()
app = App(profile_paths(home=Path(sys.argv[1])), secrets=MemorySecrets(available=False), embedder=lambda: None)
app.open(unmask(sys.stdin.readline()))
services = app.services
services.settings.update("memory", {"extraction_mode": "rules"})
services.agents.ensure("default")
for number in range(int(sys.stdin.readline())):
    said = unmask(sys.stdin.readline())
    services.memories.add_fact(agent_id="default", content=said)
    services.recall.context(agent_id="default", query=said)
    del said
print(bytes(b ^ 0x5A for b in services.vault.key()).hex(), flush=True)
sys.stdin.readline()
services.vault.lock()
print("locked", flush=True)
sys.stdin.readline()
app.close()
"""


def _memory(pid: int) -> bytes:
    """Return what a process holds and could write."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            begin, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            if "r" in rights and "w" in rights:
                memory.seek(int(begin, 16))
                try:
                    found.append(memory.read(int(end, 16) - int(begin, 16)))
                except OSError:
                    continue  # a page of the system's own
    return b"\0".join(found)


def _masked(text: str) -> str:
    return bytes(byte ^ MASK for byte in text.encode()).hex()


def _counts(memory: bytes, key: bytes, passphrase: str, phrases: list[str]) -> dict[str, int]:
    spellings = {"key": key, "key in hex": key.hex().encode(), "passphrase": passphrase.encode()}
    counts = {name: memory.count(needle) for name, needle in spellings.items()}
    wide = [*(phrase.encode() for phrase in phrases), *(phrase.encode("utf-16-le") for phrase in phrases)]
    return counts | {"remembered phrases": sum(memory.count(phrase) for phrase in wide)}


def campaign(phrases: int, folder: Path) -> Report:
    """Remember, lock and look."""
    report = Report("memory")
    marked = [f"Marked{os.urandom(4).hex()} keeps quokkas in pen {number}." for number in range(phrases)]
    passphrase = f"passphrase {os.urandom(8).hex()}"
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        lines = [_masked(passphrase), str(len(marked)), *map(_masked, marked)]
        child.stdin.write("\n".join(lines) + "\n")
        child.stdin.flush()
        key = bytes(byte ^ MASK for byte in bytes.fromhex(child.stdout.readline().strip()))
        before = _counts(_memory(child.pid), key, passphrase, marked)
        child.stdin.write("lock\n")
        child.stdin.flush()
        assert child.stdout.readline() == "locked\n"
        after = _counts(_memory(child.pid), key, passphrase, marked)
        child.stdin.write("end\n")
    for name, number in after.items():
        wrong = name != "remembered phrases" and number > 0
        report.case(f"{name}: looked for", f"{number} copies of the {name} after locking" if wrong else "")
        report.figures[f"copies of {name}, open and locked"] = f"{before[name]} and {number}"
    return report


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(campaign(options(phrases=20).phrases, Path(scratch)).tell())
