"""What this machine lacks, in words, with the command that helps. Standard library only.

Parses on old Pythons too, so that ``bootstrap.py`` can say that they are too old.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST_PYTHON = (3, 11)

# Shared libraries that Qt's platform plugins load, with the package that holds each: (apt, dnf, pacman).
QT_LIBRARIES = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2"),
}
X11_LIBRARIES = {
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb", "libxcb"),
}
# What tests start besides: a session bus and a Secret Service of their own.
TEST_PROGRAMS = {
    "dbus-run-session": ("dbus", "dbus-daemon", "dbus"),
    "gnome-keyring-daemon": ("gnome-keyring", "gnome-keyring", "gnome-keyring"),
    "zstd": ("zstd", "zstd", "zstd"),
    "strace": ("strace", "strace", "strace"),
}
MANAGERS = (
    ("apt-get", "sudo apt-get install", 0),
    ("dnf", "sudo dnf install", 1),
    ("pacman", "sudo pacman -S", 2),
)
#: The managers' flags for an installation without questions.
UNASKED = {
    "apt-get": ["-y", "-qq", "--no-install-recommends"],
    "dnf": ["-y", "-q"],
    "pacman": ["--noconfirm", "--needed"],
}
COMPILER_PACKAGES = ("build-essential", "gcc-c++ make", "base-devel")
VENV_PACKAGES = ("python3-venv", "python3", "python")


class MissingError(Exception):
    """Something has to be installed by the user first; the text says what and how."""


def install_command(names: tuple[tuple[str, ...], ...] | list[tuple[str, ...]]) -> str:
    """Return the system's own command that installs packages given as (apt, dnf, pacman) names."""
    for program, command, column in MANAGERS:
        if shutil.which(program):
            wanted = dict.fromkeys(name[column] for name in names)
            return "{} {}".format(command, " ".join(wanted))
    return "install with your package manager: " + " ".join(dict.fromkeys(name[0] for name in names))


