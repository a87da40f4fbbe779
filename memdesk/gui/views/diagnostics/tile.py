"""The health of one part of the app: name, state, hint, and a link to the remedy."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame

from memdesk.gui.pages import PageContext
from memdesk.gui.text import said, tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import ElidedLabel, IconLabel, Label
from memdesk.gui.widgets.layout import column, row
from memdesk.services.upkeep import HealthTile

ICONS = {
    "vault": "key-round",
    "database": "database",
    "disk": "hard-drive",
    "engines": "cpu",
    "index": "search",
    "distillation": "layers",
    "scheduler": "clock",
    "server": "server",
}
TINTS = {"green": "success", "amber": "warning", "red": "danger"}
LEVELS = {"green": "circle-check", "amber": "triangle-alert", "red": "circle-x"}


class Tile(QFrame):
    """A health tile; ``figures``, if any, replace the tile's own sentence."""

    def __init__(self, context: PageContext, tile: HealthTile, figures: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        title, sentence, hint = said(tile.title), figures or said(tile.sentence), said(tile.hint)
        self.setAccessibleName(f"{title}, {level_name(tile.level)}: {sentence} {hint}".strip())
        head = row(
            IconLabel(ICONS.get(tile.id, "info")),
            ElidedLabel(title, "strong"),
            IconLabel(LEVELS[tile.level], TINTS[tile.level]),
        )
        box = column(head, Label(sentence, wrap=True), gap=6, margins=14)
        if hint:
            box.addWidget(Label(hint, "muted", wrap=True))
        way = _way(context, tile)
        if way is not None:
            words, go = way
            box.addLayout(row(Button(words, go, variant="link", name=f"{title}: {words}"), None))
        box.addStretch(1)
        self.setLayout(box)


def level_name(level: str) -> str:
    """Return a tile's color as a word, for those who do not see it."""
    return {"green": tr("in order"), "amber": tr("needs attention"), "red": tr("not working")}[level]


def _way(context: PageContext, tile: HealthTile) -> tuple[str, Callable[[], object]] | None:
    """Return the label and call that lead to the remedy."""
    if tile.level == "green":
        return None
    ways: dict[str, tuple[str, Callable[[], object]]] = {
        "vault": (tr("Backups"), lambda: context.navigate("settings", section="privacy")),
        "database": (tr("Restore a backup"), lambda: context.commands.run("app.restore")),
        "engines": (tr("Models"), lambda: context.navigate("models")),
        "scheduler": (tr("Resume"), lambda: context.commands.run("work.resume")),
        "server": (tr("Server settings"), lambda: context.navigate("settings", section="server")),
    }
    if tile.id == "distillation" and tile.level == "amber":
        return ways["engines"]
    return ways.get(tile.id)
