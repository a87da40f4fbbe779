"""The llama.cpp child process: one GGUF model. Imported only there."""

from __future__ import annotations

import codecs
import ctypes
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import llama_cpp
from llama_cpp import mtmd_cpp

from memdesk.domain.chatting.thinking import CONTROL_TOKENS, Piece, ThinkingSplitter
from memdesk.engines import toolcalls
from memdesk.engines.llama_kv import PromptCache
from memdesk.engines.llama_prompt import ChatPrompt
from memdesk.engines.llama_sampling import Sampler
from memdesk.engines.llama_threads import ThreadGovernor
from memdesk.engines.llama_vision import Projector, Prompt, with_markers
from memdesk.engines.repetition import RepetitionGuard
from memdesk.engines.requantize import ready_weights
from memdesk.errors import BadRequestError, BlindModelError, ContextOverflowError, EngineError
from memdesk.messages import say

Item = tuple[dict[str, Any], bytes]
Cancelled = Callable[[], bool]

#: Minimum context left for an answer, in tokens.
MIN_ANSWER_TOKENS = 8
_MTMD_LOGS = ("mtmd_log_set", "mtmd_helper_log_set")


class LlamaWorker:
    """Loads one model and answers ``generate`` and ``count``.

    Args:
        config: ``path``, ``context_tokens``, ``threads``, ``sampling`` (the model's own defaults), ``opening``
            (opening messages of a request without a system message) and optionally ``requantize`` (see
            ``requantize.ready_weights``) and ``projector`` (the file that reads pictures for the model).
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self._log = _NativeLog()
        path = ready_weights(config["path"], config.get("requantize"))
        try:
            self._llama = llama_cpp.Llama(
                path,
                n_ctx=int(config["context_tokens"]),
                n_batch=512,
                n_threads=int(config["threads"]),
                n_threads_batch=int(config["threads"]),
                flash_attn=True,  # at 1,400 tokens it reads half as fast again
                chat_format="chatml",  # prompts are rendered here; this only saves it the guessing
                verbose=False,
            )
        except (ValueError, OSError) as error:
            raise EngineError(
                say("This model cannot be loaded: {error}.", error=self._log.last or error),
                hint=say("It may be damaged, of a newer kind than this llama.cpp knows, or too large for the memory."),
            ) from error
        self._model = self._llama._model  # noqa: SLF001  # the sampler works on the model itself
        self._cache = PromptCache(self._llama)
        self._threads = ThreadGovernor(self._llama.ctx, int(config["threads"]))
        self._defaults = {"temperature": 0.7, "top_p": 0.95, **config.get("sampling", {})}
        self._chat = _chat(self._llama, config.get("opening", ()))
        projector = config.get("projector")
        self._eyes = Projector(self._llama, projector, int(config["threads"])) if projector else None

    def info(self) -> dict[str, Any]:
        return {
            "context_tokens": self._llama.n_ctx(),
            "parameters": int(llama_cpp.llama_model_n_params(self._model.model)),
            "tools": self._chat.knows_tools,
            "build": llama_cpp.__version__,
        }

    def may_pause(self) -> bool:
        """Whether the current answer may wait for another: only if the model's state can be saved."""
        return self._cache.portable

    def handle(self, op: str, args: dict[str, Any], blob: bytes, cancelled: Cancelled) -> Iterator[Item | None]:
        del blob
        if op == "generate":
            yield from self._generate(args, cancelled)
        elif op == "count":
            messages, images = with_markers(args["messages"])
            text, _opened = self._chat.render(messages, args.get("tools") or [])
            with self._read(text, images) as prompt:
                yield {"tokens": prompt.cells}, b""
        elif op == "tokenize":
            yield {"tokens": [len(self._llama.tokenize(t.encode(), add_bos=False)) for t in args["texts"]]}, b""
        else:
            raise BadRequestError(say("Unknown operation {op}.", op=op))

    def _tokens(self, prompt: str) -> list[int]:
        bos = self._llama.token_bos()
        tokens: list[int] = self._llama.tokenize(prompt.encode("utf-8", "replace"), add_bos=False, special=True)
        if self._model.add_bos_token() and bos >= 0 and (not tokens or tokens[0] != bos):
            tokens.insert(0, bos)
        return tokens

    @contextmanager
    def _read(self, text: str, images: list[bytes]) -> Iterator[Prompt | _Words]:
        """Return the tokens of a prompt, with its pictures."""
        if not images:
            yield _Words(self._tokens(text))
            return
        if self._eyes is None:
            raise BlindModelError(say("This model cannot see pictures."))
        prompt = self._eyes.read(text, images)
        try:
            if self._model.add_bos_token() and (bos := self._llama.token_bos()) >= 0:
                prompt.begin_with(bos)
            yield prompt
        finally:
            prompt.close()

    def _generate(self, args: dict[str, Any], cancelled: Cancelled) -> Iterator[Item | None]:
        tools = [] if args.get("tool_choice") == "none" else list(args.get("tools") or [])
        forced = toolcalls.forced_schema(tools, args.get("tool_choice"))
        options = {**self._defaults, **{k: v for k, v in args.items() if v is not None}}
        if forced is not None:
            options["json_schema"] = forced
        # A grammar leaves no room to think.
        at_once = options.get("json_schema") is not None
        messages, images = with_markers(args["messages"])
        text, opened = self._chat.render(messages, tools, at_once=at_once)
        with self._read(text, images) as prompt:
            yield from self._answer(args, options, prompt, tools, cancelled, forced=forced is not None, opened=opened)

    def _answer(
        self,
        args: dict[str, Any],
        options: dict[str, Any],
        prompt: Prompt | _Words,
        tools: list[dict[str, Any]],
        cancelled: Cancelled,
        *,
        forced: bool,
        opened: str,
    ) -> Iterator[Item | None]:
        room = self._llama.n_ctx() - prompt.cells
        if room < MIN_ANSWER_TOKENS:
            raise ContextOverflowError(
                say(
                    "The prompt has {n} tokens; this model sees {n_ctx} at once.",
                    n=prompt.cells,
                    n_ctx=self._llama.n_ctx(),
                )
            )
        sampler = Sampler(self._model, options)
        stop = args.get("stop") or []
        answer = _Answer(self._llama, sampler, tools, forced=forced, stop=stop, opened=opened)
        try:
            started = time.perf_counter()
            lane = args.get("priority", "interactive")
            self._threads.begin(lane)
            look = self._eyes.look if self._eyes is not None else None
            reading = self._cache.read(prompt.tokens, lane, cancelled, answer, pictures=prompt.pictures, look=look)
            for _ in reading:
                self._threads.tick()
                yield None
            if cancelled():
                return
            answer.prompt_seconds = time.perf_counter() - started
            answer.prompt_tokens, answer.reused_tokens = prompt.cells, self._cache.reused
            limit = min(options.get("max_tokens") or room, room)
            yield from answer.run(limit, self._cache, self._threads, cancelled)
        finally:
            self._cache.release(answer)
            sampler.close()


