"""Set up and start memdesk from a checkout. Standard library only; Linux, macOS and Windows.

    python3 packaging/bootstrap.py run        the window (the server when there is no display)
    python3 packaging/bootstrap.py serve      the server alone
    python3 packaging/bootstrap.py test       everything that has to pass
    python3 packaging/bootstrap.py -- ARGS    any other command, for example: -- doctor

What follows ``--`` is passed on. The first run makes ``.venv`` and installs into it (the model engine is
compiled, which takes minutes); an interrupted run goes on where it stopped; later runs start at once.
"""

from __future__ import annotations

import argparse
import ast
import collections
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import machine

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "memdesk-installed"
LOG = VENV / "memdesk-install.log"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
ENGINE = "llama-cpp-python"
#: What pip installs: packages that are compiled here, whose builds pip keeps, and uv, which installs the rest in a
#: tenth of pip's time.
BY_PIP = (ENGINE, "hnswlib", "uv")
#: Settings of pip that uv does not read, with its own names for them.
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_EXTRA_INDEX_URL",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "no-index": "UV_NO_INDEX",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}


def say(text: str) -> None:
    """Print a line for the person at the terminal; stdout belongs to the command that is started."""
    print(text, file=sys.stderr, flush=True)


def fingerprint() -> str:
    """Return what an installation depends on: the declared and the pinned packages, and this Python."""
    digest = hashlib.sha256(sys.version.encode())
    for path in (ROOT / "pyproject.toml", CONSTRAINTS):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def installed(extra: str) -> bool:
    """Whether the last installation finished, is current, and holds the ``extra`` asked for."""
    try:
        have = STAMP.read_text(encoding="utf-8").split()
    except OSError:
        return False
    return PYTHON.exists() and have[:1] == [fingerprint()] and have[1:] in ([extra], ["dev"])


class Live:
    """A line that shows what is going on and for how long; plain lines where there is no terminal."""

    def __init__(self, label: str, expect: str = "") -> None:
        self._label, self._expect, self._detail = label, expect, ""
        self._started = time.monotonic()
        self._done = threading.Event()
        self._tty = sys.stderr.isatty()
        self._thread = threading.Thread(target=self._run, name="live-line", daemon=True)

    def __enter__(self) -> Live:  # noqa: PYI034 -- typing.Self is newer than Pythons that must get as far as our words
        if not self._tty:
            say(f"{self._label}{self._expect}")
        self._thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._done.set()
        self._thread.join()
        word = "done" if kind is None else "failed"
        say(f"{self._clear()}{self._label}: {word} in {self._elapsed()}")

    def detail(self, text: str) -> None:
        """Show ``text`` behind the label from now on; an empty one keeps what is there."""
        self._detail = text or self._detail

    def _elapsed(self) -> str:
        seconds = int(time.monotonic() - self._started)
        return f"{seconds // 60}:{seconds % 60:02d}"

    def _clear(self) -> str:
        return "\r\x1b[K" if self._tty else ""

    def _run(self) -> None:
        pause = 0.2 if self._tty else 30.0
        while not self._done.wait(pause):
            line = f"{self._label}{self._expect} {self._elapsed()}  {self._detail}"
            if self._tty:
                width = shutil.get_terminal_size().columns - 1
                sys.stderr.write(self._clear() + line[:width])
                sys.stderr.flush()
            else:
                say(f"  {self._elapsed()}  {self._detail}")


def what_it_does(line: str) -> str:
    """Return the part of pip's or uv's output worth showing, or an empty string."""
    line = line.strip()
    for start in (
        "Collecting ",
        "Downloading ",
        "Building ",
        "Installing collected",
        "Preparing metadata",
        "Resolved ",
    ):
        if line.startswith(start):
            if start == "Installing collected":
                return f"Installing {line.count(',') + 1} packages"
            return line.split(" (from ")[0]
    return ""


def fetch(command: list[str], label: str, expect: str = "", **more: str) -> None:
    """Run an installer with a live line; its whole output goes to the log. ``more`` is for its environment.

    Raises:
        machine.MissingError: it failed; the text holds the end of its output and what helps.
    """
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PYTHONUNBUFFERED="1", **more)
    # Without this the engine is tuned to this very processor, and pip's cache hands it to the next one.
    environment.setdefault("CMAKE_ARGS", "-DGGML_NATIVE=OFF")
    tail: collections.deque[str] = collections.deque(maxlen=60)
    with LOG.open("a", encoding="utf-8") as log, Live(label, expect) as live:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                log.write(line)
                tail.append(line.rstrip())
                live.detail(what_it_does(line))
        except BaseException:  # the interrupt is passed on; only the child must not outlive us
            process.terminate()
            process.wait()
            raise
        if process.wait() != 0:
            text = "\n".join(tail)
            shown = "\n".join(list(tail)[-12:])
            raise machine.MissingError(f"{shown}\n\n{label} failed. {machine.explain(text)}\n  Full log: {LOG}")


