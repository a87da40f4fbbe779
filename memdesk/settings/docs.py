"""Renders the settings page of the documentation from the schema."""

import inspect
import json

from memdesk.settings.fields import SECTIONS, FieldInfo, SectionName, all_fields, section_model

HEADER = """# Settings

<!-- Made by `memdesk settings docs` from memdesk/settings/schema.py. Do not edit. -->

Each section is one JSON file in the config folder (`memdesk doctor` prints where that is). The window, the
command `memdesk settings` and `GET`/`PUT /memory/settings` read and write the same fields. A file with an
unknown key or a value out of bounds is refused with the name of the field; it is never overwritten.
"""


def render_settings_page() -> str:
    """Return ``resources/docs/settings.md``."""
    return "\n".join([HEADER, *(_section(section) for section in SECTIONS)])


def _section(section: SectionName) -> str:
    summary = (inspect.getdoc(section_model(section)) or "").partition(": ")[2].capitalize()
    rows = [_row(field) for field in all_fields() if field.section == section]
    head = ["| key | default | allowed | what it does |", "|---|---|---|---|"]
    return "\n".join([f"## {section}.json", "", summary, "", *head, *rows, ""])


def _row(field: FieldInfo) -> str:
    restart = " Takes effect at the next start." if field.restart else ""
    text = f"**{field.title}.** {field.help}{restart}"
    cells = (f"`{field.key}`", f"`{json.dumps(field.default)}`", _allowed(field), text)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _allowed(field: FieldInfo) -> str:
    if field.choices:
        return ", ".join(f"`{choice}`" for choice in field.choices)
    if field.minimum is not None and field.maximum is not None:
        return f"{field.minimum:g} to {field.maximum:g}"
    if field.example is not None:
        return f"for example `{json.dumps(field.example)}`"
    words = {"bool": "true, false", "list": "list of texts", "text": "text"}
    return words.get(field.kind, field.kind)