@dataclass(frozen=True, slots=True)
class _Words:
    """A prompt without pictures."""

    tokens: list[int]
    pictures: tuple[()] = ()

    @property
    def cells(self) -> int:
        return len(self.tokens)


class _Answer:
    """One answer in progress: tokens to text, thinking, stop strings, tool calls, counts.

    Stop strings and tool calls are searched only in the answer, not in the thinking before it.
    """

    def __init__(
        self, llama: Any, sampler: Sampler, tools: list[dict[str, Any]], *, forced: bool, stop: list[str], opened: str
    ) -> None:
        self._llama = llama
        self._sampler = sampler
        self._names = {tool.get("function", tool).get("name", "") for tool in tools}
        self._forced = forced
        self._stop = [text for text in stop if text]
        self._stopped_by = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._splitter = ThinkingSplitter(opened)
        self._pending = ""
        self._tools = bool(tools)
        self._held = self._tools
        # A grammar bounds its own lists, and has to repeat punctuation.
        self._guard = None if sampler.constrained else RepetitionGuard()
        self.prompt_tokens = self.reused_tokens = 0
        self.prompt_seconds = 0.0

    def run(
        self, limit: int, cache: PromptCache, threads: ThreadGovernor, cancelled: Cancelled
    ) -> Iterator[Item | None]:
        """Yield the answer's pieces and, last, its counts; nothing more once cancelled.

        An answer that keeps repeating itself is ended.
        """
        finish, count, started = "length", 0, time.perf_counter()
        vocab = self._llama._model.vocab  # noqa: SLF001  # as above
        while count < limit and not cancelled():
            token = self._sampler.sample(self._llama._ctx)  # noqa: SLF001  # as above
            if llama_cpp.llama_vocab_is_eog(vocab, token):
                finish = "stop"
                break
            count += 1
            said = _piece(vocab, token) or _mark(vocab, token)
            item, stopped = self._take(self._splitter.feed(self._decoder.decode(said)))
            yield (item, b"") if item else None
            if stopped:
                finish = "stop"
                break
            if self._guard is not None and self._guard.stuck(token):
                finish = "repeating"
                break
            if count < limit:
                cache.append(token, self)
                threads.tick()
        if cancelled():
            return
        yield self._last(finish, count, time.perf_counter() - started), b""

    def _take(self, pieces: list[Piece]) -> tuple[dict[str, Any], bool]:
        """Add parsed text; return what may be sent now, and whether a stop string ended the answer."""
        item: dict[str, Any] = {}
        thinking = "".join(piece.thinking for piece in pieces)
        for piece in pieces:
            if piece.taken_back:
                item["taken_back"] = True
                thinking, self._pending, self._held = self._pending + thinking, "", self._tools
            self._pending += piece.answer
        if thinking:
            item["thinking"] = thinking
        text, stopped = self._stop_or_release()
        if text:
            item["text"] = text
        return item, stopped

    def _stop_or_release(self) -> tuple[str, bool]:
        for stop in self._stop:
            at = self._pending.find(stop)
            if at >= 0:
                self._pending, self._stopped_by = self._pending[:at], stop
                return self._release(keep=0), True
        keep = max((_overlap(self._pending, stop) for stop in self._stop), default=0)
        return self._release(keep), False

    def _release(self, keep: int) -> str:
        if self._held and (self._forced or toolcalls.may_be_call(self._pending)):
            return ""
        self._held = False
        cut = len(self._pending) - keep
        out, self._pending = self._pending[:cut], self._pending[cut:]
        return out

    def _last(self, finish: str, count: int, seconds: float) -> dict[str, Any]:
        pieces = [
            *self._splitter.feed(self._decoder.decode(b"", final=True)),
            *self._splitter.end(cut=finish != "stop"),
        ]
        item, stopped = self._take(pieces)
        text = item.get("text", "") + self._pending
        finish = "stop" if stopped else finish
        calls: list[dict[str, Any]] = []
        if self._held and text:
            text, calls = toolcalls.parse(text, self._names)
        if calls:
            finish = "tool_calls"
        return item | {
            "text": text,
            "tool_calls": calls,
            "finish_reason": finish,
            "stop_sequence": self._stopped_by,
            "usage": {
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": count,
                "prompt_seconds": self.prompt_seconds,
                "completion_seconds": seconds,
            },
            "stats": {
                "tokens_per_second": count / seconds if seconds > 0 else 0.0,
                "prompt_tokens_per_second": (self.prompt_tokens - self.reused_tokens) / max(self.prompt_seconds, 1e-9),
                "reused_tokens": self.reused_tokens,
            },
        }


