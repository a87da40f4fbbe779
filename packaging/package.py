"""Makes what people install, from a built folder: python packaging/package.py [dist/memdesk] [OUT].

On Linux a Debian package and a portable archive with its own ``install.sh``, on Windows an MSI, on macOS a disk image.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "packaging" / "linux"
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT)]

import machine  # noqa: E402 -- the path first
import macos  # noqa: E402
import mark  # noqa: E402
import windows  # noqa: E402

#: What Debian calls this machine's processor.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CONTROL = """Package: memdesk
Version: {version}
Architecture: {architecture}
Maintainer: The memdesk developers <memdesk@localhost>
Installed-Size: {kib}
Depends: {depends}
Recommends: gnome-keyring | kwalletmanager
Section: utils
Priority: optional
Description: Long-term memory for chat agents, encrypted on this machine
 Chat with models that run here, with a memory that is kept in one encrypted
 database, found again when a question needs it, and shown, corrected and
 forgotten in a window, over a loopback server and on the command line.
"""


def version() -> str:
    """Return the version that the package declares."""
    text = (ROOT / "memdesk" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    assert found is not None
    return found[1]


def fill(source: Path, target: Path, mode: int = 0o644) -> None:
    """Copy a text file, with the version and what closes a running memdesk in their places."""
    target.parent.mkdir(parents=True, exist_ok=True)
    closing = (LINUX / "close.sh").read_text(encoding="utf-8").rstrip()
    text = source.read_text(encoding="utf-8").replace("@CLOSE@", closing).replace("@VERSION@", version())
    target.write_text(text, encoding="utf-8")
    target.chmod(mode)


def size_of(folder: Path) -> int:
    """Return the bytes of all files below a folder, links not followed."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())


def c_library(folder: Path) -> str:
    """Return what Debian calls the oldest C library that all programs below a folder run with."""
    programs = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    contents = (path.read_bytes() for path in programs)
    wanted = [name for told in contents if told.startswith(b"\x7fELF") for name in re.findall(rb"GLIBC_2\.(\d+)", told)]
    return f"libc6 (>= 2.{max(map(int, wanted))})"


def debian(built: Path, out: Path) -> Path:
    """Make the Debian package and return where it is."""
    architecture = ARCHITECTURES.get(platform.machine(), platform.machine())
    target = out / f"memdesk_{version()}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=out) as name:
        root = Path(name)
        root.chmod(0o755)
        shutil.copytree(built, root / "usr/lib/memdesk", symlinks=True)
        (root / "usr/bin").mkdir(parents=True)
        (root / "usr/bin/memdesk").symlink_to("../lib/memdesk/memdesk")
        share = root / "usr/share"
        fill(ROOT / "packaging/memdesk.desktop", share / "applications/memdesk.desktop")
        mark.draw(share / "icons/hicolor/256x256/apps/memdesk.png")
        fill(LINUX / "mime.xml", share / "mime/packages/memdesk.xml")
        fill(ROOT / "packaging/memdesk.service", root / "usr/lib/systemd/user/memdesk.service")
        fill(ROOT / "LICENSE", share / "doc/memdesk/copyright")
        libraries = [*machine.QT_LIBRARIES.values(), *machine.X11_LIBRARIES.values()]
        control = CONTROL.format(
            version=version(),
            architecture=architecture,
            kib=size_of(root) // 1024,
            depends=", ".join(sorted({c_library(built), *(packages[0] for packages in libraries)})),
        )
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(control, encoding="utf-8")
        for script in ("preinst", "prerm", "postrm"):
            fill(LINUX / script, root / "DEBIAN" / script, 0o755)
        command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "--build", str(root), str(target)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return target


def archive(built: Path, out: Path) -> Path:
    """Make the portable archive and return where it is."""
    name = f"memdesk-{version()}-linux-{platform.machine()}"
    target = out / f"{name}.tar.zst"
    with tempfile.TemporaryDirectory(dir=out) as temporary:
        root = Path(temporary) / name
        shutil.copytree(built, root / "memdesk", symlinks=True)
        (root / "memdesk/VERSION").write_text(version(), encoding="utf-8")
        fill(ROOT / "packaging/memdesk.desktop", root / "memdesk.desktop")
        mark.draw(root / "memdesk.png")
        fill(LINUX / "mime.xml", root / "memdesk.xml")
        fill(ROOT / "packaging/memdesk.service", root / "memdesk.service")
        fill(LINUX / "install.sh", root / "install.sh", 0o755)
        fill(ROOT / "LICENSE", root / "LICENSE")
        command = ["tar", "--zstd", "--owner=0", "--group=0", "-C", temporary, "-cf", str(target), name]
        subprocess.run(command, check=True)
    return target


def packages(built: Path, out: Path) -> list[Path]:
    """Make what this system's people install and return where it is."""
    if sys.platform == "win32":
        with tempfile.TemporaryDirectory() as name:
            return [windows.msi(built, out, version(), mark.draw(Path(name) / "memdesk.ico"))]
    if sys.platform == "darwin":
        return [macos.dmg(built, out, version())]
    return [debian(built, out), archive(built, out)]


def main(argv: list[str]) -> int:
    """Make the packages of this system."""
    names = {"win32": "memdesk", "darwin": "memdesk.app"}
    built = Path(argv[0]) if argv else ROOT / "dist" / names.get(sys.platform, "memdesk")
    out = Path(argv[1]) if len(argv) > 1 else ROOT / "dist"
    tools = {"win32": ("candle", "light"), "darwin": ("hdiutil",)}.get(sys.platform, ("dpkg-deb", "tar", "zstd"))
    missing = [program for program in tools if shutil.which(program) is None]
    if missing or not built.is_dir():
        print(f"Needed first: {', '.join(missing) or 'poe build'}")
        return 2
    out.mkdir(parents=True, exist_ok=True)
    print(f"{built}: {size_of(built) / 1e6:.0f} MB installed")
    for made in packages(built, out):
        print(f"{made}: {made.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
