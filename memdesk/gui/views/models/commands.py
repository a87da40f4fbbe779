"""The models page's commands for the palette."""

from functools import partial

from PySide6.QtWidgets import QWidget

from memdesk.gui.commands import Command
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr


def commands(context: PageContext, _window: QWidget) -> list[Command]:
    """Return the commands, one for each way to get a model; none of them is in a menu."""
    ways = (
        ("file", tr("Add a model file"), "file-plus", "GGUF"),
        ("folder", tr("Add a folder of models"), "folder-open", "GGUF"),
        ("find", tr("Find models on this machine"), "hard-drive", "LM Studio Jan Ollama"),
        ("server", tr("Add a model server"), "server", tr("remote OpenAI key")),
        ("download", tr("Download a model"), "download", tr("hub")),
    )
    return [
        Command(f"models.{key}", title, icon, partial(context.navigate, "models", begin=key), keywords=keywords)
        for key, title, icon, keywords in ways
    ]
