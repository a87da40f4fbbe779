"""Models, their processes, and the index of their vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict, Unpack

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memdesk.domain.chatting.images import Image
    from memdesk.domain.models import Role, VectorKind
    from memdesk.ports.threads import CancelToken, LaneName

#: A string, so that naming it does not import numpy.
Vectors: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message as a model sees it."""

    role: Role
    content: str
    name: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    tool_call_id: str | None = None
    #: go with the words of a user; only models with vision (:attr:`ModelInfo.sees`) get any.
    images: tuple[Image, ...] = ()
    #: how many characters of ``content`` follow each image; zero for those not named.
    behind: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """A request to a language model. ``None`` leaves the model's default."""

    messages: tuple[ChatMessage, ...]
    #: maximum tokens of the answer, including the model's thinking.
    max_tokens: int | None = None
    #: extra tokens for a thinking model, where ``max_tokens`` is meant for the answer alone.
    thinking_tokens: int = 0
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    #: JSON schema of the answer ({} for any JSON object).
    json_schema: dict[str, Any] | None = None
    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: str | dict[str, Any] | None = None
    #: other OpenAI parameters of the caller, for remote servers that know them.
    besides: dict[str, Any] = field(default_factory=dict)
    #: interactive requests go first, and cancel background ones between tokens.
    priority: LaneName = "interactive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and seconds of one generation."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_seconds: float = 0.0
    completion_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationChunk:
    """A piece of an answer. The last one has ``finish_reason`` and ``usage``.

    ``thinking`` is what the model says to itself before it answers. With ``taken_back`` the text of all earlier
    chunks was thinking too: only its end was marked.
    """

    text: str = ""
    thinking: str = ""
    taken_back: bool = False
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: Literal["stop", "length", "repeating", "tool_calls"] | None = None
    #: which of the request's stop sequences ended it, where the engine reports it.
    stop_sequence: str = ""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """One model that can be chosen.

    ``id`` is ``bundled:<name>``, ``gguf:<path>`` or ``remote:<server>/<model>``. For a file, ``extra["place"]`` is
    ``downloads`` (fetched here), ``folder`` (a folder of the settings) or ``added`` (chosen by the user).
    """

    id: str
    name: str
    source: Literal["bundled", "gguf", "remote"]
    path: str = ""
    size_bytes: int = 0
    context_tokens: int = 0
    parameters: int = 0
    quantization: str = ""
    architecture: str = ""
    license: str = ""
    available: bool = True
    problem: str = ""
    #: for a server: it runs on this machine, so data sent to it does not leave the machine.
    on_this_machine: bool = False
    #: whether it takes pictures; None if its server does not say.
    sees: bool | None = False
    extra: dict[str, Any] = field(default_factory=dict)


