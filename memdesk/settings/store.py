"""Reads and writes the settings files: one JSON file per section, validated, written atomically.

An unusable file is an error that names the file and the field. The file stays as it is, and a copy is kept beside it,
so that nothing is lost when a later save replaces it.
"""

import contextlib
import json
import shutil
import threading
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.messages import say
from memdesk.settings.fields import SECTIONS, SectionName, public_dict, section_model
from memdesk.settings.files import write_atomic
from memdesk.settings.schema import Settings, SettingsModel

#: Version written into every file.
FORMAT_VERSION = 1


class SettingsFileError(EnvironmentFault):
    """A settings file is damaged, or has values that this version does not accept."""

    code = "settings_invalid"
    title = say("A settings file cannot be used")


class SettingsValueError(BadRequestError):
    """A value is not allowed; nothing was changed."""

    code = "settings_value"
    title = say("That value is not allowed")


class SettingsStore:
    """The settings files of one profile. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()

    def path(self, section: SectionName) -> Path:
        return self._folder / f"{section}.json"

    def load(self) -> Settings:
        """Return all settings; a missing file means the defaults.

        Raises:
            SettingsFileError: a file is not JSON, is from a newer version, or holds an unknown key or a
                value out of range.
        """
        return Settings.model_validate({section: self.load_section(section) for section in SECTIONS})

    def load_section(self, section: SectionName) -> SettingsModel:
        model = section_model(section)
        with self._lock:
            data = self._read(section)
            if data is None:
                return model()
            try:
                self._check_version(section, data.pop("version", FORMAT_VERSION))
                return model.model_validate(data)
            except ValidationError as invalid:
                raise self._refuse(section, describe_problem(model, invalid)) from invalid

    def save(self, section: SectionName, values: SettingsModel) -> None:
        """Write one section, atomically and durably.

        Raises:
            SettingsFileError: the folder cannot be written.
        """
        text = json.dumps({"version": FORMAT_VERSION, **public_dict(values)}, indent=2, ensure_ascii=False) + "\n"
        with self._lock:
            try:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                write_atomic(self.path(section), text.encode())
            except OSError as failed:
                raise SettingsFileError(
                    say(
                        "{path} could not be written: {failed}.",
                        path=self.path(section),
                        failed=failed.strerror or failed,
                    ),
                    hint=say("Check that the disk has room and that the folder may be written to."),
                ) from failed

    def _read(self, section: SectionName) -> dict[str, Any] | None:
        path = self.path(section)
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except json.JSONDecodeError as broken:
            raise self._refuse(section, f"line {broken.lineno}: this is not JSON ({broken.msg})") from broken
        except RecursionError as broken:
            raise self._refuse(section, "it is nested too deeply") from broken
        except UnicodeDecodeError as broken:
            raise self._refuse(section, "this is not UTF-8 text") from broken
        except OSError as failed:
            raise SettingsFileError(
                say("{path} could not be read: {failed}.", path=path, failed=failed.strerror or failed)
            ) from failed
        if not isinstance(data, dict):
            raise self._refuse(section, "the file must hold one JSON object")
        return data

    def _check_version(self, section: SectionName, version: object) -> None:
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise self._refuse(section, f"'version' is {version!r}, not a number from 1")
        if version > FORMAT_VERSION:
            raise self._refuse(section, f"it was written by a newer memdesk (format {version})")

    def _refuse(self, section: SectionName, problem: str) -> SettingsFileError:
        path = self.path(section)
        kept = self._keep(path)
        hint = (
            say("Correct the file, or delete it to go back to the defaults. A copy is in {name}.", name=kept.name)
            if kept
            else None
        )
        return SettingsFileError(f"{path}: {problem}.", hint=hint or say("Correct the file, or delete it."))

    @staticmethod
    def _keep(path: Path) -> Path | None:
        """Copy a refused file once, so that a later save cannot lose it."""
        content = path.read_bytes()
        for number in range(1, 100):
            copy = path.with_name(f"{path.stem}.refused-{number}.json")
            if not copy.exists():
                # A read-only folder must not hide the error being reported.
                with contextlib.suppress(OSError):
                    shutil.copyfile(path, copy)
                    return copy
                return None
            if copy.read_bytes() == content:
                return copy
        return None


def describe_problem(model: type[SettingsModel], invalid: ValidationError) -> str:
    """Describe a problem: the key as on disk, what it must be and what it is."""
    aliases = {name: field.alias or name for name, field in model.model_fields.items()}
    problems = []
    for error in invalid.errors():
        where = ".".join(str(part) for part in error["loc"])
        key = aliases.get(where, where)
        if error["type"] == "extra_forbidden":
            problems.append(f"'{key}' is not a setting")
        else:
            if error["type"] == "value_error":
                # One of our own, which already names the value.
                problems.append(f"'{key}' {error['ctx']['error']}")
                continue
            words = error["msg"].replace("Input should be", "must be")
            problems.append(f"'{key}' {words} (it is {error['input']!r})")
    return "; ".join(problems)