def newer_python() -> str | None:
    """Return another Python on the PATH that is new enough, when this one is not."""
    for minor in range(20, OLDEST_PYTHON[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            return found
    return None


def check_python() -> None:
    """Stop on a Python that is too old."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        have = ".".join(str(part) for part in sys.version_info[:3])
        want = ".".join(str(part) for part in OLDEST_PYTHON)
        message = f"memdesk needs Python {want} or newer; this is {have}."
        hints = {
            "darwin": "brew install python@3.12, then: python3.12 packaging/bootstrap.py run",
            "win32": "winget install Python.Python.3.12, then: py -3.12 packaging\\bootstrap.py run",
        }
        hint = hints.get(sys.platform, "Install python3.11 or newer, then start this script with it.")
        raise MissingError(f"{message}\n  {hint}")


def has_venv_module() -> bool:
    """Whether ``venv`` and ``ensurepip`` are there; some distributions split them off."""
    return all(importlib.util.find_spec(name) for name in ("ensurepip", "venv"))


def check_venv_module() -> None:
    """Stop when this Python cannot make virtual environments."""
    if not has_venv_module():
        text = "This Python cannot make virtual environments (module 'venv' or 'ensurepip' is missing)."
        raise MissingError(f"{text}\n  {install_command([VENV_PACKAGES])}")


def compiler() -> str | None:
    """Return the C++ compiler that a build would find, or None."""
    if os.environ.get("CXX"):
        return shutil.which(os.environ["CXX"].split()[0])
    if sys.platform == "win32":
        return shutil.which("cl") or _visual_studio()
    if sys.platform == "darwin":
        # /usr/bin/c++ is a placeholder until the command line tools are there.
        probe = subprocess.run(["xcode-select", "-p"], capture_output=True, check=False)
        return shutil.which("c++") if probe.returncode == 0 else None
    return shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")


def _visual_studio() -> str | None:
    programs = os.environ.get("PROGRAMFILES(X86)", "")  # Windows does not mind the case
    where = Path(programs) / "Microsoft Visual Studio" / "Installer" / "vswhere.exe"
    if not where.is_file():
        return None
    tools = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64"
    asked = [str(where), "-latest", "-products", "*", "-requires", tools, "-property", "installationPath"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


def check_compiler(wheel_at_hand: bool) -> None:
    """Stop when llama.cpp has to be built and there is no C++ compiler.

    Args:
        wheel_at_hand: an earlier build is installed or in pip's cache.
    """
    if wheel_at_hand or compiler():
        return
    hints = {
        "darwin": "xcode-select --install",
        "win32": 'winget install Microsoft.VisualStudio.2022.BuildTools (with "Desktop development with C++")',
    }
    hint = hints.get(sys.platform) or install_command([COMPILER_PACKAGES])
    raise MissingError(f"No C++ compiler was found; the model engine (llama.cpp) is built on this machine.\n  {hint}")


def missing_libraries(x11: bool) -> list[tuple[str, tuple[str, str, str]]]:
    """Return shared libraries that Qt needs and this Linux lacks, with their packages."""
    if not sys.platform.startswith("linux"):
        return []
    wanted = dict(QT_LIBRARIES)
    if x11:
        wanted.update(X11_LIBRARIES)
    missing = []
    for library, packages in wanted.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing.append((library, packages))
    return missing


def missing_for_tests(wheel_at_hand: bool) -> dict[str, tuple[str, str, str]]:
    """Return what the tests need of this Linux and it lacks, with the packages that hold it.

    Args:
        wheel_at_hand: a build of the model engine is installed or in pip's cache, so no compiler is needed.
    """
    if not sys.platform.startswith("linux"):
        return {}
    missing = dict(missing_libraries(x11=True))
    missing.update({name: packages for name, packages in TEST_PROGRAMS.items() if not shutil.which(name)})
    if not wheel_at_hand and not compiler():
        missing["a C++ compiler"] = COMPILER_PACKAGES
    if not has_venv_module():
        missing["Python's venv"] = VENV_PACKAGES
    return missing


def install_packages(wanted: list[tuple[str, ...]]) -> bool:
    """Install packages given as (apt, dnf, pacman) names; return whether the system's manager did it."""
    found = next((row for row in MANAGERS if shutil.which(row[0])), None)
    if found is None:
        return False
    program, _, column = found
    names = [name for packages in wanted for name in packages[column].split()]
    root = [] if os.geteuid() == 0 else ["sudo"]
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    steps = [[program, "update", "-qq"]] if program == "apt-get" else []
    steps.append([program, "-S" if program == "pacman" else "install", *UNASKED[program], *names])
    quiet = subprocess.DEVNULL
    return all(
        subprocess.run([*root, *step], env=environment, stdout=quiet, check=False).returncode == 0 for step in steps
    )


def check_qt() -> None:
    """Stop when the window could not open for want of system libraries."""
    x11 = bool(os.environ.get("DISPLAY")) and not os.environ.get("WAYLAND_DISPLAY")
    missing = missing_libraries(x11)
    if missing:
        names = ", ".join(library for library, _ in missing)
        command = install_command([packages for _, packages in missing])
        raise MissingError(f"Qt needs system libraries that are not installed: {names}.\n  {command}")


def has_display() -> bool:
    """Whether a window can be shown. An explicit ``QT_QPA_PLATFORM`` is believed."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def explain(log: str) -> str:
    """Return a hint for a failed installation, read from the end of pip's output."""
    if re.search(r"No space left on device|Errno 28", log):
        return "The disk is full: an installation needs about 3 GB."
    if re.search(r"CMAKE_CXX_COMPILER|No CMAKE_C_COMPILER|command '(gcc|g\+\+|cc|c\+\+)' failed", log):
        return "The C++ build failed. Is the compiler complete? " + install_command([COMPILER_PACKAGES])
    if re.search(r"NewConnectionError|Temporary failure in name resolution|ReadTimeout|Connection(Error|Reset)", log):
        return "The package index could not be reached. Run the same command again: it goes on where it stopped."
    if "No matching distribution found" in log:
        return "A package has no release for this Python version or platform; Python 3.11 to 3.13 are tried."
    return "Run the same command again: it goes on where it stopped."
