"""The disk image of ``memdesk.app``, signed and notarized where the environment names who signs."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

#: What the app may do under the hardened runtime: Python's extensions come from many hands, and llama.cpp makes code.
ENTITLEMENTS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>com.apple.security.cs.allow-jit</key><true/>
<key>com.apple.security.cs.disable-library-validation</key><true/>
</dict></plist>
"""


def commands(app: Path, folder: Path, target: Path, environment: Mapping[str, str]) -> list[list[str]]:
    """Return what makes the image, in order.

    Args:
        app: ``memdesk.app``, inside ``folder``.
        folder: what the image holds.
        target: the image.
        environment: ``MEMDESK_SIGN_AS`` names a certificate (Developer ID Application), ``MEMDESK_NOTARY_PROFILE`` the
            keychain's profile for ``notarytool``; without the first nothing is signed, without the second not notarized.
    """
    signer, profile = environment.get("MEMDESK_SIGN_AS", ""), environment.get("MEMDESK_NOTARY_PROFILE", "")
    sign = ["codesign", "--force", "--timestamp", "--sign", signer]
    inside = [*sign, "--deep", "--options", "runtime", "--entitlements", str(folder.parent / "entitlements.plist")]
    made = [[*inside, str(app)], ["codesign", "--verify", "--deep", "--strict", str(app)]] if signer else []
    made.append(
        ["hdiutil", "create", "-volname", "memdesk", "-srcfolder", str(folder), "-format", "ULMO", "-ov", str(target)]
    )
    if signer:
        made.append([*sign, str(target)])
    if signer and profile:
        made.append(["xcrun", "notarytool", "submit", str(target), "--keychain-profile", profile, "--wait"])
        made.append(["xcrun", "stapler", "staple", str(target)])
    return made


def dmg(built: Path, out: Path, version: str) -> Path:
    """Make the disk image of an app and return where it is: it is installed by being drawn onto Applications."""
    target = out / f"memdesk-{version}-macos-{platform.machine()}.dmg"
    with tempfile.TemporaryDirectory(dir=out) as name:
        folder = Path(name) / "image"
        folder.mkdir()
        shutil.copytree(built, folder / "memdesk.app", symlinks=True)
        (folder / "Applications").symlink_to("/Applications")
        (Path(name) / "entitlements.plist").write_text(ENTITLEMENTS, encoding="utf-8")
        for command in commands(folder / "memdesk.app", folder, target, os.environ):
            subprocess.run(command, check=True)
    return target
