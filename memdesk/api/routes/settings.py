"""The settings, as in the window."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from pydantic import WithJsonSchema

from memdesk.api.auth import needs
from memdesk.api.feature import READ_OPTIONS, feature
from memdesk.api.params import FreeBody
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services
from memdesk.settings.fields import SECTIONS, SectionName, section_model


def _changes() -> dict[str, Any]:
    """Return the schema of changes, any part of each section, without references: the response's schema is the complete one."""
    found = []
    for section in SECTIONS:
        schema = section_model(section).model_json_schema()
        found.append(_written_out(schema, schema.pop("$defs", {})))
    return {"anyOf": found}


def _written_out(part: Any, named: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_written_out(each, named) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _written_out(named[part["$ref"].rpartition("/")[2]], named)
    return {name: _written_out(each, named) for name, each in part.items()}


#: Settings by name; errors are those of the settings themselves.
Changes = Annotated[FreeBody, WithJsonSchema(_changes())]


@feature("settings")
def router(routes: APIRouter, services: Services) -> None:
    settings = services.settings

    @routes.get("/memory/settings", dependencies=READ_OPTIONS, summary="Read settings")
    def read(section: SectionName = "memory") -> Response:
        return reply(getattr(settings.current, section))

    @routes.put("/memory/settings", dependencies=[Depends(needs("admin", whole=True))], summary="Change settings")
    def write(changes: Changes, section: SectionName = "memory") -> Response:
        return reply(getattr(settings.update(section, changes), section))

    @routes.get(
        "/memory/settings/fields", dependencies=READ_OPTIONS, summary="Every option with its default, bounds and help"
    )
    def fields() -> Response:
        return listed(settings.describe())
