"""Dialogs that rename people and things, and merge two that are the same."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QLineEdit, QWidget

from memdesk.domain.models import Entity
from memdesk.gui.models.entities import EntitiesModel
from memdesk.gui.pages import PageContext
from memdesk.gui.views.memory.bulk import tags_of
from memdesk.gui.views.memory.tab import Table, TwoLines
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.words import entity_type_name
from memdesk.services.remembering import EntityView, Joined, MergePreview

TYPES = ("person", "pet", "place", "organisation", "project", "product", "tool", "other")


class EntityDialog(Dialog):
    """Name, type and other names. ``done`` gets the id once stored."""

    def __init__(self, context: PageContext, parent: QWidget, view: EntityView, done: Callable[[str], object]) -> None:
        super().__init__(parent, self.tr("Edit {name}").format(name=view.entity.name))
        self._context, self._view, self._done = context, view, done
        self.name = QLineEdit(view.entity.name)
        # A model may have used a type of its own.
        types = list(dict.fromkeys((*TYPES, view.entity.type)))
        self.type = Combo(self.tr("Type"), [(key, entity_type_name(key)) for key in types])
        self.type.set_key(view.entity.type)
        self.aliases = QLineEdit(", ".join(view.aliases))
        help_text = self.tr("Separated by commas. What is learned under one of these names belongs here.")
        self.body.addWidget(Field(self.tr("Name"), self.name))
        self.body.addWidget(Field(self.tr("Type"), self.type))
        self.body.addWidget(Field(self.tr("Also called"), self.aliases, help_text))
        self.set_action(self.tr("Save"), self._save)

    def _save(self) -> None:
        entity, name = self._view.entity, self.name.text()
        aliases = [*tags_of(self.aliases.text())]
        if name.strip() != entity.name:
            # Its old name still refers to it.
            aliases.append(entity.name)
        op = self._context.bridge.call(
            self,
            self._context.services.memories.edit_entity,
            entity.id,
            name=name,
            type_=self.type.key(),
            aliases=aliases,
        )
        op.failure(self.show_fault).success(lambda found: self._saved(found.id)).start()

    def _saved(self, entity_id: str) -> None:
        self.accept()
        self._done(entity_id)


class MergeDialog(Dialog):
    """Choose the one to merge with; ``done`` gets the one that stays, and the change in the log."""

    def __init__(self, context: PageContext, parent: QWidget, entity: Entity, done: Callable[[Joined], object]) -> None:
        super().__init__(parent, self.tr("Join {name} with another").format(name=entity.name))
        self._context, self._entity, self._done = context, entity, done
        self._into: Entity | None = None
        self.search = SearchField(self.tr("Search people and things"))
        self.search.searched.connect(lambda _text: self._read())
        self.model = EntitiesModel(context.bridge, parent=self)
        self.table = Table(self.model, self.tr("People and things"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.horizontalHeader().hide()
        self.table.setMinimumHeight(context.theme.px(180))
        self.table.selectionModel().currentRowChanged.connect(self._chosen)
        self.what = Label(self.tr("Choose the one that stays."), "muted", wrap=True)
        self.body.addWidget(self.search)
        self.body.addWidget(self.table)
        self.body.addWidget(self.what)
        self._preview: MergePreview | None = None
        self.button = self.set_action(self.tr("Join"), self._join)
        self.button.setEnabled(False)
        memories = context.services.memories
        context.bridge.run(self, lambda: memories.merge_preview(entity.id), self._previewed)
        self._read()

    def _previewed(self, preview: MergePreview) -> None:
        self._preview = preview
        self._tell()

    def _read(self) -> None:
        memories, agent_id, query = self._context.services.memories, self._entity.agent_id, self.search.text().strip()
        self.model.reload(
            lambda limit, cursor: memories.entities(agent_id=agent_id, query=query, limit=limit, cursor=cursor),
            query=query,
        )

    def _chosen(self, index: QModelIndex, _old: object) -> None:
        self.model.when_read(index, self._choose)

    def _choose(self, into: Entity) -> None:
        itself = into.id == self._entity.id
        self._into = None if itself else into
        self._tell()
        if itself:
            self.what.setText(self.tr("That is {name} itself. Choose another one.").format(name=into.name))

    def _tell(self) -> None:
        into, preview = self._into, self._preview
        self.button.setEnabled(into is not None and preview is not None)
        if into is None or preview is None:
            self.what.setText(self.tr("Choose the one that stays."))
            return
        counts = (
            self.tr("%n facts", "", preview.facts),
            self.tr("%n episodes", "", preview.episodes),
            self.tr("%n relations", "", preview.relations),
        )
        text = self.tr(
            "{gone} goes, and {name} gets its {counts}. “{gone}” stays as another name. "
            "You can take this back, later too: under Activity."
        )
        self.what.setText(text.format(gone=self._entity.name, name=into.name, counts=", ".join(counts)))

    def _join(self) -> None:
        if self._into is None:
            return
        op = self._context.bridge.call(
            self, self._context.services.memories.merge_entities, self._entity.id, self._into.id
        )
        op.failure(self.show_fault).success(self._joined).start()

    def _joined(self, joined: Joined) -> None:
        self.accept()
        self._done(joined)
