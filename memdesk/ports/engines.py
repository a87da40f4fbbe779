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

#: A text, so that what names it does not wait for numpy.
Vectors: TypeAlias = "NDArray[np.float32]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message as a model sees it."""

    role: Role
    content: str
    name: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    tool_call_id: str | None = None
    #: go with the words of a user; only a model that sees (:attr:`ModelInfo.sees`) is given any.
    images: tuple[Image, ...] = ()
    #: how many characters of ``content`` stand behind each of these; none behind those that it does not name.
    behind: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """What is asked of a language model. ``None`` leaves the model's default."""

    messages: tuple[ChatMessage, ...]
    #: most tokens of the answer, those of the model's thinking included.
    max_tokens: int | None = None
    #: tokens that a model which thinks first is given on top, where ``max_tokens`` was meant for its answer alone.
    thinking_tokens: int = 0
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    #: the answer must be JSON that this schema accepts ({} for any JSON object).
    json_schema: dict[str, Any] | None = None
    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: str | dict[str, Any] | None = None
    #: what the caller gave besides, in OpenAI's words, for another server that knows it.
    besides: dict[str, Any] = field(default_factory=dict)
    #: interactive requests go first and cancel background ones between tokens.
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

    ``thinking`` is what the model says to itself before it answers. With ``taken_back`` the text of all chunks before
    this one was thinking too: only its end was marked.
    """

    text: str = ""
    thinking: str = ""
    taken_back: bool = False
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: Literal["stop", "length", "tool_calls"] | None = None
    #: which of the request's stop sequences ended it, where the engine tells.
    stop_sequence: str = ""
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """One model that can be chosen.

    ``id`` is ``bundled:<name>``, ``gguf:<path>`` or ``remote:<server>/<model>``. Of a file, ``extra["place"]`` says whose
    it is: ``downloads`` (fetched here), ``folder`` (in a folder of the settings), ``added`` (pointed at).
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
    #: of a server: it runs on this machine, so that what it is given does not leave it.
    on_this_machine: bool = False
    #: whether it takes pictures; None: its server does not say.
    sees: bool | None = False
    extra: dict[str, Any] = field(default_factory=dict)


class LanguageModel(Protocol):
    """One model behind its engine. Calls block; run them on a lane."""

    @property
    def info(self) -> ModelInfo: ...
    @property
    def context_tokens(self) -> int:
        """Tokens the model sees at once, prompt and answer together, as configured here."""

    def generate(self, request: GenerationRequest, *, cancel: CancelToken | None = None) -> Iterator[GenerationChunk]:
        """Stream an answer.

        Raises:
            ContextOverflowError: the prompt does not fit; never retry it unchanged.
            CancelledError: ``cancel`` was set, or a chat displaced this background request.
            EngineError: crash, hang or a refusal of a remote server.
        """

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Return the prompt's length in the model's own tokens (estimated for remote models)."""


class ModelCatalogue(Protocol):
    """Models on this machine and on remote servers."""

    def all(self) -> list[ModelInfo]: ...
    def embedders(self) -> list[ModelInfo]:
        """Return the embedding models there are; a server's by its name. No network."""

    def info(self, model_id: str) -> ModelInfo | None: ...
    def open(self, model_id: str) -> LanguageModel:
        """Return a model; its engine starts on first use.

        Raises:
            ModelMissingError: empty id, unknown id, the file is gone or cannot chat.
        """

    def add_path(self, path: str, name: str = "") -> list[ModelInfo]:
        """Offer a GGUF file, or all of a folder, in place; ``name`` is shown instead of the file's own.

        What a folder holds and cannot be offered is returned last, not ``available``.
        """

    def remove(self, model_id: str) -> None: ...
    def delete_file(self, model_id: str) -> None:
        """Delete a model that was downloaded here from the disk."""

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
    #: the server that does the work; "" for a process of ours.
    server: str = ""
    #: what it is given does not leave this machine.
    on_this_machine: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSpec:
    """What a supervised child process runs and how patient its callers are.

    Attributes:
        name: unique; shown in status bars.
        target: ``package.module:Class`` of the worker, imported in the child only.
        config: JSON values handed to the worker's constructor.
        env: environment variables added for the child.
        start_timeout: seconds without a sign of life while it starts.
        answer_timeout: seconds without a sign of life while it answers.
        idle_seconds: seconds without a request before it is ended to free its memory.
        preempt: an interactive request cancels a running background one.
        nice: how far the child steps back from the rest of the machine (POSIX niceness).
        shares: how many interactive requests the child is given at once, to answer by turns.
        turn_seconds: how long a turn is; changing over costs some 50 ms.
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
    """How a child is asked: raw bytes beside the arguments, at once unless told otherwise, as long as its spec says."""

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
            CancelledError: ``cancel`` was set, or an interactive request displaced this background one.
            EngineTimeoutError: no sign of life within ``timeout`` seconds; the child was ended.
            EngineCrashedError: the child ended while it worked, or keeps ending.
            MemdeskError: whatever typed error the worker raised.
        """

    def call(self, op: str, args: dict[str, Any], *, aside: bool = False, **how: Unpack[Asking]) -> WorkerItem:
        """Run ``op`` and return its last item (empty when there is none). Raises as ``stream``.

        ``aside`` asks beside the request that runs, without waiting for it or displacing it; only for small
        operations that the worker can do at any time, such as counting tokens.
        """

    def start(self) -> dict[str, Any]:
        """Start the child unless it runs, and return what its worker says about itself. Raises as ``stream``."""

    def state(self) -> EngineState: ...
    def unload(self) -> None:
        """End the child; the next request starts it again."""

    def close(self) -> None:
        """End the child for good. Idempotent."""


