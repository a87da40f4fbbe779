"""Settings as a use case: read, change with validation, notify."""

import difflib
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pydantic import ValidationError

from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.services.events import EventBus, SettingsChanged
from memdesk.settings.fields import SECTIONS, FieldInfo, SectionName, all_fields, section_model
from memdesk.settings.schema import Settings, SettingsModel
from memdesk.settings.store import SettingsStore, SettingsValueError, describe_problem


class SettingsService:
    """The current settings. Thread-safe.

    Args:
        check: refuses a field's new value, named as in ``memory.core_model``, that this installation does not allow;
            raises ``SettingsValueError``.

    Raises:
        SettingsFileError: a file on disk cannot be used.
    """

    def __init__(self, store: SettingsStore, events: EventBus, check: Callable[[str, Any], None] | None = None) -> None:
        self._store = store
        self._events = events
        self._check = check
        self._lock = threading.Lock()
        self._current = store.load()

    @property
    def current(self) -> Settings:
        """The settings as last read or written; immutable."""
        return self._current

    def update(self, section: SectionName, changes: Mapping[str, Any]) -> Settings:
        """Change fields of one section and write its file.

        The file is reread first, to keep manual edits made meanwhile.

        ``changes`` has values by field name, in camelCase or snake_case.

        Raises:
            NotFoundError: the section does not exist.
            SettingsValueError: an unknown field or a value that is not allowed; nothing was changed.
            SettingsFileError: the file cannot be read or written.
        """
        if section not in SECTIONS:
            raise NotFoundError(
                say("There is no settings section '{section}'.", section=section),
                hint=say("Use one of: {join}.", join=", ".join(SECTIONS)),
            )
        with self._lock:
            on_disk = self._store.load_section(section)
            after = self._apply(section, on_disk, changes)
            for name in map(partial(self._field_name, section), changes if self._check is not None else ()):
                assert self._check is not None
                if getattr(after, name) != getattr(on_disk, name):
                    self._check(f"{section}.{name}", getattr(after, name))
            if after != on_disk:
                self._store.save(section, after)
            before = getattr(self._current, section)
            names = tuple(
                f"{section}.{name}"
                for name in type(after).model_fields
                if getattr(before, name) != getattr(after, name)
            )
            if names:
                self._current = self._current.model_copy(update={section: after})
            current = self._current
        if names:
            self._events.publish(SettingsChanged(names))
        return current

    def describe(self) -> list[FieldInfo]:
        """Return every option with its title, help, bounds and default."""
        return list(all_fields())

    def _apply(self, section: SectionName, before: SettingsModel, changes: Mapping[str, Any]) -> SettingsModel:
        model = section_model(section)
        values = before.model_dump()
        for key, value in changes.items():
            values[self._field_name(section, key)] = value
        try:
            return model.model_validate(values)
        except ValidationError as invalid:
            raise SettingsValueError(f"{describe_problem(model, invalid)}.") from invalid

    @staticmethod
    def _field_name(section: SectionName, key: str) -> str:
        fields = [info for info in all_fields() if info.section == section]
        for info in fields:
            if key in {info.key, info.name}:
                return info.name
        close = difflib.get_close_matches(key, [info.key for info in fields], n=1)
        hint = (
            say("Did you mean '{close}'?", close=close[0])
            if close
            else say("Use one of: {join}.", join=", ".join(info.key for info in fields))
        )
        raise SettingsValueError(say("'{section}' has no setting '{key}'.", section=section, key=key), hint=hint)
