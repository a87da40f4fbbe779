"""The options as a flat list, for window, command line, HTTP and the docs page."""

import typing
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Any, Literal

from memdesk.settings.schema import Settings, SettingsModel

SectionName = Literal["memory", "server", "appearance", "engine"]
SECTIONS: tuple[SectionName, ...] = typing.get_args(SectionName)
FieldKind = Literal["bool", "int", "float", "text", "choice", "list", "table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldInfo:
    """One option as shown to people.

    Attributes:
        section: name of the settings file, without ``.json``.
        name: Python name; ``section.name`` is what ``SettingsChanged`` carries.
        key: name on disk, over HTTP and on the command line (camelCase).
        kind: which control to use; ``table`` is a list of rows or a mapping.
        default: value of a fresh installation, as JSON.
        restart: whether a change takes effect only after a restart.
        example: an example value of the file, None if the default says enough.
    """

    section: SectionName
    name: str
    key: str
    title: str
    help: str
    kind: FieldKind
    default: Any
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    restart: bool = False
    example: Any = None


def section_model(section: SectionName) -> type[SettingsModel]:
    annotation = Settings.model_fields[section].annotation
    assert isinstance(annotation, type)
    assert issubclass(annotation, SettingsModel)
    return annotation


def _kind(annotation: Any) -> tuple[FieldKind, tuple[str, ...]]:
    origin = typing.get_origin(annotation)
    if origin is Literal:
        return "choice", tuple(str(word) for word in typing.get_args(annotation))
    if origin is list and typing.get_args(annotation) == (str,):
        return "list", ()
    simple: dict[Any, FieldKind] = {bool: "bool", int: "int", float: "float", str: "text", NoneType: "text"}
    return simple.get(annotation, "table"), ()


def _bound(metadata: list[Any], *names: str) -> float | None:
    for constraint in metadata:
        for name in names:
            value = getattr(constraint, name, None)
            if value is not None:
                return float(value)
    return None


def _describe(section: SectionName) -> list[FieldInfo]:
    model = section_model(section)
    defaults = model().model_dump(mode="json")
    described = []
    for name, field in model.model_fields.items():
        kind, choices = _kind(field.annotation)
        extra = field.json_schema_extra
        described.append(
            FieldInfo(
                section=section,
                name=name,
                key=field.alias or name,
                title=field.title or name,
                help=field.description or "",
                kind=kind,
                default=defaults[name],
                minimum=_bound(field.metadata, "ge", "gt"),
                maximum=_bound(field.metadata, "le", "lt"),
                choices=choices,
                restart=bool(extra.get("restart")) if isinstance(extra, dict) else False,
                example=field.examples[0] if field.examples else None,
            )
        )
    return described


@cache
def all_fields() -> tuple[FieldInfo, ...]:
    """Return every option, in the order of its declaration."""
    return tuple(field for section in SECTIONS for field in _describe(section))


def find_field(name: str) -> FieldInfo | None:
    """Find an option by ``section.key``, ``section.name`` or, if unambiguous, the key or name alone."""
    section, _, rest = name.rpartition(".")
    fits = [f for f in all_fields() if rest in {f.key, f.name} and section in {"", f.section}]
    return fits[0] if len(fits) == 1 else None


def public_dict(settings: SettingsModel) -> dict[str, Any]:
    """Return a settings model with the keys used on disk and over HTTP."""
    return settings.model_dump(mode="json", by_alias=True)
