"""Any settings that the schema accepts survive a round trip to disk, and over HTTP."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.services.events import EventBus
from memdesk.services.settings import SettingsService
from memdesk.settings.fields import SECTIONS, all_fields, public_dict, section_model
from memdesk.settings.store import SettingsStore, SettingsValueError

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=30)


def values_of(field):
    if field.name == "gate_phrases":
        return st.dictionaries(TEXT, st.lists(TEXT, max_size=2), max_size=2)
    if field.name == "remote_servers":
        names = TEXT.filter(lambda name: name.strip() and "/" not in name)
        server = st.fixed_dictionaries({"name": names, "base_url": st.sampled_from(("http://[::1]:9/v1", "https://x"))})
        return st.lists(server, max_size=2, unique_by=lambda entry: entry["name"])
    if field.name == "note_folders":
        folder = st.fixed_dictionaries(
            {"path": st.sampled_from(("/notes", "/home/ada/vault")), "append": st.booleans()}
        )
        return st.lists(folder, max_size=2, unique_by=lambda entry: entry["path"])
    if field.name == "tool_servers":
        names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", fullmatch=True)
        server = st.fixed_dictionaries({"name": names, "url": st.just("http://127.0.0.1:9/mcp")})
        return st.lists(server, max_size=2, unique_by=lambda entry: entry["name"])
    if field.name == "local_only_kinds":
        return st.lists(st.sampled_from(("health", "money", "credentials", "people")), unique=True)
    if field.name == "hub_url":
        return st.sampled_from(("https://huggingface.co", "http://127.0.0.1:8080/mirror", "http://[::1]:9"))
    if field.name == "qdrant_address":
        return st.sampled_from(("", "http://localhost:6333", "/srv/qdrant"))
    if field.name == "qdrant_collection":
        return st.from_regex(r"[a-z][a-z0-9_]{0,47}", fullmatch=True)
    if field.name == "quick_shortcut":
        return st.sampled_from(("", "Ctrl+Alt+Space", "Meta+F4"))
    if field.name == "host":
        return st.sampled_from(("127.0.0.1", "localhost", "::1", "desk.local"))
    return {
        "bool": st.booleans(),
        "int": st.integers(int(field.minimum or 0), int(field.maximum or 0)),
        "float": st.floats(field.minimum or 0, field.maximum or 0),
        "choice": st.sampled_from(field.choices or ("",)),
        "list": st.lists(TEXT, max_size=3),
        "text": TEXT,
    }[field.kind]


def sections(section):
    fields = [f for f in all_fields() if f.section == section]
    return st.fixed_dictionaries({f.key: values_of(f) for f in fields}).map(section_model(section).model_validate)


@pytest.mark.parametrize("section", SECTIONS)
@settings(max_examples=30)
@given(data=st.data())
def test_what_is_saved_is_what_is_loaded(section, data):
    values = data.draw(sections(section))
    with tempfile.TemporaryDirectory() as folder:
        store = SettingsStore(Path(folder))
        store.save(section, values)
        assert store.load_section(section) == values
        assert section_model(section).model_validate(public_dict(values)) == values


@pytest.mark.parametrize("field", [f for f in all_fields() if f.maximum is not None], ids=lambda f: f.key)
@settings(max_examples=20)
@given(beyond=st.floats(1e-6, 1e6))
def test_no_value_beyond_its_bounds_is_ever_accepted(field, beyond):
    with tempfile.TemporaryDirectory() as folder:
        service = SettingsService(SettingsStore(Path(folder)), EventBus())
        for value in (field.maximum + beyond, field.minimum - beyond):
            with pytest.raises(SettingsValueError):
                service.update(field.section, {field.key: value})
        assert list(Path(folder).iterdir()) == []
