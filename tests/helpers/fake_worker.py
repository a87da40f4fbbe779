"""A tiny engine for the supervisor's tests; runs in a real child process."""

from __future__ import annotations

import os
import time
from pathlib import Path

from memdesk.errors import ContextOverflowError, ModelMissingError


class FakeWorker:
    """Counts, sleeps, hangs and dies on request."""

    def __init__(self, config):
        self._log = config.get("log")
        if config.get("fail_start") == "typed":
            raise ModelMissingError("no such model", hint="choose another")
        if config.get("fail_start") == "die":
            os._exit(7)
        if config.get("fail_start") == "hang":
            time.sleep(600)
        if config.get("noise"):
            os.write(1, b"native noise on standard output\n")

    def info(self):
        return {"pid": os.getpid(), "modules": sorted(m for m in _HEAVY if m in __import__("sys").modules)}

    def may_pause(self):
        return True

    def handle(self, op, args, blob, cancelled):
        self._note(op, args)
        if op == "echo":
            yield {"args": args, "stats": {"tokens_per_second": 12.5}}, blob
        elif op == "count":
            for n in range(args["n"]):
                if cancelled():
                    return
                time.sleep(args.get("pause", 0.02))
                while n and not Path(args.get("until", "/")).exists():
                    time.sleep(0.01)
                yield {"n": n}, b""
        elif op == "beats":
            for _ in range(args["n"]):
                time.sleep(args["pause"])
                yield None
            yield {"ok": True}, b""
        elif op == "hang":
            time.sleep(600)
        elif op == "die":
            yield {"n": 0}, b""
            os._exit(11)
        elif op == "typed":
            raise ContextOverflowError("too long", hint="shorten it")
        elif op == "foreign":
            raise ValueError("what")
        yield from ()

    def _note(self, op, args):
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as out:
                out.write(f"{op} {args.get('name', '')}\n")


_HEAVY = ("numpy", "torch", "llama_cpp", "onnxruntime", "PySide6", "pydantic", "fastapi")
