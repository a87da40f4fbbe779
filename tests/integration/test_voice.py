"""Voice input: recorded, sent as a WAV only to the configured server, and returned as text."""

from __future__ import annotations

import io
import wave

import pytest

from memdesk.engines import voice
from memdesk.engines.voice import RATE, MicrophoneError, Recording, ServerVoice
from memdesk.errors import BadRequestError, EngineError, MemdeskError
from memdesk.settings.schema import EngineSettings
from tests.helpers.microphone import Heard, tone
from tests.helpers.openai_server import openai_server


class NoServers:
    """Remote servers, of which none is set up."""

    def names(self):
        return []


class OneServer(NoServers):
    """One that is set up, with a key."""

    def __init__(self, url):
        self.url = url

    def names(self):
        return ["lab"]

    def server(self, name):
        return voice.Server(name, f"{self.url}/v1", "its key", 20.0)


@pytest.fixture
def server():
    with openai_server() as made:
        yield made


@pytest.fixture
def heard(monkeypatch):
    monkeypatch.setattr(Heard, "samples", tone())
    yield Heard
    assert not Heard.open


def ears(named, servers=None, record=Heard, model="whisper-1"):
    return ServerVoice(lambda: EngineSettings(voice_server=named, voice_model=model), servers or NoServers(), record)


def test_what_is_said_comes_back_as_words(server, heard):
    made = ears(f"{server.url}/v1", model="base.en")
    assert made.listener().on_this_machine
    made.begin()
    assert made.finish() == "What was said."
    (sent,) = server.sounds
    assert b'name="model"\r\n\r\nbase.en\r\n' in sent
    with wave.open(io.BytesIO(sent[sent.index(b"RIFF") :])) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
        assert sound.readframes(RATE) == tone()


def test_a_server_that_is_set_up_gets_its_key(server, heard):
    made = ears("lab", OneServer(server.url))
    assert (made.listener().name, made.listener().on_this_machine) == ("lab", True)
    made.begin()
    assert made.finish() == "What was said."
    assert server.keys == ["Bearer its key"]
    assert not ears("lab", OneServer("https://example.org")).listener().on_this_machine


def test_an_address_elsewhere_that_nobody_set_up_gets_nothing(heard):
    for named in ("https://example.org/v1", "http://192.0.2.1:8080", "lab"):
        made = ears(named)
        with pytest.raises(BadRequestError, match="neither a server in the settings"):
            made.listener()
        made.begin()
        with pytest.raises(BadRequestError):
            made.finish()
    assert ears("").listener() is None


def test_what_is_dropped_or_too_short_is_sent_to_nobody(server, heard, monkeypatch):
    made = ears(server.url)
    made.begin()
    made.drop()
    made.drop()
    assert made.finish() == ""
    monkeypatch.setattr(Heard, "samples", tone(0.05))
    made.begin()
    made.begin()
    assert made.finish() == ""
    assert server.sounds == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((404, {"error": "not here"}), "has no /audio/transcriptions"),
        ((500, {"error": {"message": "out of memory"}}), "out of memory"),
        ((200, ["no", "object"]), "not with text"),
        ((200, {"segments": []}), "not with text"),
    ],
)
def test_a_server_that_fails_says_so(server, heard, answer, words):
    server.error = answer
    made = ears(server.url)
    made.begin()
    with pytest.raises(MemdeskError, match=words):
        made.finish()


def test_nobody_at_the_address_is_told(heard):
    made = ears("http://127.0.0.1:9/v1")
    made.begin()
    with pytest.raises(EngineError, match="is not running"):
        made.finish()


def test_the_library_records_and_a_machine_without_a_microphone_says_so():
    import miniaudio

    recording = Recording([miniaudio.Backend.NULL])
    while not recording._samples:
        pass
    samples = recording.close()
    assert set(samples) == {0}
    assert recording.close() == b""
    with pytest.raises(MicrophoneError, match="No microphone answers"):
        Recording([miniaudio.Backend.CUSTOM])
