import json
import os
import subprocess
import sys

import pytest

from memdesk.cli.exits import Exit
from memdesk.cli.main import COMMANDS, chosen_command, make_parser, run
from memdesk.cli.output import print_table


@pytest.mark.parametrize(
    ("argv", "chosen"),
    [
        ([], None),
        (["--version"], None),
        (["search", "x"], "search"),
        (["--home", "serve", "search"], "search"),
        (["--home=serve", "--json", "agents"], "agents"),
    ],
)
def test_the_command_is_found_behind_global_options(argv, chosen):
    assert chosen_command(argv) == chosen


@pytest.mark.parametrize("name", [command[0] for command in COMMANDS])
def test_every_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as ended:
        make_parser(name).parse_args([name, "--help"])
    assert ended.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_version_imports_nothing_heavy():
    code = "import sys; from memdesk.cli.main import run\ntry: run(['--version'])\nexcept SystemExit: pass\n"
    heavy = "{'pydantic', 'fastapi', 'sqlcipher3', 'numpy', 'httpx', 'PySide6', 'llama_cpp', 'torch'}"
    code += f"print(sorted({heavy} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"
    assert out.startswith("memdesk ")


def test_settings_are_set_shown_and_reset_without_a_vault(capsys, home):
    assert run(["settings", "set", "memoryBudgetTokens", "900"]) == Exit.OK
    assert run(["settings", "get", "memory.memoryBudgetTokens"]) == Exit.OK
    assert json.loads(capsys.readouterr().out) == 900
    assert run(["settings", "reset", "memoryBudgetTokens"]) == Exit.OK
    assert run(["settings", "get", "memoryBudgetTokens", "--json"]) == Exit.OK
    assert json.loads(capsys.readouterr().out) == 800
    assert not (home / "memdesk" / "data").exists()


def test_a_bad_value_is_told_in_words_and_by_the_exit_code(capsys):
    assert run(["settings", "set", "memoryBudgetTokens", "90000"]) == Exit.USAGE
    assert "'memoryBudgetTokens' must be less than or equal to 16000" in capsys.readouterr().err


def test_an_unknown_name_is_answered_with_the_nearest(capsys):
    assert run(["settings", "get", "memoryBudget"]) == Exit.NOT_FOUND
    assert "memoryBudgetTokens" in capsys.readouterr().err


def test_with_json_an_error_is_json_too(capsys):
    assert run(["--json", "settings", "get", "nothing"]) == Exit.NOT_FOUND
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "not_found"


def test_lists_take_json_or_commas_and_booleans_take_words(capsys):
    run(["settings", "set", "allowedOrigins", "http://a,http://b"])
    run(["settings", "set", "memory.enabled", "off"])
    capsys.readouterr()
    run(["settings", "list", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["server"]["allowedOrigins"] == ["http://a", "http://b"]
    assert found["memory"]["enabled"] is False


@pytest.mark.parametrize("argv", [["settings", "get", "chatModel"], ["settings", "get", "chatModel", "--json"]])
def test_what_goes_to_a_file_is_utf8_whatever_the_code_page(home, argv):
    assert run(["settings", "set", "chatModel", "local:Ж→🐝"]) == Exit.OK
    command = [sys.executable, "-m", "memdesk", *argv]
    done = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "cp1252"}, capture_output=True, check=False)
    assert done.stderr == b""
    assert json.loads(done.stdout.decode("utf-8")) == "local:Ж→🐝"


def test_a_passphrase_that_is_no_text_is_refused_in_words(home, capfd):
    reader, writer = os.pipe()
    os.write(writer, b"\xff\xfe\n")
    os.close(writer)
    assert run(["--passphrase-fd", str(reader), "status"]) == Exit.USAGE
    assert "cannot be read" in capfd.readouterr().err


def test_what_others_wrote_does_not_steer_the_terminal(capsys):
    print_table([("wipe\x1b[2Jit\x9b1m", "Zoë 🐝")])
    assert capsys.readouterr().out == "wipe\N{REPLACEMENT CHARACTER}[2Jit\N{REPLACEMENT CHARACTER}1m  Zoë 🐝\n"
