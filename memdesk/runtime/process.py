"""One child process: its pipe, its reader thread and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from memdesk.messages import say
from memdesk.ports import WorkerSpec
from memdesk.runtime.child import WORKER_FLAG
from memdesk.runtime.frames import read_frame, write_frame

Frame = tuple[dict[str, Any], bytes]

#: On Windows, an unhandled exception's code becomes the exit code; error codes start here.
_WINDOWS_FAULT = 0xC0000000
#: Set to see what native engines print; otherwise discarded, since it may contain prompts.
STDERR_VARIABLE = "MEMDESK_ENGINE_STDERR"


class ChildProcess:
    """A started engine process.

    One thread starts it, reads its frames and waits for its end. That thread lives exactly as long as the
    process does, which Linux needs: ``PR_SET_PDEATHSIG`` fires when the starting *thread* ends.

    Args:
        on_frame: called on the reader thread for each frame of a request.
        on_exit: called on the reader thread after the process has ended.
    """

    def __init__(
        self, spec: WorkerSpec, on_frame: Callable[[Frame], None], on_exit: Callable[[ChildProcess], None]
    ) -> None:
        self._spec = spec
        self._on_frame = on_frame
        self._on_exit = on_exit
        self._process: subprocess.Popen[bytes] | None = None
        self._usage: psutil.Process | None = None
        self._write_lock = threading.Lock()
        self._opened = threading.Event()
        self.settled = threading.Event()
        self.info: dict[str, Any] | None = None
        self.fatal: dict[str, str] | None = None
        self.exit_code: int | None = None
        self.wanted_end = False
        self.last_sign = time.monotonic()
        self._thread = threading.Thread(target=self._run, name=f"memdesk-engine-{spec.name}", daemon=True)

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and self.exit_code is None else None

    def start(self) -> None:
        """Start the process; ``settled`` is set when it is ready, or has ended before it was."""
        self._thread.start()

    def send(self, header: dict[str, Any], blob: bytes = b"") -> bool:
        """Write one frame; False if the process is gone."""
        process = self._process
        if process is None or process.stdin is None:
            return False
        try:
            with self._write_lock:
                write_frame(process.stdin, header, blob)  # type: ignore[arg-type]  # a buffered binary pipe
        except (OSError, ValueError):
            return False
        return True

    def kill(self, *, wanted: bool = True) -> None:
        """End the process at once. ``wanted``: this is not a crash."""
        self.wanted_end = self.wanted_end or wanted
        self._opened.wait(5.0)
        if self._process is not None:
            self._process.kill()

    def join(self, timeout: float) -> bool:
        """Wait for the process and its thread to end; return whether they did."""
        if threading.current_thread() is self._thread:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def rss_bytes(self) -> int:
        """Resident memory; 0 if it is not running."""
        pid = self.pid
        if pid is None:
            return 0
        try:
            if self._usage is None:
                # Making one reads when the process began, which takes longer than the reading.
                self._usage = psutil.Process(pid)
            return int(self._usage.memory_info().rss)
        except psutil.Error:
            return 0

    def reason(self) -> str:
        code = self.exit_code
        if code is None:
            return say("it is still running")
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
            words = {
                "SIGKILL": say("it was killed, perhaps because memory ran out"),
                "SIGSEGV": say("it crashed in native code"),
            }
            return words.get(name, say("it ended on signal {name}", name=name))
        if code >= _WINDOWS_FAULT:
            return say("it crashed in native code (0x{code:08X})", code=code)
        return say("it ended with code {code}", code=code)

    def _run(self) -> None:
        try:
            self._open()
            self._read()
        finally:
            self._finish()

    def _open(self) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603  # our own module, no shell, no outside words
                command(self._spec.target),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if os.environ.get(STDERR_VARIABLE) else subprocess.DEVNULL,
                env=_environment(self._spec),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            self.fatal = {"code": "environment_fault", "message": f"The engine cannot be started: {error.strerror}."}
            return
        finally:
            self._opened.set()
        self.last_sign = time.monotonic()
        self.send({"config": self._spec.config, "nice": self._spec.nice, "turn_seconds": self._spec.turn_seconds})

    def _read(self) -> None:
        process = self._process
        if process is None or process.stdout is None:
            return
        while (frame := read_frame(process.stdout)) is not None:  # type: ignore[arg-type]  # as above
            self.last_sign = time.monotonic()
            header = frame[0]
            if "ready" in header:
                self.info = header["ready"]
                self.settled.set()
            elif "fatal" in header:
                self.fatal = header["fatal"]
            elif "id" in header:
                self._on_frame(frame)

    def _finish(self) -> None:
        process = self._process
        if process is not None:
            # Closing our end makes a child that is still alive exit.
            with self._write_lock:
                for pipe in (process.stdin, process.stdout):
                    if pipe is not None:
                        _close_quietly(pipe)
            try:
                self.exit_code = process.wait(timeout=5.0)
            except subprocess.TimeoutExpired:
                process.kill()
                self.exit_code = process.wait()
        else:
            self.exit_code = 1
        self.settled.set()
        self._on_exit(self)


def _close_quietly(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:  # closing flushes, but the other end is gone
        return


def command(target: str) -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, WORKER_FLAG, target]
    return [sys.executable, "-P", "-m", "memdesk.runtime.child", target]


def _environment(spec: WorkerSpec) -> dict[str, str]:
    package_parent = str(Path(__file__).resolve().parents[2])
    inherited = os.environ.get("PYTHONPATH", "")
    return {**os.environ, **spec.env, "PYTHONPATH": os.pathsep.join(p for p in (package_parent, inherited) if p)}