def pip(arguments: list[str], label: str, expect: str = "") -> None:
    """Install with pip.

    Raises:
        machine.MissingError: it failed.
    """
    fetch([str(PYTHON), "-m", "pip", "install", "--no-input", "-c", str(CONSTRAINTS), *arguments], label, expect)


def uv(arguments: list[str], label: str, expect: str = "") -> None:
    """Install with uv, from where pip would.

    Raises:
        machine.MissingError: it failed.
    """
    command = [str(PYTHON), "-m", "uv", "pip", "install", "--python", str(PYTHON), "-c", str(CONSTRAINTS), *arguments]
    fetch(command, label, expect, **{"UV_INDEX_STRATEGY": "unsafe-best-match", **as_uv_says(pip_settings())})


def pip_settings() -> str:
    """Return pip's settings for installations, ``name='value'`` a line, those that overrule others last."""
    listing = [str(PYTHON), "-m", "pip", "config", "list"]
    lines = subprocess.run(listing, capture_output=True, text=True, check=False).stdout.splitlines()
    order = ("global.", "install.", ":env:.")
    return "\n".join(line for section in order for line in lines if line.startswith(section))


def as_uv_says(settings: str) -> dict[str, str]:
    """Return pip's settings as uv's environment; what is set for uv itself stays."""
    told = {}
    for line in settings.splitlines():
        name, _, value = line.partition("=")
        known = UV_NAMES.get(name.rpartition(".")[2])
        if known and known not in os.environ:
            # Lists are split at white space by pip; uv wants a comma between folders.
            told[known] = ("," if known == "UV_FIND_LINKS" else " ").join(str(ast.literal_eval(value)).split())
    return told