class LanguageModel(Protocol):
    """One model behind its engine. Calls block; run them on a lane."""

    @property
    def info(self) -> ModelInfo: ...
    @property
    def context_tokens(self) -> int:
        """Context size in tokens, prompt and answer together, as configured here."""

    def generate(self, request: GenerationRequest, *, cancel: CancelToken | None = None) -> Iterator[GenerationChunk]:
        """Stream an answer.

        Raises:
            ContextOverflowError: the prompt does not fit; never retry it unchanged.
            CancelledError: ``cancel`` was set, or a chat preempted this background request.
            EngineError: the engine crashed or hung, or a remote server refused.
        """

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Return the prompt's length in the model's own tokens (estimated for remote models)."""


class ModelCatalogue(Protocol):
    """Models on this machine and on remote servers."""

    def all(self) -> list[ModelInfo]: ...
    def embedders(self) -> list[ModelInfo]:
        """Return the available embedding models; a server's is listed by its name. No network."""

    def info(self, model_id: str) -> ModelInfo | None: ...
    def open(self, model_id: str) -> LanguageModel:
        """Return a model; its engine starts on first use.

        Raises:
            ModelMissingError: the id is empty or unknown, or the file is gone or cannot chat.
        """

    def add_path(self, path: str, name: str = "") -> list[ModelInfo]:
        """Offer a GGUF file, or all in a folder, where it is; ``name`` replaces the file's own name.

        Files of a folder that cannot be offered come last, with ``available`` False.
        """

    def remove(self, model_id: str) -> None: ...
    def delete_file(self, model_id: str) -> None:
        """Delete a model that memdesk downloaded."""

    def unload(self, model_id: str | None = None) -> None:
        """Stop the engines of one model or of all."""

    def states(self) -> list[EngineState]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineState:
    """What an engine process is doing, for status bars and ``/readyz``."""

    name: str
    kind: Literal["llm", "embedder", "nlp", "diagrams"]
    state: Literal["stopped", "starting", "ready", "busy", "backoff", "failed"]
    model: str = ""
    pid: int | None = None
    rss_bytes: int = 0
    restarts: int = 0
    last_error: str = ""
    tokens_per_second: float = 0.0
    #: the server that does the work; "" for a local process.
    server: str = ""
    #: data sent to it does not leave this machine.
    on_this_machine: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSpec:
    """What a supervised child process runs, and its timeouts.

    Attributes:
        name: unique; shown in status bars.
        target: ``package.module:Class`` of the worker, imported in the child only.
        config: JSON values handed to the worker's constructor.
        env: environment variables added for the child.
        start_timeout: seconds without a sign of life during the start.
        answer_timeout: seconds without a sign of life during an answer.
        idle_seconds: seconds without a request before it is ended to free its memory.
        preempt: an interactive request cancels a running background one.
        nice: how far the child steps back from the rest of the machine (POSIX niceness).
        shares: how many interactive requests the child takes at once, answered in turns.
        turn_seconds: length of a turn; switching costs some 50 ms.
    """

    name: str
    kind: Literal["llm", "embedder", "nlp", "diagrams"]
    target: str
    config: dict[str, Any] = field(default_factory=dict)
    model: str = ""
    env: dict[str, str] = field(default_factory=dict)
    start_timeout: float = 120.0
    answer_timeout: float = 120.0
    idle_seconds: float = 600.0
    preempt: bool = True
    nice: int = 0
    shares: int = 1
    turn_seconds: float = 1.0


#: JSON values and raw bytes, as they travel between a worker and its caller.
WorkerItem = tuple[dict[str, Any], bytes]


class Asking(TypedDict, total=False):
    """Options of a request: raw bytes beside the arguments, priority, timeout (the spec's by default)."""

    blob: bytes
    priority: LaneName
    cancel: CancelToken | None
    timeout: float | None


class Worker(Protocol):
    """A child process that is started on first use and answers one request at a time."""

    def stream(self, op: str, args: dict[str, Any], **how: Unpack[Asking]) -> Iterator[WorkerItem]:
        """Run ``op`` in the child and yield what it yields.

        Closing the iterator early cancels the request.

        Raises:
            CancelledError: ``cancel`` was set, or an interactive request preempted this background one.
            EngineTimeoutError: no sign of life within ``timeout`` seconds; the child was killed.
            EngineCrashedError: the child exited while it worked, or keeps crashing.
            MemdeskError: whatever typed error the worker raised.
        """

    def call(self, op: str, args: dict[str, Any], *, aside: bool = False, **how: Unpack[Asking]) -> WorkerItem:
        """Run ``op`` and return its last item (empty when there is none). Raises as ``stream``.

        ``aside`` sends it alongside the running request, without waiting for it or preempting it; only for small
        operations that the worker can do at any time, such as counting tokens.
        """

    def start(self) -> dict[str, Any]:
        """Start the child unless it runs, and return its worker's ``info``. Raises as ``stream``."""

    def state(self) -> EngineState: ...
    def unload(self) -> None:
        """Stop the child; the next request starts it again."""

    def close(self) -> None:
        """Stop the child for good. Idempotent."""


class Workers(Protocol):
    """Makes supervised child processes and stops them together."""

    def make(self, spec: WorkerSpec) -> Worker: ...
    def close(self) -> None:
        """Stop every child. Idempotent."""


