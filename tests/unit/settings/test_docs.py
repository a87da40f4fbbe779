from memdesk.settings.docs import render_settings_page
from memdesk.settings.fields import all_fields, find_field
from memdesk.settings.resources import resource_text


def test_the_settings_page_is_current():
    assert resource_text("docs", "settings.md") == render_settings_page(), "run: memdesk settings docs --write"


def test_every_field_says_what_it_is():
    for field in all_fields():
        assert field.title
        assert field.help
        assert field.title != field.name


def test_bounds_and_choices_come_from_the_schema():
    budget = find_field("memory.memoryBudgetTokens")
    assert (budget.minimum, budget.maximum, budget.kind) == (0, 16_000, "int")
    mode = find_field("relevance_gate_mode")
    assert mode.kind == "choice"
    assert mode.choices == ("off", "heuristic", "llm")
    assert find_field("server.port").restart


def test_ambiguous_names_need_their_section():
    assert find_field("enabled") is None
    assert find_field("server.enabled").section == "server"
