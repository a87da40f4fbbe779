"""The Windows installer of a built folder, as WiX 3 source that both WiX's own tools and msitools' ``wixl`` turn into an MSI.

For every user of the machine, below Program Files, with an entry of the Start menu, the folder in the PATH, and backups that open with it. A
newer version replaces an older one and everything that it brought; an older one is refused in words. What memdesk remembers
lies in the user's own folders, which it never touches.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from xml.etree import ElementTree as ET

#: What all versions of the program are known by to Windows; never another.
UPGRADE_CODE = uuid.UUID("5d0b6f0a-6c0e-4d0b-9b3a-3d5f0a7f8c11")
NAMESPACE = "http://schemas.microsoft.com/wix/2006/wi"
#: The window's program, which opens no terminal.
WINDOW = "memdeskw.exe"


def source(built: Path, version: str, icon: Path) -> ET.ElementTree:
    """Return the source: each file is a component of its own, whose id stays the same from version to version.

    Args:
        built: the folder that PyInstaller made.
        version: ``x.y.z``.
        icon: of the Start menu and of the list of programs.
    """
    root = ET.Element("Wix", xmlns=NAMESPACE)
    product = add(root, "Product", Id="*", Name="memdesk", Language="1033", Version=version, Manufacturer="memdesk",
                  UpgradeCode=str(UPGRADE_CODE))  # fmt: skip
    add(product, "Package", InstallerVersion="500", Compressed="yes", InstallScope="perMachine")
    add(
        product,
        "MajorUpgrade",
        DowngradeErrorMessage="A newer version of memdesk is installed. Remove it first: your memory stays.",
    )
    add(product, "Media", Id="1", Cabinet="memdesk.cab", EmbedCab="yes")
    add(product, "Icon", Id="memdesk.ico", SourceFile=str(icon))
    add(product, "Property", Id="ARPPRODUCTICON", Value="memdesk.ico")
    target = add(product, "Directory", Id="TARGETDIR", Name="SourceDir")
    programs = add(target, "Directory", Id="ProgramFiles64Folder")
    install = add(programs, "Directory", Id="INSTALLDIR", Name="memdesk")
    components = fill(install, built, built)
    path = component(install, "path", keyed=True)
    add(path, "Environment", Id="path", Name="PATH", Value="[INSTALLDIR]", Part="last", Action="set", System="yes")
    menu = component(add(target, "Directory", Id="ProgramMenuFolder"), "menu", keyed=True)
    add(menu, "Shortcut", Id="menu", Name="memdesk", Target=f"[INSTALLDIR]{WINDOW}", WorkingDirectory="INSTALLDIR",
        Icon="memdesk.ico")  # fmt: skip
    backups = component(install, "backups", keyed=True)
    for key, value in (
        (".memdesk-backup", "memdesk.backup"),
        ("memdesk.backup", "memdesk backup"),
        (r"memdesk.backup\DefaultIcon", f"[INSTALLDIR]{WINDOW},0"),
        (r"memdesk.backup\shell\open\command", f'"[INSTALLDIR]{WINDOW}" gui "%1"'),
    ):
        add(backups, "RegistryValue", Root="HKLM", Key=rf"Software\Classes\{key}", Type="string", Value=value)
    feature = add(product, "Feature", Id="memdesk", Title="memdesk", Level="1")
    for name in (*components, *(one.attrib["Id"] for one in (path, menu, backups))):
        add(feature, "ComponentRef", Id=name)
    return ET.ElementTree(root)


def add(parent: ET.Element, name: str, **attributes: str) -> ET.Element:
    """Append an element."""
    return ET.SubElement(parent, name, attributes)


def component(parent: ET.Element, name: str, *, keyed: bool = False) -> ET.Element:
    """Append a component, known by a name; ``keyed``: it has no file, so that a value of the registry tells of it."""
    key = uuid.uuid5(UPGRADE_CODE, name)
    made = add(parent, "Component", Id=f"c{key.hex}", Guid=str(key), Win64="yes")
    if keyed:
        add(
            made,
            "RegistryValue",
            Root="HKCU",
            Key=r"Software\memdesk",
            Name=name,
            Type="integer",
            Value="1",
            KeyPath="yes",
        )
    return made


def fill(parent: ET.Element, folder: Path, built: Path) -> list[str]:
    """Append what a folder holds; return the ids of the components."""
    made = []
    for path in sorted(folder.iterdir()):
        name = path.relative_to(built).as_posix()
        if path.is_dir():
            inner = add(parent, "Directory", Id=f"d{uuid.uuid5(UPGRADE_CODE, name).hex}", Name=path.name)
            made += fill(inner, path, built)
            continue
        one = component(parent, name)
        add(one, "File", Id=f"f{uuid.uuid5(UPGRADE_CODE, name).hex}", Source=str(path), Name=path.name, KeyPath="yes")
        made.append(one.attrib["Id"])
    return made


def msi(built: Path, out: Path, version: str, icon: Path) -> Path:
    """Make the installer and return where it is; with ``wixl`` elsewhere than on Windows, which shows that the source is right.

    Raises:
        FileNotFoundError: neither WiX 3 nor ``wixl`` is there.
    """
    written, target = out / "memdesk.wxs", out / f"memdesk-{version}-windows-x64.msi"
    tree = source(built, version, icon)
    if sys.platform != "win32":
        # wixl 0.101 knows no variables of the environment, so the PATH is WiX's own alone, and finds files from where it runs.
        for one in tree.getroot().iter():
            for variable in one.findall("Environment"):
                one.remove(variable)
            for name in {"Source", "SourceFile"} & one.attrib.keys():
                one.set(name, os.path.relpath(one.attrib[name], out))
    ET.indent(tree)
    tree.write(written, encoding="utf-8", xml_declaration=True)
    if sys.platform == "win32":
        compiled = out / "memdesk.wixobj"
        subprocess.run([tool("candle"), "-nologo", "-arch", "x64", "-out", str(compiled), str(written)], check=True)
        # Old: a shortcut of the menu needs a value of the user's own registry, which ICE57 takes for a mistake.
        light = [tool("light"), "-nologo", "-sice:ICE57", "-spdb", "-out", str(target), str(compiled)]
        subprocess.run(light, check=True)
        compiled.unlink()
    else:
        subprocess.run([tool("wixl"), "--arch", "x64", "-o", target.name, written.name], check=True, cwd=out)
    written.unlink()
    return target


def tool(name: str) -> str:
    """Return where a program is."""
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed: WiX 3 on Windows, msitools' wixl elsewhere.")
    return found
