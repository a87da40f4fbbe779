"""``memdesk settings``: show and change settings. Works without opening the vault."""

import argparse
import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memdesk.bootstrap.profile import MemorySecrets, make_catalogue, model_check
from memdesk.cli.backend import connect_running, paths_of
from memdesk.cli.output import note, print_json, print_table
from memdesk.domain.decoding import decode
from memdesk.errors import NotFoundError
from memdesk.runtime.here import EnginesHere
from memdesk.services.events import EventBus
from memdesk.services.settings import SettingsService
from memdesk.settings.docs import render_settings_page
from memdesk.settings.fields import FieldInfo, all_fields, find_field
from memdesk.settings.resources import resources_root
from memdesk.settings.store import SettingsStore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list all settings with their values (the default)")
    get = actions.add_parser("get", help="print one value as JSON")
    get.add_argument("name", help="section.key, for example memory.memoryBudgetTokens; the key alone when it is unique")
    put = actions.add_parser("set", help="change one value")
    put.add_argument("name")
    put.add_argument("value", help="JSON, or plain text")
    reset = actions.add_parser("reset", help="reset one value to its default")
    reset.add_argument("name")
    docs = actions.add_parser("docs", help="print the settings page of the documentation")
    docs.add_argument("--write", action="store_true", help="write it into resources/docs instead")


def run(options: argparse.Namespace) -> None:
    if options.action == "docs":
        _docs(write=options.write)
        return
    service = SettingsService(SettingsStore(paths_of(options).config), EventBus(), _check(options))
    if options.action in {None, "list"}:
        _list(service, as_json=options.json)
        return
    field = _find(options.name)
    if options.action == "get":
        print_json(_value(service, field))
        return
    value = field.default if options.action == "reset" else _parse(field, options.value)
    _change(options, service, field, value)
    when = " This takes effect at the next start." if field.restart else ""
    note(f"{field.section}.{field.key} is now {json.dumps(value, ensure_ascii=False)}.{when}")


def _check(options: argparse.Namespace) -> Callable[[str, Any], None]:
    """Return a check that rejects unavailable models, which are looked up if one is named."""

    def check(name: str, value: Any) -> None:
        paths = paths_of(options)
        engine = SettingsStore(paths.config).load().engine
        catalogue = make_catalogue(paths, lambda: engine, MemorySecrets(), EnginesHere())[2]
        model_check(catalogue)(name, value)

    return check


def _change(options: argparse.Namespace, service: SettingsService, field: FieldInfo, value: Any) -> None:
    """Change settings through the running instance, which writes the file; without one, write it here."""
    with connect_running(options) as client:
        if client is None:
            service.update(field.section, {field.key: value})
        else:
            client.put("/memory/settings", {field.key: value}, section=field.section)


def _list(service: SettingsService, *, as_json: bool) -> None:
    if as_json:
        print_json(service.current.model_dump(mode="json", by_alias=True))
        return
    rows = []
    for field in all_fields():
        value = _value(service, field)
        changed = "" if value == field.default else "changed"
        rows.append((f"{field.section}.{field.key}", json.dumps(value, ensure_ascii=False), changed, field.title))
    print_table(rows)


def _value(service: SettingsService, field: FieldInfo) -> Any:
    section = getattr(service.current, field.section)
    return section.model_dump(mode="json")[field.name]


def _find(name: str) -> FieldInfo:
    field = find_field(name)
    if field is not None:
        return field
    names = [f"{f.section}.{f.key}" for f in all_fields()]
    close = difflib.get_close_matches(name, [*names, *(f.key for f in all_fields())], n=1)
    hint = f"Did you mean '{close[0]}'?" if close else "memdesk settings list prints all names."
    raise NotFoundError(f"There is no single setting named '{name}'.", hint=hint)


def _parse(field: FieldInfo, text: str) -> Any:
    """Parse a value: JSON if the field is not text; a bare word for text and choices."""
    if field.kind in {"text", "choice"}:
        return text
    words = {"on": True, "yes": True, "off": False, "no": False}
    if field.kind == "bool" and text.casefold() in words:
        return words[text.casefold()]
    try:
        return decode(text)
    except ValueError:
        return text.split(",") if field.kind == "list" else text


def _docs(*, write: bool) -> None:
    page = render_settings_page()
    if write:
        target = Path(resources_root()) / "docs" / "settings.md"
        target.write_text(page, encoding="utf-8")
        note(f"Wrote {target}.")
    else:
        print(page)
