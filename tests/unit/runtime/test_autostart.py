import plistlib

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


def test_macos_launch_agent_runs_the_same_command(tmp_path):
    set_start_at_login(on=True, home=tmp_path, platform="darwin")
    (agent,) = (tmp_path / "Library" / "LaunchAgents").iterdir()
    assert plistlib.loads(agent.read_bytes())["ProgramArguments"] == start_command()


def test_a_folder_that_cannot_be_written_is_told_in_words(tmp_path):
    (tmp_path / ".config").write_text("a file")
    with pytest.raises(EnvironmentFault, match="could not be changed"):
        set_start_at_login(on=True, home=tmp_path, platform="linux")