def has_package(name: str) -> bool:
    """Whether the environment holds a package already."""
    probe = [str(PYTHON), "-c", f"import importlib.metadata as m; m.version({name!r})"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def engine_at_hand() -> bool:
    """Whether the engine is installed, or pip has kept a build of it."""
    if has_package(ENGINE):
        return True
    listing = [str(PYTHON), "-m", "pip", "cache", "list", ENGINE.replace("-", "_")]
    found = subprocess.run(listing, capture_output=True, text=True, check=False)
    return ".whl" in found.stdout or bool(os.environ.get("PIP_FIND_LINKS"))


def install(extra: str) -> None:
    """Bring ``.venv`` up to date. Every step may be interrupted and run again."""
    machine.check_venv_module()
    STAMP.unlink(missing_ok=True)
    pip_works = PYTHON.exists() and has_package("pip")
    if not pip_works:
        with Live("Making .venv"):
            making = [sys.executable, "-m", "venv", "--clear", str(VENV)]
            made = subprocess.run(making, capture_output=True, text=True, check=False)
            if made.returncode != 0:
                raise machine.MissingError(f"{made.stdout}{made.stderr}\nPython could not make {VENV}.")
    LOG.write_text("", encoding="utf-8")
    at_hand = engine_at_hand()
    machine.check_compiler(at_hand)
    missing = [name for name in BY_PIP if not has_package(name)]
    if missing:
        expect = "" if at_hand else " (compiled here, 5 to 12 minutes, this once)"
        pip(["--no-deps", *missing], "[1/2] Model engine, llama.cpp", expect)
    rest, label = ["--editable", f"{ROOT}[{extra}]"], "[2/2] memdesk and its libraries"
    # Tests load what users need not; what they use of hundreds of packages is compiled when they first do.
    more = [] if extra == "dev" else ["--compile-bytecode"]
    try:
        uv([*rest, *more], label, " (about 1 GB, this once)")
    except machine.MissingError:
        # It may lack what this machine's pip has: a way through a proxy, a login of a company's index.
        pip(rest, f"{label}, by pip")
    # Ready-made byte code: where Python is told to write none, every start would compile the sources again.
    compiling = [str(PYTHON), "-m", "compileall", "-q", str(ROOT / "memdesk")]
    subprocess.run(compiling, cwd=ROOT, capture_output=True, check=False)
    STAMP.write_text(f"{fingerprint()} {extra}\n", encoding="utf-8")


def hand_over(arguments: list[str]) -> int:
    """Become the command (or, on Windows, run it) and return its exit code."""
    command = [str(PYTHON), *arguments]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606 -- signals and the terminal belong to the app from here on
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 130


def offer_system_packages() -> None:
    """Say which system packages the tests need and this machine lacks; install them where that is wanted.

    Wanted is what the person at the terminal answers, and always where ``CI`` is set. Without them the tests that
    need them are skipped, each with its reason.
    """
    missing = machine.missing_for_tests(PYTHON.exists() and engine_at_hand())
    if not missing:
        return
    packages = list(dict.fromkeys(missing.values()))
    say(f"The tests need system packages that are not installed here, for: {', '.join(missing)}.")
    say(f"  {machine.install_command(packages)}")
    wanted = bool(os.environ.get("CI"))
    if not wanted and sys.stdin.isatty():
        wanted = input("Install them now? [Y/n] ").strip().lower() in {"", "y", "yes"}
    if wanted and not machine.install_packages(packages):
        say("They could not be installed.")
    if machine.missing_for_tests(wheel_at_hand=True):
        say("Going on without them: the tests that need them will be skipped.")


def checks(arguments: list[str]) -> dict[str, list[str]]:
    """Return every check by name: the steps of ``poe check``, so that both commands run one list.

    Args:
        arguments: for pytest.
    """
    import tomllib  # not in the Pythons that only get as far as our words

    tasks = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["poe"]["tasks"]
    steps: dict[str, list[str]] = {}
    for name in tasks["check"]:
        task = tasks[name]
        commands = [task] if isinstance(task, str) else [part["cmd"] for part in task]
        for number, command in enumerate(commands, start=1):
            more = arguments if command.startswith("pytest") else []
            if more and "--cov" in command:
                more = ["--no-cov", *more]  # a part of the tests covers a part of the code
            steps[name if len(commands) == 1 else f"{name} {number}"] = [*shlex.split(command), *more]
    return steps


#: What makes pytest repeat the tests that failed, one by one; without any it fails. The coverage of a few tests says
#: nothing, so it is not asked for again.
AGAIN = ["-n", "0", "--no-cov", "--last-failed", "--last-failed-no-failures=none"]


def test(arguments: list[str]) -> int:
    """Run every check, print how long each took, and return 1 when any failed.

    Tests that start whole apps share a busy machine. One that fails is run again by itself: what fails twice is a
    fault, what passes then is listed as flaky.
    """
    environment = dict(os.environ, HF_HUB_OFFLINE="1", PYTHONUNBUFFERED="1")
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    # A thousand processes are started, which would compile what they import each for itself.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    results: list[tuple[str, str, float]] = []
    for name, step in checks(arguments).items():
        say(f"\n== {name}: {' '.join(step)}")
        started = time.monotonic()
        command = [str(PYTHON.with_name(step[0] + PYTHON.suffix)), *step[1:]]

        def passes(*more: str, command: list[str] = command) -> bool:
            return subprocess.call([*command, *more], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL) == 0

        outcome = "ok" if passes() else "flaky" if step[0] == "pytest" and passes(*AGAIN) else "FAILED"
        results.append((name, outcome, time.monotonic() - started))
    say("\n== summary")
    for name, outcome, seconds in results:
        say(f"{outcome:<6}  {name:<14} {seconds:7.1f} s")
    return int(any(outcome == "FAILED" for _, outcome, _ in results))


def parse(argv: list[str]) -> tuple[str, list[str]]:
    """Split the command line into our command and what is passed on."""
    ours, passed = argv, []
    if "--" in argv:
        cut = argv.index("--")
        ours, passed = argv[:cut], argv[cut + 1 :]
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = "" if passed else "run"
    parser.add_argument("command", nargs="?", default=default, choices=["run", "serve", "test", "install", ""])
    return parser.parse_args(ours).command, passed


def main(argv: list[str]) -> int:
    """Do what the command line asks; the exit code is that of the command started."""
    command, passed = parse(argv)
    extra = "dev" if command == "test" else "desktop,local"
    try:
        machine.check_python()
        if command == "test":
            offer_system_packages()
        if not installed(extra):
            install(extra)
        if command == "run" and not machine.has_display():
            say("There is no display here, so the server is started instead of the window.")
            command = "serve"
        if command == "run":
            machine.check_qt()
    except machine.MissingError as missing:
        say(f"\n{missing}")
        return 3
    except KeyboardInterrupt:
        say("\nStopped. Run the same command again: it goes on where it stopped.")
        return 130
    if command == "install":
        return 0
    if command == "test":
        return test(passed)
    return hand_over(["-m", "memdesk", *{"run": ["gui"], "serve": ["serve"]}.get(command, []), *passed])


if __name__ == "__main__":
    if sys.version_info[:2] < machine.OLDEST_PYTHON:
        better = machine.newer_python()
        if better and os.name != "nt":
            os.execv(better, [better, *sys.argv])  # noqa: S606 -- the same script under a newer Python
    sys.exit(main(sys.argv[1:]))
