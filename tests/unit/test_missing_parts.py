"""An installation without its optional parts says which one is needed, and how to get it."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memdesk.errors import MissingPartError
from memdesk.runtime.child import _describe
from memdesk.runtime.supervisor import typed_error

#: Runs memdesk where some modules are not installed.
WITHOUT = """
import sys
hidden = set(sys.argv.pop(1).split(","))
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
from memdesk.__main__ import main
sys.exit(main())
"""


def memdesk_without(modules, *arguments):
    command = [sys.executable, "-c", WITHOUT, modules, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_window_without_qt_names_the_extra():
    done = memdesk_without("PySide6", "gui")
    assert done.returncode != 0
    assert "PySide6" in done.stderr
    assert 'pip install "memdesk[desktop]"' in done.stderr
    assert "Traceback" not in done.stderr


def test_other_commands_need_no_optional_part():
    done = memdesk_without(
        "PySide6,llama_cpp,sentence_transformers,torch,markdown_it,pygments", "--json", "doctor", "paths"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)


@pytest.mark.parametrize(
    ("module", "extra"), [("llama_cpp", "local"), ("torch._C", "torch"), ("sentence_transformers", "torch")]
)
def test_an_engine_process_reports_missing_parts_to_the_app(module, extra):
    error = typed_error(_describe(ModuleNotFoundError(f"No module named {module!r}", name=module)))
    assert isinstance(error, MissingPartError)
    assert f"memdesk[{extra}]" in error.hint


def test_a_failed_import_of_anything_else_is_no_missing_part():
    assert MissingPartError.of(ModuleNotFoundError("No module named 'numpy'", name="numpy")) is None


def test_a_package_to_which_nothing_can_be_added_does_not_send_to_pip_for_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    lacks = MissingPartError.of(ModuleNotFoundError("No module named 'chromadb'", name="chromadb"))
    assert "package does not include it" in lacks.hint
    assert "by pip" in lacks.hint


def test_every_extra_that_is_named_exists():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(MissingPartError.EXTRAS.values()) <= project["optional-dependencies"].keys()