class Embedder(Protocol):
    """Turns text into unit vectors. Calls block; run them on a lane."""

    @property
    def model_id(self) -> str:
        """Names the vector space; vectors of different ids are never compared."""

    @property
    def dim(self) -> int: ...
    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        """Return float32 of shape ``(len(texts), dim)``, rows of norm 1.

        ``query``: they are questions, not passages; many models distinguish the two.

        Raises:
            EngineError: the engine process failed.
        """

    def warm_up(self) -> None:
        """Get ready ahead of the first text. Raises ``EngineError`` as ``embed``."""

    def state(self) -> EngineState: ...


class EmbedderChange(Protocol):
    """A change from one embedding model to another: the old one is used until the new one's vectors are complete."""

    def coming(self) -> Embedder | None:
        """Return the embedder whose vectors are being computed; None while nothing changes."""

    def arrived(self, embedder: Embedder) -> None:
        """Its vectors are complete: use it from now on, unless another one was chosen meanwhile."""

    def problem(self) -> str:
        """Return why the configured model cannot be used; "" when it can."""


class VectorIndex(Protocol):
    """Nearest neighbors by cosine for one agent and kind. Thread-safe."""

    def put(self, seqs: Sequence[int], vectors: NDArray[np.floating[Any]]) -> None:
        """Add or replace rows, shape ``(len(seqs), dim)``; searches find them at once, the graph after ``grow``."""

    def remove(self, seqs: Sequence[int]) -> None: ...
    def grow(self, stopped: Callable[[], bool] = ...) -> None:
        """Move added rows into the graph, until all are there or ``stopped()``. Takes a millisecond a row."""

    def search(self, query: Vectors, k: int, *, allowed: set[int] | None = None) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first. ``query`` has shape ``(dim,)``."""

    def vectors(self, seqs: Sequence[int]) -> Vectors:
        """Return float32 of shape (len(seqs), dim), a zero row where there is none."""

    def __len__(self) -> int: ...
    def dump(self) -> bytes:
        """Return the graph without the vectors."""

    def adopt(self, data: bytes) -> int:
        """Adopt the graph that ``dump`` returned, for the rows that were put; return how many rows it has.

        Raises:
            BadRequestError: it is damaged.
        """


class VectorIndexFactory(Protocol):
    def create(self, agent_id: str, kind: VectorKind, model: str, dim: int) -> VectorIndex:
        """Return the index of an agent's rows of a kind for a model; an in-memory one starts empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramColors:
    """The colors of a diagram, as ``#rrggbb``: background, surfaces, text, lines, at least two hues for parts."""

    dark: bool
    background: str
    raised: str
    text: str
    line: str
    border: str
    hues: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnDiagram:
    """A diagram as PNG.

    Attributes:
        png: the picture.
        scale: pixels per px of the diagram.
        left_out: characters of the source that it lacks, such as emoji.
    """

    png: bytes
    scale: float = 1.0
    left_out: str = ""


class DiagramDrawer(Protocol):
    """Draws diagrams from Mermaid source."""

    def draw(self, source: str, colors: DiagramColors) -> DrawnDiagram:
        """Draw one.

        Raises:
            BadRequestError: it cannot be drawn: faulty, too long, too large, or in letters that the font lacks.
            EngineError: the process failed, or took too long.
            MissingPartError: the renderer is not installed.
        """


@dataclass(frozen=True, slots=True)
class Listener:
    """The server that transcribes: its name, and whether it is on this machine."""

    name: str
    on_this_machine: bool


class VoiceInput(Protocol):
    """Records speech and has it transcribed. Nothing is kept."""

    def listener(self) -> Listener | None:
        """Return the server that transcribes; None if none is set up.

        Raises:
            BadRequestError: the setting names neither a remote server nor an address on this machine.
        """

    def begin(self) -> None:
        """Start recording; a recording in progress is dropped.

        Raises:
            EnvironmentFault: there is no microphone, or it may not be used.
            MissingPartError: the recorder is not installed.
        """

    def drop(self) -> None:
        """Stop recording without sending anything. Idempotent."""

    def finish(self) -> str:
        """Stop recording and return the words; empty if nothing was said.

        Raises:
            MemdeskError: as models of servers do.
        """
