"""Backups and imports by path, for our own command line: the files are on this machine."""

import asyncio
import json
import logging
import os
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, Field

from memdesk.api.auth import caller_of, needs
from memdesk.api.errors import body_of, internal_body
from memdesk.api.feature import feature
from memdesk.api.params import Body
from memdesk.api.plain import listed, plain, reply
from memdesk.api.streaming import Bridge, EventStream, StreamGoneError
from memdesk.errors import MemdeskError
from memdesk.services.container import Services
from memdesk.services.importing import ImportProgress, ImportReport

log = logging.getLogger(__name__)

#: By then an unreadable archive is known to be one.
FIRST_STEP_SECONDS: Final = 10.0
#: File systems' limit for one name in a path.
MAX_NAME_BYTES: Final = 255
MAX_PATH_BYTES: Final = 4000


def _whole(path: str) -> str:
    if len(os.fsencode(path)) > MAX_PATH_BYTES or any(
        len(os.fsencode(part)) > MAX_NAME_BYTES for part in Path(path).parts
    ):
        raise ValueError(f"no file has this name: names have at most {MAX_NAME_BYTES} bytes, paths {MAX_PATH_BYTES}")
    try:
        whole = Path(path).expanduser()
    except RuntimeError as error:
        raise ValueError("nobody on this machine has a folder of that name") from error
    if not whole.is_absolute():
        raise ValueError("give an absolute path; the server runs in another folder")
    return path


#: A path with the same meaning for server and client.
WholePath = Annotated[
    str,
    AfterValidator(_whole),
    Field(
        max_length=MAX_PATH_BYTES,
        description=f"An absolute path; names have at most {MAX_NAME_BYTES} bytes.",
        json_schema_extra={"pattern": r"^(~|/|[A-Za-z]:[/\\]|\\\\)[^\0]*$", "examples": ["/mnt/disk/today.zip"]},
    ),
]


class BackupBody(Body):
    """The target, and what opens it besides the recovery code."""

    path: WholePath
    passphrase: str | None = None


class ExportBody(Body):
    """The target."""

    path: WholePath


class ImportBody(Body):
    """A file, a ZIP archive or a folder of chats."""

    path: WholePath
    agent_id: str = "default"
    dry_run: bool = False
    skip_extraction: bool = False


@feature("work", needs("admin", whole=True))
def router(routes: APIRouter, services: Services) -> None:
    @routes.post("/memory/backup", summary="Write an encrypted backup to a path on this machine")
    def backup(body: BackupBody) -> Response:
        return reply(services.backup.backup(body.path, body.passphrase))

    @routes.get("/memory/snapshots", summary="Daily snapshots, the newest first")
    def snapshots() -> Response:
        found = services.snapshots.all()
        return listed([{"name": one.path.name, "made_at": one.made_at, "bytes": one.bytes} for one in found])

    @routes.get("/memory/snapshots/{name}", summary="How many rows of each kind a snapshot has, and the memory has now")
    def snapshot(name: str) -> Response:
        return reply(services.snapshots.compare(name))

    @routes.post("/memory/export", summary="Export everything remembered, unencrypted, to a path on this machine")
    def export(body: ExportBody) -> Response:
        return reply(services.everything.export(body.path))

    @routes.post("/memory/import", summary="Import chats of another app; one JSON line per chat, the report last")
    async def import_(body: ImportBody, request: Request) -> Response:
        def steps(cancel: threading.Event) -> Iterator[ImportProgress | ImportReport]:
            return services.importing.steps(
                body.path, body.agent_id, cancel, body.dry_run, skip_extraction=body.skip_extraction
            )

        bridge = Bridge(steps, request.app.state.streams, caller_of(request).token)
        try:
            # An unreadable file gets its own status; later errors are lines.
            bridge.hold(await bridge.next_while(request.is_disconnected, seconds=FIRST_STEP_SECONDS))
        except TimeoutError:
            log.debug("a large archive is being read")
        except (StreamGoneError, asyncio.CancelledError):
            bridge.cancel.set()
            return Response(status_code=499)
        except BaseException:
            bridge.cancel.set()
            raise
        return EventStream(_lines(bridge), bridge.cancel.set, {}, media_type="application/x-ndjson")


async def _lines(bridge: Bridge[ImportProgress | ImportReport]) -> AsyncIterator[bytes]:
    """Yield a line for each chat, then the report or an error."""
    while True:
        try:
            step = await bridge.next()
        except StopAsyncIteration:
            return
        except MemdeskError as error:
            yield _line(body_of(error))
            return
        except Exception:
            log.exception("an import ended on an error")
            yield _line(internal_body())
            return
        if isinstance(step, ImportProgress):
            yield _line({"event": "progress", "done": step.done, "title": step.title})
        else:
            yield _line({"event": "report", "report": plain(step)})


def _line(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
