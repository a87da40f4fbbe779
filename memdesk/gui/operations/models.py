"""Actions on models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import said, tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.domain.reading.digest import ModelGrade
    from memdesk.gui.pages import PageContext
    from memdesk.ports import ModelInfo
    from memdesk.ports.models import Speed

#: Files of a folder that a notice details rather than counts.
MOST_TOLD = 3


def measure(context: PageContext, parent: QObject, *, model_id: str) -> ServiceOp[Speed]:
    models = context.services.models
    return ServiceOp(context.bridge, parent, lambda op: models.measure(model_id, cancel=op.token), lane="background")


def self_test(context: PageContext, parent: QObject, *, model_id: str) -> ServiceOp[ModelGrade]:
    """Have a model digest a small known session, and report what it is good for."""
    service, notices = context.services.distillation, context.notices
    op = ServiceOp(context.bridge, parent, lambda op: service.test_model(model_id, cancel=op.token), lane="background")
    return op.success(lambda grade: notices.info(tr("Self-test done"), said(grade.message)))


def add_path(context: PageContext, parent: QObject, *, path: str) -> ServiceOp[list[ModelInfo]]:
    """Offer a GGUF file, or all in a folder, in place; report unusable ones."""
    models, notices = context.services.models, context.notices

    def told(found: list[ModelInfo]) -> None:
        title = tr("%n models were added", "", sum(info.available for info in found))
        words = tr("{name} was not added: {problem}")
        refused = [
            words.format(name=Path(info.path).name, problem=said(info.problem)) for info in found if not info.available
        ]
        show = notices.warning if refused else notices.success
        show(title, "\n".join([path, *refused[:MOST_TOLD]]))

    return context.bridge.call(parent, models.add_path, path).success(told)


def add_remote(
    context: PageContext, parent: QObject, *, name: str, base_url: str, key: str | None, same_key: bool = False
) -> ServiceOp[list[ModelInfo]]:
    """Set up a remote server after querying its models."""
    models, notices = context.services.models, context.notices
    op = context.bridge.call(parent, models.add_remote, name, base_url, key, same_key=same_key)
    return op.success(lambda found: notices.success(tr("%n models were found", "", len(found)), base_url))


def refresh_remote(context: PageContext, parent: QObject, *, name: str) -> ServiceOp[list[ModelInfo]]:
    models, notices = context.services.models, context.notices
    op = context.bridge.call(parent, models.probe_remote, name)
    return op.success(lambda found: notices.success(tr("%n models were found", "", len(found)), name))


def download(context: PageContext, *, repo: str, filename: str) -> ServiceOp[ModelInfo]:
    """Download a model; resumes an interrupted download, and goes on when its dialog is closed."""
    models, notices = context.services.models, context.notices

    def work(op: ServiceOp[ModelInfo]) -> ModelInfo:
        def told(done: int, total: int) -> None:
            op.report(done / total if total else -1)

        return models.download(repo, filename, progress=told, cancel=op.token)

    op = ServiceOp(context.bridge, context.bridge, work, lane="background")
    return op.success(lambda info: notices.success(tr("Downloaded"), info.name))
