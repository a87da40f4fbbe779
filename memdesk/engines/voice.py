"""Voice input: miniaudio records, a server with OpenAI's transcription route transcribes."""

from __future__ import annotations

import io
import threading
import wave
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final

from memdesk.domain.decoding import decode, text_in
from memdesk.engines.remote import CONNECT_SECONDS, RemoteServers, base_url
from memdesk.engines.remote_errors import RemoteFailedError, from_status, from_transport
from memdesk.engines.remote_server import Server
from memdesk.errors import BadRequestError, EngineError, EnvironmentFault
from memdesk.messages import say
from memdesk.ports import Listener
from memdesk.settings.addresses import is_local
from memdesk.settings.schema import EngineSettings

if TYPE_CHECKING:
    import miniaudio

#: Input of Whisper's models: samples per second, 16 bits, mono.
RATE: Final = 16_000
SAMPLE_BYTES: Final = 2
#: Longest recording that is sent, in seconds; longer ones are truncated.
MOST_SECONDS: Final = 600
#: Shorter recordings count as an accidental press, in seconds.
LEAST_SECONDS: Final = 0.2
#: Limits of an answer in bytes, and of its text.
MOST_BYTES, MOST_CHARS = 2**20, 50_000
#: The transcription route.
ROUTE: Final = "/audio/transcriptions"


class MicrophoneError(EnvironmentFault):
    """There is no microphone, or access is denied."""

    code = "no_microphone"
    title = say("Nothing can be recorded")
    default_hint = say("Connect a microphone, and let memdesk use it in the system's settings.")


class Recording:
    """A microphone that records until it is closed.

    Args:
        backends: backends to query for microphones; None for all real ones.
    """

    def __init__(self, backends: list[Any] | None = None) -> None:
        import miniaudio

        self._lock = threading.Lock()
        self._samples = bytearray()
        if backends is None:
            # By default it records silence if there is no microphone.
            backends = [each for each in miniaudio.Backend if each is not miniaudio.Backend.NULL]
        take = self._take()
        next(take)
        self._device: miniaudio.CaptureDevice | None = None
        try:
            self._device = miniaudio.CaptureDevice(
                input_format=miniaudio.SampleFormat.SIGNED16,
                nchannels=1,
                sample_rate=RATE,
                backends=backends,
                app_name="memdesk",
            )
            self._device.start(take)
        except miniaudio.MiniaudioError as error:
            self.close()
            raise MicrophoneError(say("No microphone answers: {reason}.", reason=error)) from error

    def close(self) -> bytes:
        """Stop, and return the samples. Idempotent."""
        if self._device is not None:
            self._device.close()
            self._device = None
        with self._lock:
            samples, self._samples = bytes(self._samples), bytearray()
        return samples

    def _take(self) -> Generator[None, bytes]:
        """Receive samples, on a thread of the library."""
        while True:
            samples = yield
            with self._lock:
                if len(self._samples) < MOST_SECONDS * RATE * SAMPLE_BYTES:
                    self._samples += samples


class ServerVoice:
    """``ports.VoiceInput`` through a server that the user chose. Thread-safe.

    Args:
        settings: the current settings.
        servers: the remote servers that are set up, with their keys.
        record: starts a recording; None uses the microphone.
    """

    def __init__(
        self,
        settings: Callable[[], EngineSettings],
        servers: RemoteServers,
        record: Callable[[], Recording] | None = None,
    ) -> None:
        self._settings = settings
        self._servers = servers
        self._record = record if record is not None else Recording
        self._lock = threading.Lock()
        self._recording: Recording | None = None

    def listener(self) -> Listener | None:
        named = self._settings().voice_server.strip()
        if not named:
            return None
        server = self._server()
        return Listener(server.name, is_local(server.base_url))

    def begin(self) -> None:
        self.drop()
        recording = self._record()
        with self._lock:
            self._recording = recording

    def drop(self) -> None:
        self._stop()

    def finish(self) -> str:
        samples = self._stop()
        if len(samples) < LEAST_SECONDS * RATE * SAMPLE_BYTES:
            return ""
        return self._written_down(self._server(), wav(samples))

    def _stop(self) -> bytes:
        with self._lock:
            recording, self._recording = self._recording, None
        return recording.close() if recording is not None else b""

    def _server(self) -> Server:
        """Return the server of the settings: one that is set up, or a local one by its URL."""
        settings = self._settings()
        named = settings.voice_server.strip()
        if named in self._servers.names():
            return self._servers.server(named)
        if not is_local(named):
            raise BadRequestError(
                say("{server} is neither a server in the settings nor an address on this machine.", server=named),
                hint=say("Add a server elsewhere under Models first, then enter its name."),
            )
        address = base_url(named)
        return Server(address, address, None, settings.answer_timeout_seconds)

    def _written_down(self, server: Server, sound: bytes) -> str:
        import httpx

        from memdesk.engines.sse import read_at_most

        try:
            with (
                httpx.Client(
                    timeout=httpx.Timeout(server.timeout, connect=CONNECT_SECONDS),
                    trust_env=not is_local(server.base_url),
                ) as client,
                client.stream(
                    "POST",
                    server.base_url + ROUTE,
                    headers=server.headers(),
                    data={"model": self._settings().voice_model, "response_format": "json"},
                    files={"file": ("speech.wav", sound, "audio/wav")},
                ) as response,
            ):
                body = read_at_most(response, MOST_BYTES)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise from_transport(error, server.name) from error
        if response.status_code == 404:
            raise EngineError(
                say("{name} cannot transcribe: it has no {route}.", name=server.name, route=ROUTE),
                hint=say("whisper.cpp's server needs --inference-path /v1/audio/transcriptions."),
            )
        if response.status_code != 200:
            raise from_status(response.status_code, body, server.name, self._settings().voice_model)
        try:
            answer = decode(body)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or "text" not in answer:
            raise RemoteFailedError(say("{name} answers, but not with text.", name=server.name))
        return text_in(answer, "text", MOST_CHARS).strip()


def wav(samples: bytes) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(SAMPLE_BYTES)
        sound.setframerate(RATE)
        sound.writeframes(samples)
    return file.getvalue()
