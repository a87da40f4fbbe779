import importlib.util
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "packaging"


def load(name):
    spec = importlib.util.spec_from_file_location(f"memdesk_packaging_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def bootstrap(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.delitem(sys.modules, "machine", raising=False)
    module = load("bootstrap")
    for name, value in {"VENV": tmp_path, "STAMP": tmp_path / "stamp", "PYTHON": Path(sys.executable)}.items():
        monkeypatch.setattr(module, name, value)
    yield module
    sys.modules.pop("machine", None)


@pytest.fixture
def machine():
    return load("machine")


@pytest.mark.parametrize(
    ("argv", "command", "passed"),
    [
        ([], "run", []),
        (["run"], "run", []),
        (["serve", "--", "--port", "0"], "serve", ["--port", "0"]),
        (["test", "--", "-k", "x"], "test", ["-k", "x"]),
        (["--", "doctor", "--json"], "", ["doctor", "--json"]),
    ],
)
def test_what_follows_the_dashes_is_passed_on(bootstrap, argv, command, passed):
    assert bootstrap.parse(argv) == (command, passed)


def test_the_stamp_says_whether_anything_has_to_be_installed(bootstrap, monkeypatch):
    assert not bootstrap.installed("desktop,local")
    bootstrap.STAMP.write_text(f"{bootstrap.fingerprint()} dev\n")
    assert bootstrap.installed("desktop,local")
    assert bootstrap.installed("dev")
    bootstrap.STAMP.write_text(f"{bootstrap.fingerprint()} desktop,local\n")
    assert bootstrap.installed("desktop,local")
    assert not bootstrap.installed("dev")
    monkeypatch.setattr(bootstrap, "PYTHON", bootstrap.VENV / "gone")
    assert not bootstrap.installed("desktop,local")


def test_a_python_that_is_too_old_is_named_with_what_helps(machine, monkeypatch):
    monkeypatch.setattr(machine.sys, "version_info", (3, 8, 1))
    with pytest.raises(machine.MissingError, match=r"needs Python 3\.11 or newer; this is 3\.8\.1"):
        machine.check_python()


def test_no_compiler_is_told_before_anything_is_downloaded(machine, monkeypatch):
    monkeypatch.setattr(machine, "compiler", lambda: None)
    monkeypatch.setattr(machine.shutil, "which", lambda name: "/x" if name == "dnf" else None)
    monkeypatch.setattr(machine.sys, "platform", "linux")
    with pytest.raises(machine.MissingError, match="sudo dnf install gcc-c\\+\\+ make"):
        machine.check_compiler(wheel_at_hand=False)
    machine.check_compiler(wheel_at_hand=True)


def test_missing_system_libraries_are_named_with_the_command(machine, monkeypatch):
    def refuse(name):
        if name in {"libEGL.so.1", "libxkbcommon.so.0"}:
            raise OSError(name)

    monkeypatch.setattr(machine.ctypes, "CDLL", refuse)
    monkeypatch.setattr(machine.sys, "platform", "linux")
    monkeypatch.setattr(machine.shutil, "which", lambda name: "/x" if name == "apt-get" else None)
    with pytest.raises(machine.MissingError) as missing:
        machine.check_qt()
    assert "libEGL.so.1, libxkbcommon.so.0" in str(missing.value)
    assert "sudo apt-get install libegl1 libxkbcommon0" in str(missing.value)


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("CMake Error: CMAKE_CXX_COMPILER not set", "compiler"),
        ("Temporary failure in name resolution", "could not be reached"),
        ("ERROR: No matching distribution found for torch==2.13.0", "no release for this Python"),
        ("anything else", "goes on where it stopped"),
    ],
)
def test_a_failed_installation_is_explained(machine, log, words):
    assert words in machine.explain(log)


