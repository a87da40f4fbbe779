"""The settings page: sections at the left, options made from the schema, found by search."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from memdesk.gui.pages import Page, PageContext
from memdesk.gui.slices import SliceOp
from memdesk.gui.views.settings.editors import CHECKS, QdrantKey, list_editor
from memdesk.gui.views.settings.programs import ConnectCard, SeenCard
from memdesk.gui.views.settings.tokens import TokensCard
from memdesk.gui.views.settings.vault import VaultCard
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import BELOW_HEAD, PAGE_WIDTH, ScrollColumn, bounded, card, clear, column, line, row
from memdesk.gui.widgets.notice import Banner
from memdesk.gui.widgets.options import FieldEditor, FieldSpec, specs_of
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.widgets.states import EmptyState, PageHead, SectionHead
from memdesk.gui.widgets.switch import Segments
from memdesk.gui.words import model_name
from memdesk.ports import ModelInfo
from memdesk.services.events import ServerChanged, SettingsChanged
from memdesk.settings.fields import SectionName, section_model

#: Sections in the order shown, with their fields by group. Fields not listed go to "More".
GROUPS: dict[SectionName, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "memory": (
        (
            str(QT_TRANSLATE_NOOP("settings", "Remembering")),
            ("enabled", "extraction_mode", "summary_debounce_seconds", "core_model", "distill_prompt"),
        ),
        (
            str(QT_TRANSLATE_NOOP("settings", "Recalling")),
            (
                "memory_budget_tokens",
                "recall_strategy",
                "relevance_gate_mode",
                "gate_phrases",
                "embedding_backend",
                "embedding_model",
            ),
        ),
        (
            str(QT_TRANSLATE_NOOP("settings", "Ageing")),
            ("consolidation_interval_hours", "salience_floor", "episode_retention_days"),
        ),
        (str(QT_TRANSLATE_NOOP("settings", "Notes")), ("note_folders",)),
        (str(QT_TRANSLATE_NOOP("settings", "What stays here")), ("local_only_kinds",)),
        (str(QT_TRANSLATE_NOOP("settings", "Copies")), ("snapshots", "snapshot_megabytes")),
        (
            str(QT_TRANSLATE_NOOP("settings", "Copy in Qdrant")),
            ("qdrant_enabled", "qdrant_address", "qdrant_collection"),
        ),
    ),
    "engine": (
        (
            str(QT_TRANSLATE_NOOP("settings", "Models")),
            ("chat_model", "context_tokens", "threads", "idle_unload_seconds", "answer_timeout_seconds"),
        ),
        (
            str(QT_TRANSLATE_NOOP("settings", "Where models come from")),
            ("model_folders", "remote_servers", "without_system_role", "hub_url"),
        ),
        (str(QT_TRANSLATE_NOOP("settings", "Voice input")), ("voice_server", "voice_model")),
        (str(QT_TRANSLATE_NOOP("settings", "Tools")), ("tool_servers",)),
    ),
    "server": (
        (
            str(QT_TRANSLATE_NOOP("settings", "Local server")),
            ("enabled", "host", "port", "upstream", "allowed_origins", "tokenless"),
        ),
    ),
    "appearance": (
        (str(QT_TRANSLATE_NOOP("settings", "Look")), ("theme", "font_scale", "conversation_width", "language")),
        (
            str(QT_TRANSLATE_NOOP("settings", "Behavior")),
            ("close_to_tray", "start_at_login", "lock_after_minutes", "quick_shortcut"),
        ),
    ),
}
#: Options whose value is a model's id.
MODEL_FIELDS = {"core_model", "chat_model"}
#: Options whose value is a text, with their own editor.
OWN_EDITORS = {"distill_prompt", "embedding_model"}
TITLES: dict[str, str] = {
    "memory": str(QT_TRANSLATE_NOOP("settings", "Memory")),
    "engine": str(QT_TRANSLATE_NOOP("settings", "Engine")),
    "server": str(QT_TRANSLATE_NOOP("settings", "Server")),
    "programs": str(QT_TRANSLATE_NOOP("settings", "Programs")),
    "appearance": str(QT_TRANSLATE_NOOP("settings", "Appearance")),
    "privacy": str(QT_TRANSLATE_NOOP("settings", "Privacy")),
}
#: Labels of choices in the window; the schema's names are for files and programs.
CHOICES: dict[str, str] = {
    "sentence-transformers": str(QT_TRANSLATE_NOOP("settings", "On")),
    "none": str(QT_TRANSLATE_NOOP("settings", "Off: search by words only")),
    "sessionEnd": str(QT_TRANSLATE_NOOP("settings", "When a conversation rests")),
    "manual": str(QT_TRANSLATE_NOOP("settings", "Only when I ask")),
    "rules": str(QT_TRANSLATE_NOOP("settings", "When it rests, without a model")),
    "off": str(QT_TRANSLATE_NOOP("settings", "Off: every reply gets episodes")),
    "heuristic": str(QT_TRANSLATE_NOOP("settings", "Rules")),
    "llm": str(QT_TRANSLATE_NOOP("settings", "The core model")),
    "system": str(QT_TRANSLATE_NOOP("settings", "Same as the system")),
    "light": str(QT_TRANSLATE_NOOP("settings", "Light")),
    "dark": str(QT_TRANSLATE_NOOP("settings", "Dark")),
    "en": "English",
    "de": "Deutsch",
}


def _words(text: str) -> str:
    return QCoreApplication.translate("settings", text)


class SettingsPage(Page):
    """All options. ``enter(query=...)`` searches, ``enter(section=...)`` shows one section."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._editors: dict[str, FieldEditor] = {}
        #: Chosen values not yet stored, by dotted name.
        self._unsaved: dict[str, Any] = {}
        self._storing = threading.Lock()
        self._pages: dict[str, QWidget] = {}

    def build(self) -> Iterator[None]:
        self.search = SearchField(self.tr("Search settings"))
        self.search.setMinimumWidth(self.context.theme.px(220))
        self.search.searched.connect(self._search)
        head = PageHead(self.tr("Settings"), self.tr("Changes are saved at once."), self.search)
        yield
        self.sections = Segments([(key, _words(title)) for key, title in TITLES.items()], name=self.tr("Section"))
        self.sections.changed.connect(self.show_section)
        self.stack = QStackedWidget()
        self._results = ScrollColumn(width=PAGE_WIDTH, margins=BELOW_HEAD)
        self.stack.addWidget(self._results)
        self.banner = Banner()
        top = column(head, row(self.sections, None), self.banner, gap=16, margins=(24, 24, 24, 0))
        self.setLayout(column(bounded(top), (self.stack, 1), gap=0))
        self.context.bridge.on(SettingsChanged, self._changed, owner=self)
        self.context.bridge.on(ServerChanged, lambda _event: self.banner.hide(), owner=self)

    def enter(self, **arguments: Any) -> None:
        """Search for ``query`` or show ``section`` if given; else the previous view."""
        if "section" in arguments:
            self.sections.set_value(str(arguments["section"]))
        if "query" in arguments:
            self.search.put(str(arguments["query"]))
            self._search(str(arguments["query"]))
        elif "section" in arguments or not (self._pages or self.search.text()):
            self.show_section(self.sections.value())

    def place(self) -> dict[str, Any]:
        return {"section": self.sections.value(), "query": self.search.text()}

    def show_section(self, key: str) -> None:
        """Show one section; it is created on its first visit."""
        if key not in self._pages:
            page = ScrollColumn(width=PAGE_WIDTH, margins=BELOW_HEAD)
            self._pages[key] = page
            self.stack.addWidget(page)
            SliceOp(self.context.bridge, self, self._make(key, page)).start(latest=f"section {key}")
        self.stack.setCurrentWidget(self._pages[key])

    # -- making --------------------------------------------------------------------------

    def _make(self, key: str, page: ScrollColumn) -> Iterator[None]:
        """Fill a section, card by card."""
        page.body.addStretch(1)
        if key == "privacy":
            page.append(VaultCard(self.context))
        elif key == "programs":
            page.append(ConnectCard(self.context))
            yield
            page.append(SeenCard(self.context))
        else:
            for title, specs in self._groups(key):
                yield from self._card(page, key, title, specs)
        if key == "server":
            yield
            page.append(TokensCard(self.context))

    def _groups(self, section: str) -> list[tuple[str, list[FieldSpec]]]:
        specs = {spec.name: _labeled(spec) for spec in specs_of(section_model(section))}  # type: ignore[arg-type]
        for name in OWN_EDITORS & specs.keys():
            specs[name] = replace(specs[name], kind="rows")
        if "upstream" in specs:
            specs["upstream"] = self._of_servers(specs["upstream"])
        for name in MODEL_FIELDS & specs.keys():
            specs[name] = self._of_models(section, specs[name])
        found = []
        for title, names in GROUPS[section]:  # type: ignore[index]
            found.append((_words(title), [specs.pop(name) for name in names]))
        if specs:
            found.append((self.tr("More"), list(specs.values())))
        return found

    def _of_models(self, section: str, spec: FieldSpec) -> FieldSpec:
        """Make an option with a model's id a choice; the other models follow once read."""
        chosen = str(getattr(getattr(self.context.services.settings.current, section), spec.name))
        labels = {"": self.tr("None"), chosen: model_name(chosen) or self.tr("None")}
        return replace(spec, kind="choice", options=tuple(dict.fromkeys(("", chosen))), labels=labels)

    def _of_servers(self, spec: FieldSpec) -> FieldSpec:
        """Make the option that names a remote server a choice of the existing ones."""
        settings = self.context.services.settings.current
        names = [entry["name"] for entry in settings.engine.remote_servers]
        options = tuple(dict.fromkeys(("", settings.server.upstream, *names)))
        labels = {name: name for name in options} | {"": self.tr("memdesk's own models")}
        return replace(spec, kind="choice", options=options, labels=labels)

    def _offer_models(self, editor: FieldEditor) -> None:
        def offer(models: Sequence[ModelInfo]) -> None:
            if isinstance(combo := editor.editor, Combo):
                known = {model.id: model.name for model in models if model.available}
                known.setdefault(combo.key(), combo.currentText())
                combo.set_options([("", self.tr("None")), *((key, name) for key, name in known.items() if key)])

        self.context.bridge.run(editor, self.context.services.models.all, offer)

    def _card(self, page: ScrollColumn, section: str, title: str, specs: Sequence[FieldSpec]) -> Iterator[None]:
        """Create a card of options step by step, and append it once complete."""
        frame = card(SectionHead(title), gap=12)
        body = frame.layout()
        assert body is not None
        editors = []
        for position, spec in enumerate(specs):
            yield
            if position:
                body.addWidget(line())
            editors.append(self._editor(section, spec))
            body.addWidget(editors[-1])
            if spec.name == "qdrant_address":
                body.addWidget(QdrantKey(self.context))
        yield
        page.append(frame)
        self._editors.update({f"{section}.{editor.spec.name}": editor for editor in editors})

    def _editor(self, section: str, spec: FieldSpec) -> FieldEditor:
        values = getattr(self.context.services.settings.current, section)
        editor = FieldEditor(spec, getattr(values, spec.name), rows=partial(list_editor, self.context))
        editor.edited.connect(lambda name, value: self._save(section, name, value, editor))
        if spec.name in MODEL_FIELDS:
            self._offer_models(editor)
        return editor

    # -- changing ------------------------------------------------------------------------

    def _save(self, section: str, name: str, value: Any, editor: FieldEditor) -> None:
        self._unsaved[f"{section}.{name}"] = value
        op = self.context.bridge.call(self, self._store, section, name)
        op.failure(lambda error: editor.show_fault(getattr(error, "message", str(error)))).start()

    def _store(self, section: str, name: str) -> None:
        """Store the latest value, unless already stored: two quick changes may be stored in reverse order."""
        dotted = f"{section}.{name}"
        with self._storing:
            if dotted not in self._unsaved:
                return
            value = self._unsaved[dotted]
            try:
                self.context.services.settings.update(section, {name: value})  # type: ignore[arg-type]
            finally:
                # Only now: the old stored value must not reappear while the new one is being stored.
                if self._unsaved[dotted] is value:
                    del self._unsaved[dotted]

    def _changed(self, event: SettingsChanged) -> None:
        if any(dotted.startswith("server.") for dotted in event.names):
            self._offer_restart()
        for dotted in event.names:
            editor = self._editors.get(dotted)
            if editor is not None and not editor.hasFocus() and dotted not in self._unsaved:
                section, _, name = dotted.partition(".")
                editor.set_value(getattr(getattr(self.context.services.settings.current, section), name))

    def _offer_restart(self) -> None:
        def restart() -> None:
            self.context.bridge.call(self, self.context.controls.restart_server).then(self.banner.hide).start()

        self.banner.say(
            "info",
            self.tr("The local server uses its previous settings until it is restarted."),
            Button(self.tr("Restart server"), restart, icon_name="refresh-cw"),
        )

    # -- searching -----------------------------------------------------------------------

    def _search(self, query: str) -> None:
        self.sections.setVisible(not query)
        if not query:
            self.context.bridge.supersede(self, "search")
            self.show_section(self.sections.value())
            return
        self._editors.clear()
        # Rebuilt when shown again: the results' editors replace them in the index.
        for key, page in self._pages.items():
            self.context.bridge.supersede(self, f"section {key}")
            self.stack.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        clear(self._results.body)
        self._results.body.addStretch(1)
        self.stack.setCurrentWidget(self._results)
        SliceOp(self.context.bridge, self, self._find(query)).start(latest="search")

    def _find(self, query: str) -> Iterator[None]:
        """Show the options that have all words of the query, section by section."""
        wanted = query.casefold().split()
        hits = 0
        for section in GROUPS:
            specs = [spec for _title, group in self._groups(section) for spec in group]
            fits = [spec for spec in specs if all(word in _haystack(spec) for word in wanted)]
            yield
            if fits:
                hits += len(fits)
                yield from self._card(self._results, section, _words(TITLES[section]), fits)
        if not hits:
            text = self.tr("No option's name or help contains these words.")
            self._results.append(EmptyState("search", self.tr("Nothing found"), text))
        else:
            self._results.append(Label(self.tr("%n options found", "", hits), "small"))


def _labeled(spec: FieldSpec) -> FieldSpec:
    """Translate an option for the user: the keys of choices, in brackets in the help, are for files."""
    keys = "|".join(re.escape(option) for option in spec.options)
    text = re.sub(rf" \((?:{keys})\)", "", _words(spec.help)) if keys else _words(spec.help)
    labels = {option: _words(CHOICES.get(option, option)) for option in spec.options}
    return replace(spec, title=_words(spec.title), help=text, labels=labels, check=CHECKS.get(spec.name))


def _haystack(spec: FieldSpec) -> str:
    return f"{spec.title} {spec.help} {spec.name}".casefold()