class Workers(Protocol):
    """Makes supervised child processes and ends them together."""

    def make(self, spec: WorkerSpec) -> Worker: ...
    def close(self) -> None:
        """End every child. Idempotent."""


class Embedder(Protocol):
    """Turns text into unit vectors. Calls block; run them on a lane."""

    @property
    def model_id(self) -> str:
        """Names the vector space; vectors of different ids are never compared."""

    @property
    def dim(self) -> int: ...
    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        """Return float32 of shape ``(len(texts), dim)``, rows of norm 1.

        ``query``: they are questions, not texts that may answer one; many models want the two told apart.

        Raises:
            EngineError: the engine process failed.
        """

    def warm_up(self) -> None:
        """Get ready ahead of the first text. Raises ``EngineError`` as ``embed``."""

    def state(self) -> EngineState: ...


class EmbedderChange(Protocol):
    """A change from one embedding model to another: the old one is in use until the new one's space is whole."""

    def coming(self) -> Embedder | None:
        """Return the embedder whose space is being made; None while nothing changes."""

    def arrived(self, embedder: Embedder) -> None:
        """Its space is whole: it is in use from now on, unless another one is to come by now."""

    def problem(self) -> str:
        """Return why the model of the settings cannot be used; "" when it can."""


class VectorIndex(Protocol):
    """Nearest neighbors by cosine for one agent and kind. Thread-safe."""

    def put(self, seqs: Sequence[int], vectors: NDArray[np.floating[Any]]) -> None:
        """Add or replace rows, shape ``(len(seqs), dim)``; they are found from now on, and by the graph after ``grow``."""

    def remove(self, seqs: Sequence[int]) -> None: ...
    def grow(self, stopped: Callable[[], bool] = ...) -> None:
        """Move what was put into the graph, until all of it is there or ``stopped()``. Takes a millisecond a row."""

    def search(self, query: Vectors, k: int, *, allowed: set[int] | None = None) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first. ``query`` has shape ``(dim,)``."""

    def vectors(self, seqs: Sequence[int]) -> Vectors:
        """Return float32 of shape (len(seqs), dim), a zero row where there is none."""

    def __len__(self) -> int: ...
    def dump(self) -> bytes:
        """Return the graph without the vectors."""

    def adopt(self, data: bytes) -> int:
        """Take over the graph that ``dump`` returned, for the rows that were put; return how many it knows.

        Raises:
            BadRequestError: it is damaged.
        """


class VectorIndexFactory(Protocol):
    def create(self, agent_id: str, kind: VectorKind, model: str, dim: int) -> VectorIndex:
        """Return the index of an agent's rows of a kind in a model's space; one that lives in memory is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagramColors:
    """The colors of a diagram, as ``#rrggbb``: ground, what stands out of it, words, lines, and at least two hues for parts."""

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
        scale: its pixels for each px that the diagram is meant to have.
        left_out: signs of the source, such as emoji, that are not in it.
    """

    png: bytes
    scale: float = 1.0
    left_out: str = ""


class DiagramDrawer(Protocol):
    """Draws diagrams from what describes them in Mermaid's language."""

    def draw(self, source: str, colors: DiagramColors) -> DrawnDiagram:
        """Draw one.

        Raises:
            BadRequestError: it cannot be drawn, and why, in a line: faulty, too long, too large, in letters that the font lacks.
            EngineError: the process failed, or took too long.
            MissingPartError: what draws is not installed.
        """


@dataclass(frozen=True, slots=True)
class Listener:
    """Who writes down what is said: a server's name, and whether it is on this machine."""

    name: str
    on_this_machine: bool


class VoiceInput(Protocol):
    """Records what is said and has it written down. Nothing of it is kept."""

    def listener(self) -> Listener | None:
        """Return who listens; None where nobody is set up.

        Raises:
            BadRequestError: the setting names neither a remote server nor an address on this machine.
        """

    def begin(self) -> None:
        """Record from now on; another recording that runs is dropped.

        Raises:
            EnvironmentFault: there is no microphone, or it may not be used.
            MissingPartError: what records is not installed.
        """

    def drop(self) -> None:
        """Stop recording, and send nothing. Idempotent."""

    def finish(self) -> str:
        """Stop recording and return the words; empty where nothing was said.

        Raises:
            MemdeskError: as servers' models do.
        """
