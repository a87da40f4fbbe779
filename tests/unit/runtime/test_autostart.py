import plistlib
import sys
from types import SimpleNamespace

import pytest

from memdesk.errors import EnvironmentFault
from memdesk.runtime.autostart import set_start_at_login, start_command


def test_linux_entry_is_written_and_removed(tmp_path):
    entry = tmp_path / ".config" / "autostart" / "memdesk.desktop"
    for _ in range(2):
        set_start_at_login(on=True, home=tmp_path, platform="linux")
        assert "Exec=" in entry.read_text()
    for _ in range(2):
        set_start_at_login(on=False, home=tmp_path, platform="linux")
        assert not entry.exists()


def words_of(line):
    """Take an ``Exec`` line apart as a desktop does: the file's escapes, then quotes and field codes."""
    line = line.replace("\\\\", "\\")
    words, word, at, quoted = [], "", 0, False
    while at < len(line):
        sign = line[at]
        if sign == "\\" and quoted:
            at += 1
            word += line[at]
        elif sign == '"':
            quoted = not quoted
        elif sign == "%":
            at += 1
            assert line[at] == "%"
            word += "%"
        elif sign == " " and not quoted:
            words, word = [*words, word], ""
        else:
            word += sign
        at += 1
    return [*words, word]


@pytest.mark.parametrize(
    "program",
    ["/opt/memdesk/memdesk", "/home/ada/My Apps/mem desk", "/home/o'neil/100%/mem$desk", '/tmp/a "b"\\c`d`'],
)
def test_linux_entry_starts_a_built_app_wherever_it_is(tmp_path, monkeypatch, program):
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("sys.executable", program)
    set_start_at_login(on=True, home=tmp_path, platform="linux")
    text = (tmp_path / ".config" / "autostart" / "memdesk.desktop").read_text()
    (line,) = [line.removeprefix("Exec=") for line in text.splitlines() if line.startswith("Exec=")]
    assert words_of(line) == [program, "gui", "--hidden"]


def test_each_profile_has_an_entry_of_its_own(tmp_path):
    folder = tmp_path / ".config" / "autostart"
    work = ("--home", "/media/my disk", "--profile", "work")
    set_start_at_login(on=True, home=tmp_path, platform="linux")
    set_start_at_login(on=True, options=work, home=tmp_path, platform="linux")
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    assert len(texts) == 2
    (line,) = [
        line
        for name, text in texts.items()
        if name != "memdesk.desktop"
        for line in text.splitlines()
        if "Exec" in line
    ]
    assert words_of(line)[-6:] == [*work, "gui", "--hidden"]
    set_start_at_login(on=False, options=work, home=tmp_path, platform="linux")
    assert [path.name for path in folder.iterdir()] == ["memdesk.desktop"]


def test_windows_run_key_is_set_and_removed(monkeypatch):
    values = {}

    class Key:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    def delete(_key, name):
        try:
            del values[name]
        except KeyError:
            raise FileNotFoundError(2, "no such value") from None

    winreg = SimpleNamespace(
        HKEY_CURRENT_USER=1,
        KEY_SET_VALUE=2,
        REG_SZ=3,
        OpenKey=lambda *_: Key(),
        SetValueEx=lambda _key, name, _zero, _kind, value: values.update({name: value}),
        DeleteValue=delete,
    )
    monkeypatch.setitem(sys.modules, "winreg", winreg)
    monkeypatch.setattr("sys.frozen", True, raising=False)
    monkeypatch.setattr("sys.executable", r"C:\Program Files\memdesk\memdesk.exe")
    set_start_at_login(on=True, platform="win32")
    assert values == {"memdesk": r'"C:\Program Files\memdesk\memdesk.exe" gui --hidden'}
    for _ in range(2):
        set_start_at_login(on=False, platform="win32")
    assert values == {}


def test_macos_launch_agent_runs_the_same_command(tmp_path):
    set_start_at_login(on=True, home=tmp_path, platform="darwin")
    (agent,) = (tmp_path / "Library" / "LaunchAgents").iterdir()
    assert plistlib.loads(agent.read_bytes())["ProgramArguments"] == start_command()


def test_a_folder_that_cannot_be_written_is_told_in_words(tmp_path):
    (tmp_path / ".config").write_text("a file")
    with pytest.raises(EnvironmentFault, match="could not be changed"):
        set_start_at_login(on=True, home=tmp_path, platform="linux")


@pytest.mark.parametrize(("frozen", "name"), [(True, "memdesk"), (False, "python")])
def test_windows_opens_no_terminal_at_login(tmp_path, monkeypatch, frozen, name):
    monkeypatch.setattr("sys.frozen", frozen, raising=False)
    monkeypatch.setattr("sys.executable", str(tmp_path / f"{name}.exe"))
    assert start_command(platform="win32")[0] == str(tmp_path / f"{name}.exe")
    (tmp_path / f"{name}w.exe").touch()
    assert start_command(platform="win32")[0] == str(tmp_path / f"{name}w.exe")
    assert start_command(platform="linux")[0] == str(tmp_path / f"{name}.exe")