class _NativeLog:
    """Keeps llama.cpp's last error line and discards everything else it prints."""

    def __init__(self) -> None:
        self.last = ""

        @llama_cpp.llama_log_callback  # type: ignore[untyped-decorator]  # a ctypes function type
        def keep(level: int, text: bytes, _data: ctypes.c_void_p) -> None:
            error_level = 4
            if level == error_level and (line := text.decode("utf-8", "replace").strip()):
                self.last = line.rsplit(": ", 1)[-1]

        self._callback = keep  # native code keeps no reference
        # The latter two also print prompts; older versions have one of them.
        listeners = [llama_cpp.llama_log_set]
        listeners += [getattr(mtmd_cpp, name) for name in _MTMD_LOGS if hasattr(mtmd_cpp, name)]
        for listen in listeners:
            listen(keep, ctypes.c_void_p(0))


def _chat(llama: Any, opening: Sequence[dict[str, Any]]) -> ChatPrompt:
    def token_text(token: int) -> str:
        return str(llama._model.token_get_text(token)) if token >= 0 else ""  # noqa: SLF001  # as above

    return ChatPrompt(
        llama.metadata.get("tokenizer.chat_template", ""),
        bos_token=token_text(llama.token_bos()),
        eos_token=token_text(llama.token_eos()),
        opening=opening,
    )


def _piece(vocab: Any, token: int) -> bytes:
    """Return a token's bytes; control tokens have none. The package's own wrapper pads them with zeros."""
    buffer = ctypes.create_string_buffer(64)
    size = llama_cpp.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, False)
    if size < 0:
        buffer = ctypes.create_string_buffer(-size)
        size = llama_cpp.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, False)
    return buffer.raw[: max(0, size)]


def _mark(vocab: Any, token: int) -> bytes:
    """Return the text of a control token that marks the start or end of thinking; nothing for others."""
    text = llama_cpp.llama_vocab_get_text(vocab, token) or b""
    return text if text.decode("utf-8", "replace") in CONTROL_TOKENS else b""


def _overlap(text: str, stop: str) -> int:
    """Return how many characters at the end of ``text`` may be the start of ``stop``."""
    for size in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:size]):
            return size
    return 0
