"""The documentation is complete: every route, every command, every exit code."""

import ast
import re

import pytest

from memdesk.cli.exits import Exit
from memdesk.cli.main import COMMANDS
from memdesk.settings.resources import resource_text, resources_root


def test_every_route_is_on_the_http_page(tmp_path):
    from memdesk.api.app import create_app
    from memdesk.bootstrap.throwaway import throwaway

    page = resource_text("docs", "http.md")
    with throwaway(tmp_path, embedder=lambda: None) as app:
        served = {path for path in (getattr(route, "path", "") for route in create_app(app.services).routes) if path}
    named = {word for cell in re.findall(r"`([^`]*)`", page) for word in re.findall(r"/[\w/{}.-]*", cell)}
    # The page says of mem0's addresses, once, that each may end with a slash.
    wanted = {path.replace(":path}", "}").rstrip("/") or "/" for path in served}
    assert "/memory/search" in wanted
    assert wanted - named == set()


@pytest.mark.parametrize("command", [name for name, _, _ in COMMANDS])
def test_every_command_is_on_the_command_line_page(command):
    assert f"`{command}" in resource_text("docs", "cli.md")


def test_every_exit_code_is_on_the_command_line_page():
    page = resource_text("docs", "cli.md")
    for code in Exit:
        assert re.search(rf"^\| {code.value} \|", page, re.MULTILINE), code


def test_links_between_pages_lead_somewhere():
    root = resources_root().parent
    for page in [root / "README.md", *(root / "resources" / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in link:
                assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_every_test_that_the_docs_name_is_there():
    root = resources_root().parent
    page = resource_text("docs", "protocols.md")
    named = set(re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", page))
    for table in re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE):
        head, _, *rows = (line.strip().strip("|").split("|") for line in table.strip().split("\n"))
        files = [re.search(r"`(tests/[\w/]+\.py)`", cell) for cell in head]
        for row in rows:
            assert len(row) == len(head), row[0]
            found = [re.fullmatch(r"`(test_\w+)`", cell.strip()) for cell in row]
            named |= {(file[1], test[1]) for file, test in zip(files, found, strict=True) if file and test}
    assert len(named) > 60
    for file, test in sorted(named):
        assert re.search(rf"^(?:async )?def {test}\(", (root / file).read_text(encoding="utf-8"), re.MULTILINE), test


def test_every_function_of_the_walks_is_where_they_say():
    root = resources_root().parent / "memdesk"
    places = re.findall(r"`([\w/]+\.py)` ((?:`[\w.]+`(?:, )?)+)", resource_text("docs", "walks.md"))
    assert len(places) > 40
    for file, names in places:
        for name in re.findall(r"`([\w.]+)`", names):
            held = ast.parse((root / file).read_text(encoding="utf-8")).body
            for part in name.split("."):
                found = [node for node in held if getattr(node, "name", None) == part]
                assert found, f"{file} has no {name}"
                held = getattr(found[0], "body", [])
