"""Backups and imports by path, for our own command line: the files are on this machine."""

from __future__ import annotations

import json
import logging
import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Response
from pydantic import AfterValidator
from starlette.responses import StreamingResponse

from memdesk.api.auth import needs
from memdesk.api.errors import body_of, internal_body
from memdesk.api.params import Body
from memdesk.api.plain import plain, reply
from memdesk.errors import MemdeskError
from memdesk.services.importing import ImportProgress, ImportReport

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from memdesk.services.container import Services


def _whole(path: str) -> str:
    if not Path(path).expanduser().is_absolute():
        raise ValueError("give the whole path; the server has a folder of its own")
    return path


#: A path that means the same to the server as to who asks.
WholePath = Annotated[str, AfterValidator(_whole)]


class BackupBody(Body):
    """Where to, and what opens it besides the recovery code."""

    path: WholePath
    passphrase: str | None = None


class ImportBody(Body):
    """A file, a ZIP archive or a folder of chats."""

    path: WholePath
    agent_id: str = "default"
    dry_run: bool = False
    skip_extraction: bool = False


def router(app: FastAPI) -> APIRouter:
    """Return the routes of ``/memory/backup`` and ``/memory/import``."""
    services: Services = app.state.services
    routes = APIRouter(tags=["work"], dependencies=[Depends(needs("admin", whole=True))])

    @routes.post("/memory/backup", summary="Write an encrypted backup to a path of this machine")
    def backup(body: BackupBody) -> Response:
        return reply(services.backup.backup(body.path, body.passphrase))

    @routes.post("/memory/import", summary="Import chats of another app; one JSON line a chat, the report last")
    def import_(body: ImportBody) -> Response:
        cancel = threading.Event()

        def work(tell: Any) -> ImportReport:
            report: ImportReport = services.importing.import_archive(
                body.path,
                body.agent_id,
                tell,
                cancel,
                body.dry_run,
                skip_extraction=body.skip_extraction,
            )
            return report

        return StreamingResponse(_lines(work, cancel), media_type="application/x-ndjson")

    return routes


def _lines(work: Any, cancel: threading.Event) -> Iterator[str]:
    """Run ``work`` on a thread and yield its progress and its report; a client that goes away cancels it."""
    told: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()

    def tell(progress: ImportProgress) -> None:
        told.put({"event": "progress", "done": progress.done, "title": progress.title})

    def body() -> None:
        try:
            told.put({"event": "report", "report": plain(work(tell))})
        except MemdeskError as error:
            told.put(body_of(error))
        except Exception:
            # The answer has begun with status 200: only its last line can still tell that it broke.
            log.exception("an import ended on an error")
            told.put(internal_body())
        finally:
            told.put(None)

    thread = threading.Thread(target=body, name="memdesk-import", daemon=True)
    thread.start()
    try:
        while (line := told.get()) is not None:
            yield json.dumps(line, ensure_ascii=False) + "\n"
    finally:
        cancel.set()
        thread.join()
