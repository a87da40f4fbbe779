"""The installers of Windows and macOS, as far as they can be tested elsewhere: their sources, and an MSI made by ``wixl``."""

import base64
import os
import shutil
import subprocess
import sys
import tomllib
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.unit.packaging.test_bootstrap import FOLDER, load

ROOT = FOLDER.parent


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return load


@pytest.fixture
def built(tmp_path):
    folder = tmp_path / "built"
    (folder / "_internal" / "a" / "b").mkdir(parents=True)
    for name in ("memdesk.exe", "memdeskw.exe", "_internal/x.dll", "_internal/a/x.dll", "_internal/a/b/ü & co.txt"):
        (folder / name).write_bytes(name.encode())
    (tmp_path / "memdesk.ico").write_bytes(b"\0\0\1\0")
    return folder


def elements(tree, name):
    return tree.getroot().findall(f".//{name}") or tree.getroot().findall(f".//{{*}}{name}")


def test_every_file_is_in_the_installer_once_under_ids_that_stay(module, built, tmp_path):
    windows = module("windows")
    first = windows.source(built, "0.1.0", tmp_path / "memdesk.ico")
    files = [each.attrib["Source"] for each in elements(first, "File")]
    assert sorted(files) == sorted(str(path) for path in built.rglob("*") if path.is_file())
    for name in ("Component", "File", "Directory"):
        ids = [each.attrib["Id"] for each in elements(first, name)]
        assert len(ids) == len(set(ids))
        # Windows Installer takes no longer ones.
        assert max(map(len, ids)) <= 72
    named = {each.attrib["Id"] for each in elements(first, "Component")}
    assert named == {each.attrib["Id"] for each in elements(first, "ComponentRef")}
    (built / "new.txt").write_text("new")
    later = windows.source(built, "0.2.0", tmp_path / "memdesk.ico")
    guids = {each.attrib["Id"]: each.attrib["Guid"] for each in elements(first, "Component")}
    assert guids.items() < {each.attrib["Id"]: each.attrib["Guid"] for each in elements(later, "Component")}.items()
    (variable,) = elements(first, "Environment")
    assert (variable.attrib["Name"], variable.attrib["Value"]) == ("PATH", "[INSTALLDIR]")
    values = {each.attrib["Key"]: each.attrib["Value"] for each in elements(first, "RegistryValue")}
    assert values[r"Software\Classes\.memdesk-backup"] == "memdesk.backup"
    assert values[r"Software\Classes\memdesk.backup\shell\open\command"] == '"[INSTALLDIR]memdeskw.exe" gui "%1"'
    assert ET.tostring(first.getroot()).count(str(windows.UPGRADE_CODE).encode()) == 1


@pytest.mark.skipif(
    sys.platform == "win32" or not all(map(shutil.which, ("wixl", "msiextract", "msiinfo"))),
    reason="msitools' wixl, msiextract and msiinfo make and read an MSI",
)
def test_an_msi_is_made_that_holds_the_folder(module, built, tmp_path):
    made = module("windows").msi(built, tmp_path, "0.1.0", tmp_path / "memdesk.ico")
    out = tmp_path / "out"
    subprocess.run(["msiextract", "-C", str(out), str(made)], check=True, capture_output=True)
    (inside,) = out.rglob("memdesk.exe")
    for path in built.rglob("*"):
        if path.is_file():
            assert (inside.parent / path.relative_to(built)).read_bytes() == path.read_bytes()

    def table(name):
        return subprocess.run(["msiinfo", "export", str(made), name], check=True, capture_output=True, text=True).stdout

    assert "memdeskw.exe" in table("Shortcut")
    assert "0.1.0" in table("Property")
    assert "A newer version of memdesk is installed" in table("LaunchCondition") + table("CustomAction") + table(
        "Error"
    )


def test_a_disk_image_is_signed_where_a_certificate_is_named_and_else_is_not(module, tmp_path):
    macos = module("macos")
    app, target = tmp_path / "image" / "memdesk.app", tmp_path / "memdesk.dmg"

    def programs(environment):
        return [command[0] for command in macos.commands(app, app.parent, target, environment)]

    assert programs({}) == ["hdiutil"]
    assert programs({"MEMDESK_NOTARY_PROFILE": "p"}) == ["hdiutil"]
    signed = {"MEMDESK_SIGN_AS": "Developer ID Application: Ada"}
    assert programs(signed) == ["codesign", "codesign", "hdiutil", "codesign"]
    assert programs(signed | {"MEMDESK_NOTARY_PROFILE": "p"})[-2:] == ["xcrun", "xcrun"]
    assert ET.fromstring(macos.ENTITLEMENTS).tag == "plist"


def test_the_recipe_of_the_packages_asks_for_what_is_there():
    recipe = yaml.safe_load((ROOT / ".github" / "workflows" / "packages.yml").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    job = recipe["jobs"]["package"]
    ran = " ".join(step.get("run", "") for step in job["steps"])
    for task in ("build", "smoke", "package"):
        assert f"poe {task}" in {step.get("run") for step in job["steps"]}
        assert task in project["tool"]["poe"]["tasks"]
    extras = ran.split('-e ".[')[1].split("]")[0].split(",")
    assert set(extras) <= project["project"]["optional-dependencies"].keys()
    assert {each["system"].split("-")[0] for each in job["strategy"]["matrix"]["include"]} == {
        "ubuntu",
        "windows",
        "macos",
    }


@pytest.mark.parametrize("given", ["nothing", "a certificate", "a certificate and a notary"])
def test_the_recipe_brings_the_certificate_and_the_notary_that_are_given(tmp_path, given):
    recipe = yaml.safe_load((ROOT / ".github" / "workflows" / "packages.yml").read_text())
    (step,) = (step for step in recipe["jobs"]["package"]["steps"] if "notarytool" in step.get("run", ""))
    environment = dict.fromkeys(step["env"], "") | {"RUNNER_TEMP": str(tmp_path)}
    if given != "nothing":
        environment |= {"CERTIFICATE": base64.b64encode(b"a key").decode(), "CERTIFICATE_PASSWORD": "p"}
    if given.endswith("notary"):
        environment |= {"NOTARY_PROFILE": "memdesk", "NOTARY_APPLE_ID": "ada@example.org"}
    for name in ("security", "xcrun"):
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\necho {name} "$@" >>"$RUNNER_TEMP/ran"\ncat "$RUNNER_TEMP"/*.p12 >>"$RUNNER_TEMP/ran" 2>&-\nexit 0\n'
        )
        program.chmod(0o755)
    # As a runner starts it.
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    subprocess.run(command, env=environment | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}, check=True)
    ran = (tmp_path / "ran").read_text() if (tmp_path / "ran").exists() else ""
    assert ("security import" in ran, "a key" in ran) == (given != "nothing",) * 2
    assert ("notarytool store-credentials memdesk --apple-id ada@example.org" in ran) == given.endswith("notary")
    assert not list(tmp_path.glob("*.p12"))