def test_a_display_is_told_from_the_environment(machine, monkeypatch):
    monkeypatch.setattr(machine.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert not machine.has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert machine.has_display()


def test_pips_output_is_shown_in_few_words(bootstrap):
    assert bootstrap.what_it_does("Collecting torch==2.13.0 (from memdesk)\n") == "Collecting torch==2.13.0"
    assert bootstrap.what_it_does("Installing collected packages: a, b, c") == "Installing 3 packages"
    assert bootstrap.what_it_does("  Using cached x.whl") == ""


def test_uv_installs_from_where_pip_would(bootstrap, monkeypatch, tmp_path):
    settings = tmp_path / "pip.conf"
    settings.write_text(
        "[global]\nindex-url = https://a.example/simple\nfind-links = /far\ncert = /ca.pem\n"
        "[install]\nextra-index-url =\n    https://b.example\n    https://c.example\n"
        "[download]\nindex-url = https://no.example\n"
    )
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels /more")
    monkeypatch.setenv("SSL_CERT_FILE", "/mine.pem")
    assert bootstrap.as_uv_says(bootstrap.pip_settings()) == {
        "UV_DEFAULT_INDEX": "https://a.example/simple",
        "UV_FIND_LINKS": "/wheels,/more",
        "UV_EXTRA_INDEX_URL": "https://b.example https://c.example",
    }


@pytest.mark.parametrize(
    ("extra", "fails", "by"), [("dev", "", "uv"), ("desktop,local", "", "uv"), ("dev", "uv", "pip")]
)
def test_what_uv_cannot_install_pip_does(bootstrap, monkeypatch, extra, fails, by):
    done = []

    def fetch(command, label, _expect="", **_more):
        if command[2] == fails:
            raise bootstrap.machine.MissingError(label)
        done.append(command)

    for name in ("check_venv_module", "check_compiler"):
        monkeypatch.setattr(bootstrap.machine, name, lambda *_: None)
    monkeypatch.setattr(bootstrap, "LOG", bootstrap.VENV / "log")
    monkeypatch.setattr(bootstrap, "ROOT", bootstrap.VENV)
    monkeypatch.setattr(bootstrap, "CONSTRAINTS", bootstrap.VENV / "c.txt")
    monkeypatch.setattr(bootstrap, "fingerprint", lambda: "today")
    monkeypatch.setattr(bootstrap, "has_package", lambda name: name == "pip")
    monkeypatch.setattr(bootstrap, "fetch", fetch)
    bootstrap.install(extra)
    compiled, rest = done
    assert compiled[-4:] == ["--no-deps", bootstrap.ENGINE, "hnswlib", "uv"]
    assert f"{bootstrap.VENV}[{extra}]" in rest
    assert rest[2] == by
    assert ("--compile-bytecode" in rest) == (extra != "dev")
    assert bootstrap.installed(extra)


def test_the_checks_are_those_of_the_task_runner(bootstrap):
    steps = bootstrap.checks(["-k", "gate"])
    commands = [" ".join(command) for command in steps.values()]
    assert [command.split()[0] for command in commands] == ["ruff", "ruff", "mypy", "lint-imports", "pytest", "pytest"]
    assert all(command.endswith("-k gate") for command in commands if command.startswith("pytest"))
    assert all(
        ("--no-cov" in command) == ("--cov" in command.split()) for command in commands
    )  # of a part there is no floor
    assert not any("-k gate" in command for command in commands if command.startswith("ruff"))


@pytest.mark.parametrize(
    ("codes", "outcome", "code"),
    [([0, 0], "ok", 0), ([0, 1, 0], "flaky", 0), ([0, 1, 1], "FAILED", 1), ([1, 0], "FAILED", 1)],
)
def test_a_test_that_fails_is_run_once_more_by_itself(bootstrap, monkeypatch, capfd, codes, outcome, code):
    monkeypatch.setattr(bootstrap, "checks", lambda _more: {"lint": ["ruff"], "test": ["pytest", "tests"]})
    left, again = list(codes), []

    def call(command, **_how):
        assert ("--last-failed" in command) == ("--no-cov" in command)  # a few tests cover little
        again.append("--last-failed" in command)
        return left.pop(0)

    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    assert bootstrap.test([]) == code
    assert outcome in capfd.readouterr().err
    assert not left
    assert again.count(True) == len(codes) - 2


class TestSystemPackages:
    """What tests need beyond pip, on a machine that lacks it."""

    @pytest.fixture
    def bare(self, bootstrap, monkeypatch):
        """A Debian without a keyring daemon; what is asked of its package manager is noted."""
        machine = bootstrap.machine
        asked = []
        monkeypatch.setattr(bootstrap, "engine_at_hand", lambda: True)
        monkeypatch.setattr(machine, "missing_libraries", lambda x11: [])
        found = {
            "strace": "/usr/bin/strace",
            "apt-get": "/usr/bin/apt-get",
            "dbus-run-session": "/usr/bin/dbus-run-session",
            "zstd": "/usr/bin/zstd",
        }
        monkeypatch.setattr(machine.shutil, "which", found.get)
        monkeypatch.setattr(machine.sys, "platform", "linux")

        def install(command, **_):
            asked.append(command)
            found["gnome-keyring-daemon"] = "/usr/bin/gnome-keyring-daemon"
            return subprocess.CompletedProcess(command, 0)

        monkeypatch.setattr(machine.subprocess, "run", install)
        return asked

    def test_are_named_with_their_command_and_tests_go_on_without_them(self, bootstrap, bare, monkeypatch, capsys):
        monkeypatch.delenv("CI", raising=False)
        monkeypatch.setattr(bootstrap.sys, "stdin", io.StringIO())
        bootstrap.offer_system_packages()
        said = capsys.readouterr().err
        assert "gnome-keyring-daemon" in said
        assert "sudo apt-get install gnome-keyring" in said
        assert "will be skipped" in said
        assert bare == []

    def test_are_installed_where_ci_runs(self, bootstrap, bare, monkeypatch, capsys):
        monkeypatch.setenv("CI", "true")
        bootstrap.offer_system_packages()
        assert "gnome-keyring" in bare[-1]
        assert "will be skipped" not in capsys.readouterr().err
