"""The Linux packages, made from a stand-in for the built folder."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from tests.unit.packaging.test_bootstrap import FOLDER, load

pytestmark = pytest.mark.skipif(
    any(shutil.which(program) is None for program in ("dpkg-deb", "tar", "zstd")),
    reason="dpkg-deb, tar and zstd make the packages; `python3 packaging/bootstrap.py test` installs them",
)


@pytest.fixture
def package(monkeypatch, qapp):
    monkeypatch.syspath_prepend(str(FOLDER))
    yield load("package")
    for name in ("machine", "macos", "mark", "windows"):
        sys.modules.pop(name, None)


@pytest.fixture
def built(tmp_path):
    """A folder with a program that a process can be told by: no script, whose process is its shell's."""
    folder = tmp_path / "built"
    folder.mkdir()
    shutil.copy(shutil.which("sleep"), folder / "memdesk")
    (folder / "library.so").write_bytes(b"\x7fELF\0GLIBC_2.99\0GLIBC_2.3.4\0GLIBC_PRIVATE\0")
    (folder / "notes.txt").write_text("GLIBC_2.100")
    return folder


def test_the_debian_package_holds_program_entry_icon_type_and_service(package, built, tmp_path):
    made = package.debian(built, tmp_path)
    listed = subprocess.run(["dpkg-deb", "-c", str(made)], capture_output=True, text=True, check=True).stdout
    for path in (
        "./usr/lib/memdesk/memdesk",
        "./usr/bin/memdesk -> ../lib/memdesk/memdesk",
        "./usr/share/applications/memdesk.desktop",
        "./usr/share/icons/hicolor/256x256/apps/memdesk.png",
        "./usr/share/mime/packages/memdesk.xml",
        "./usr/lib/systemd/user/memdesk.service",
    ):
        assert path in listed
    subprocess.run(["dpkg-deb", "-x", str(made), str(tmp_path / "root")], check=True)
    entry = (tmp_path / "root/usr/share/applications/memdesk.desktop").read_text().partition("\n\n[")[0].splitlines()
    # A backup that is double-clicked: its type, and a place for its name.
    assert {"Exec=memdesk gui %f", "MimeType=application/x-memdesk-backup;"} <= set(entry)
    control = tmp_path / "control"
    subprocess.run(["dpkg-deb", "-e", str(made), str(control)], check=True)
    for script in ("preinst", "prerm", "postrm"):
        assert "@" not in (control / script).read_text()
        subprocess.run(["sh", "-n", str(control / script)], check=True)
    depends = subprocess.run(
        ["dpkg-deb", "-f", str(made), "Depends"], capture_output=True, text=True, check=True
    ).stdout
    assert "libxcb-cursor0" in depends
    assert "libc6 (>= 2.99)" in depends


def test_removing_the_debian_package_says_where_memories_stay(home, tmp_path):
    (home / ".local/share/memdesk").mkdir(parents=True)
    users = tmp_path / "bin/getent"
    users.parent.mkdir()
    users.write_text(f"#!/bin/sh\necho ada:x:1000:1000::{home}:/bin/sh\n")
    users.chmod(0o755)
    told = subprocess.run(
        ["sh", str(FOLDER / "linux/postrm"), "purge"],
        env={"PATH": f"{users.parent}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"The memory of ada stays in {home}/.local/share/memdesk" in told
    assert "XDG_DATA_HOME" in told
    assert (home / ".local/share/memdesk").is_dir()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "user"


@pytest.fixture
def install(package, built, tmp_path, home):
    """Unpack the archive and return what runs its script as a user."""
    made = package.archive(built, tmp_path)
    subprocess.run(["tar", "--zstd", "-xf", str(made), "-C", str(tmp_path)], check=True)
    (script,) = tmp_path.glob("memdesk-*/install.sh")
    hidden = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    home.mkdir()

    def run(*arguments):
        command = [str(script), *arguments]
        return subprocess.run(command, env={**hidden, "HOME": str(home)}, capture_output=True, text=True, check=False)

    return run


def test_the_archive_installs_refuses_to_go_back_and_leaves_the_memory_when_removed(install, home):
    memory = home / ".local/share/memdesk/memory.db"
    memory.parent.mkdir(parents=True)
    memory.write_text("kept")

    assert install().returncode == 0
    program = home / ".local/bin/memdesk"
    assert subprocess.run([str(program), "0"], check=True).returncode == 0
    assert f"Exec={program} gui %f" in (home / ".local/share/applications/memdesk.desktop").read_text()

    # An older file that the new version does not have must not stay among its files.
    (home / ".local/opt/memdesk/stale.so").write_text("")
    assert install().returncode == 0
    assert not (home / ".local/opt/memdesk/stale.so").exists()

    (home / ".local/opt/memdesk/VERSION").write_text("99.0")
    with subprocess.Popen([str(program), "600"]) as running:
        refused = install()
        assert refused.returncode == 1
        assert "99.0 is installed" in refused.stderr
        assert running.poll() is None
        running.kill()

    assert install("--remove").returncode == 0
    assert not program.exists()
    assert memory.read_text() == "kept"


@pytest.mark.parametrize("arguments", [(), ("--remove",)])
def test_one_that_runs_is_closed_before_its_files_go(install, home, arguments):
    assert "is running" not in install().stdout
    program = home / ".local/bin/memdesk"
    with subprocess.Popen([str(program), "600"]) as running, subprocess.Popen([shutil.which("sleep"), "600"]) as other:
        done = install(*arguments)
        assert done.returncode == 0, done.stderr
        assert "memdesk is running: it is closed now" in done.stdout
        assert running.poll() == -signal.SIGTERM
        assert other.poll() is None
        other.kill()
