"""Every service gets what it asks for by name."""

from dataclasses import fields
from pathlib import Path

from memdesk.bootstrap.profile import MemorySecrets
from memdesk.bootstrap.wiring import wire
from memdesk.settings.paths import profile_paths


def test_every_service_is_made_of_parts_that_are_there(tmp_path: Path) -> None:
    wiring = wire(profile_paths(home=tmp_path), secrets=MemorySecrets(), embedder=lambda: None)
    try:
        for each in fields(wiring.services):
            # What stands for a service makes it when anything is asked of it.
            assert not hasattr(getattr(wiring.services, each.name), "nothing_has_this"), each.name
    finally:
        wiring.close()
