"""Language models on OpenAI-compatible servers: Ollama, LM Studio, llama-server and others."""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from attrs import define, field

from memdesk.domain.chatting.images import IMAGE_TOKENS
from memdesk.domain.decoding import decode, text_in
from memdesk.engines import remote_context, remote_sight
from memdesk.engines.known_models import KnownModels
from memdesk.engines.llama import message_dict
from memdesk.engines.remote_answer import RemoteAnswer
from memdesk.engines.remote_errors import RemoteAuthError, RemoteFailedError, from_status, from_transport
from memdesk.engines.remote_server import Server
from memdesk.errors import (
    BadRequestError,
    BlindModelError,
    ContextOverflowError,
    EngineError,
    ModelMissingError,
    NotFoundError,
)
from memdesk.messages import say
from memdesk.ports import CancelToken, ChatMessage, GenerationChunk, GenerationRequest, ModelInfo, SecretStore
from memdesk.settings.addresses import certificates, is_local
from memdesk.settings.schema import EngineSettings

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

CONNECT_SECONDS = 5.0
#: Models of servers without a model list (https://docs.voyageai.com/docs/embeddings).
_UNLISTED = {"api.voyageai.com": ("voyage-3-large", "voyage-3.5", "voyage-3.5-lite")}
#: Limits of a model list: bytes read, and models listed.
MAX_LIST_BYTES, MAX_MODELS, MAX_MODEL_NAME = 8 * 2**20, 10_000, 300
#: Path endings that people copy along with a URL.
_ENDPOINT = re.compile(r"/(?:models|completions|chat(?:/completions)?|embeddings|responses)/?$")
#: An unlimited answer of a model with unknown context is not cut before this many tokens.
UNSAID_TOKENS = 131_072
#: Ways to request JSON, strictest first; if a server refuses one, the next is tried.
JSON_MODES = ("json_schema", "json_object", "none")


@dataclass(slots=True)
class Habits:
    """What a model's answers have shown; kept while the process runs.

    Attributes:
        json_mode: the first of ``JSON_MODES`` that its server accepts.
        thinks: whether it thinks before it answers.
        opened: the tag with which its prompts open thinking, or "".
    """

    json_mode: int = 0
    thinks: bool = False
    opened: str = ""


def account(server: str) -> str:
    return f"remote:{server}"


#: Models that refuse system messages, according to their makers; a setting adds more.
WITHOUT_SYSTEM_ROLE: Final = ("gemma-3*", "o1-mini*", "o1-preview*")


class RemoteServers:
    """The remote servers in the settings, with keys and models.

    Args:
        known: remembers each server's models, so that lists need no network.
    """

    def __init__(self, settings: Callable[[], EngineSettings], secrets: SecretStore, known: KnownModels) -> None:
        self._settings = settings
        self._secrets = secrets
        self._known = known
        self._habits: dict[tuple[str, str], Habits] = {}

    def names(self) -> list[str]:
        return [entry.get("name", "") for entry in self._settings().remote_servers]

    def server(self, name: str) -> Server:
        """Return a server with its key.

        Raises:
            NotFoundError: no server of that name is set up.
            EnvironmentFault: the keyring is locked.
        """
        settings = self._settings()
        for entry in settings.remote_servers:
            if entry.get("name") == name:
                return Server(name, base_url(entry["base_url"]), self.key(name), settings.answer_timeout_seconds)
        raise NotFoundError(say("No server named {name} is set up.", name=name))

    def reach(self, name: str) -> tuple[str, str]:
        server = self.server(name)
        return server.base_url, server.key or ""

    def server_of(self, model_id: str) -> Server:
        """Return the server of a ``remote:<server>/<model>`` id. Raises as ``server``."""
        return self.server(split_id(model_id)[0])

    def open(self, info: ModelInfo) -> RemoteModel:
        """Return a model, with what is known of it so far. Raises as ``server``."""
        server = self.server_of(info.id)
        habits = self._habits.setdefault((info.id, server.base_url), Habits())
        model = split_id(info.id)[1].casefold()
        names = {model, model.rpartition("/")[2]}
        patterns = [pattern.casefold() for pattern in (*WITHOUT_SYSTEM_ROLE, *self._settings().without_system_role)]
        return RemoteModel(
            info,
            server,
            habits,
            lambda tokens: self._known.set_context(info.id, "told", tokens),
            instructed=not any(fnmatchcase(name, pattern) for name in names for pattern in patterns),
        )

    def models(self) -> list[ModelInfo]:
        return [self._info(name, model) for name in self.names() for model in self._known.remote(name)]

    def info(self, model_id: str) -> ModelInfo | None:
        """Describe one remote model; None if the id is not remote or its server is not set up."""
        if not model_id.startswith("remote:"):
            return None
        server, model = split_id(model_id)
        return self._info(server, model) if server in self.names() and model else None

    def check(self, name: str, address: str, key: str | None) -> tuple[str, list[str]]:
        settings = self._settings()
        full = base_url(address)
        server = Server(name, full, key, settings.answer_timeout_seconds)
        return full, sorted(list_models(server))

    def key(self, name: str) -> str | None:
        """Return the key kept for a server, or None. Raises ``EnvironmentFault`` if the keyring is locked."""
        return self._secrets.get(account(name)) if self._secrets.available() else None

    def set_key(self, name: str, key: str | None) -> None:
        """Store a server's key in the keyring; None deletes it.

        Raises:
            EnvironmentFault: there is no keyring, or it is locked.
        """
        if key is not None:
            self._secrets.set(account(name), key)
        elif self._secrets.available():
            self._secrets.delete(account(name))

    def forget(self, name: str) -> None:
        self._known.set_remote(name, None)
        self.set_key(name, None)

    def probe(self, name: str) -> list[ModelInfo]:
        server = self.server(name)
        models = list_models(server)
        self._known.set_remote(name, sorted(models))
        for model, (tokens, sees) in models.items():
            self._known.set_context(_id(name, model), "listed", tokens)
            self._known.set_sight(_id(name, model), remote_sight.ask(server, model) if sees is None else sees)
        return [self._info(name, model) for model in sorted(models)]

    def set_context(self, model_id: str, tokens: int | None) -> None:
        self._known.set_context(model_id, "set", tokens or 0)

    def _info(self, server: str, model: str) -> ModelInfo:
        model_id = _id(server, model)
        known = self._known.contexts(model_id)
        tokens = known.get("set") or known.get("told") or known.get("listed") or 0
        here = is_local(self._address(server))
        return ModelInfo(
            id=model_id,
            name=f"{model} ({server})",
            source="remote",
            # A local server runs a model with the context it was started with, not the published one.
            context_tokens=tokens or (0 if here else remote_context.published(model)),
            on_this_machine=here,
            sees=self._known.sight(model_id),
            extra={"context_set": bool(known.get("set"))},
        )

    def _address(self, server: str) -> str:
        servers = self._settings().remote_servers
        return next((entry["base_url"] for entry in servers if entry.get("name") == server), "")


@define(eq=False)
class RemoteModel:
    """``ports.LanguageModel`` over a model on a remote server."""

    _info: ModelInfo
    _server: Server
    _habits: Habits
    #: called with the context size named in an error.
    _heard: Callable[[int], object] | None = None
    #: whether it accepts messages of the role ``system``.
    _instructed: bool = field(default=True, kw_only=True)

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def context_tokens(self) -> int:
        return self._info.context_tokens

    def generate(self, request: GenerationRequest, *, cancel: CancelToken | None = None) -> Iterator[GenerationChunk]:
        habits, mode = self._habits, self._habits.json_mode
        while True:
            try:
                empty = yield from self._stream(self._with_room(request), mode, cancel)
            except ContextOverflowError as error:
                tokens = remote_context.told(error.message)
                if tokens and self._heard is not None and not 0 < self.context_tokens <= tokens:
                    self._heard(tokens)
                    self._info = replace(self._info, context_tokens=tokens)
                raise
            except (BadRequestError, ModelMissingError, RemoteFailedError) as error:
                if any(message.images for message in request.messages) and remote_context.is_blind(error.message):
                    raise BlindModelError(error.message) from error
                if not isinstance(error, BadRequestError):
                    raise
                # Refused before the first token: perhaps the server does not know this JSON mode.
                if request.json_schema is None or mode + 1 >= len(JSON_MODES):
                    raise
                mode += 1
                log.info("%s takes no %s", self._server.name, JSON_MODES[mode - 1])
            else:
                habits.json_mode = mode
                if not empty:
                    return

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Estimate the prompt's length: a token per four characters, four per message, some per image."""
        return sum(math.ceil(len(m.content) / 4) + 4 + IMAGE_TOKENS * len(m.images) for m in messages)

    def _with_room(self, request: GenerationRequest) -> GenerationRequest:
        """Give a thinking model extra tokens, as far as the context allows, if only the answer's length is limited."""
        if not (self._habits.thinks and request.thinking_tokens and request.max_tokens):
            return request
        most = request.max_tokens + request.thinking_tokens
        left = self.context_tokens - self.count_tokens(request.messages) if self.context_tokens else most
        return replace(request, max_tokens=max(request.max_tokens, min(most, left)))

    def _stream(
        self, request: GenerationRequest, mode: int, cancel: CancelToken | None
    ) -> Generator[GenerationChunk, None, bool]:
        """Stream one attempt; return whether it only thought, so that a retry with more tokens may help."""
        # Importing an HTTP client takes a tenth of a second, unneeded without remote models.
        from memdesk.engines.sse import EventStream

        habits, model = self._habits, split_id(self._info.id)[1]
        # In JSON mode a server may not let it think: nothing is taken for thinking without a tag.
        free = request.json_schema is None
        most = request.max_tokens or self.context_tokens or UNSAID_TOKENS
        answer = RemoteAnswer(habits.opened if free else "", most=most, free=free)
        body = request_body(request, model, JSON_MODES[mode], instructed=self._instructed)
        with EventStream(self._server, "chat/completions", body, model) as events:
            for data in events.read(cancel):
                yield from answer.take(data)
                if answer.cut():
                    log.info("%s says the same over and over, or more than it was asked for", self._server.name)
                    break
            if not (events.complete or answer.finished):
                raise EngineError(
                    say("The answer of {name} ended early.", name=self._server.name), hint=say("Try again.")
                )
        yield from answer.rest()
        known, habits.thinks = habits.thinks, habits.thinks or answer.thought
        if free:
            habits.opened = answer.opened
        if answer.thought and not answer.said and not known and request.thinking_tokens:
            return True
        yield answer.last()
        return False


def list_models(server: Server) -> dict[str, tuple[int, bool | None]]:
    """Query a server's model ids, each with its context size (or 0) and whether it takes pictures (or None).

    Raises:
        RemoteUnreachableError: the server does not answer.
        RemoteAuthError: the key is refused.
        EngineError: the answer is invalid.
    """
    import httpx

    from memdesk.engines.sse import read_at_most

    if models := _UNLISTED.get(urlsplit(server.base_url).hostname or ""):
        return dict.fromkeys(models, (0, None))
    try:
        with (
            httpx.Client(
                timeout=httpx.Timeout(10.0, connect=CONNECT_SECONDS),
                trust_env=not is_local(server.base_url),
                verify=certificates(),
            ) as client,
            client.stream("GET", f"{server.base_url}/models", headers=server.headers()) as response,
        ):
            body = read_at_most(response, MAX_LIST_BYTES)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise from_transport(error, server.name) from error
    _refuse(response, body, server)
    try:
        entries = list(decode(body)["data"])[:MAX_MODELS]
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError(
            say("{name} answers, but not like an OpenAI-compatible server.", name=server.name),
            hint=say("Its address usually ends in /v1."),
        ) from error
    named = ((text_in(entry, "id", MAX_MODEL_NAME).strip(), entry) for entry in entries)
    return {name: (remote_context.listed(entry), remote_context.sees(entry)) for name, entry in named if name}


def _refuse(response: httpx.Response, body: bytes, server: Server) -> None:
    """Raise why a model list failed; an answer with one passes."""
    status, name = response.status_code, server.name
    if status == 200:
        return
    if response.is_redirect:
        raise BadRequestError(
            say("{name} has moved to {get}.", name=name, get=response.headers.get("location", "")),
            hint=say("Enter that address up to /v1."),
        )
    if status in {404, 405}:
        raise EngineError(
            say("{name} answers, but has no list of models there.", name=name),
            hint=say("Its address usually ends in /v1."),
        )
    if status in {401, 403} and not server.key:
        raise RemoteAuthError(
            say("{name} asks for a key ({status}).", name=name, status=status), hint=say("Enter its key.")
        )
    raise from_status(status, body, name)


def base_url(text: str) -> str:
    """Return a URL to append endpoint names to; a bare host gets ``/v1``, an endpoint's name is removed.

    Raises:
        BadRequestError: it is not a URL.
    """
    wrong = BadRequestError(
        say("{text!r} is not a web address.", text=text), hint=say("It begins with http:// or https://.")
    )
    try:
        url = urlsplit(text.strip().rstrip("/"))
        host = url.hostname
        # Reading it checks it.
        _ = url.port
    except ValueError as error:
        raise wrong from error
    if url.scheme not in {"http", "https"} or not host:
        raise wrong
    path = _ENDPOINT.sub("", url.path)
    return urlunsplit(url._replace(path=path if path.strip("/") else "/v1", query="", fragment=""))


def split_id(model_id: str) -> tuple[str, str]:
    """Split ``remote:<server>/<model>``."""
    server, _, model = model_id.removeprefix("remote:").partition("/")
    return server, model


def request_body(request: GenerationRequest, model: str, json_mode: str, *, instructed: bool = True) -> dict[str, Any]:
    messages: Sequence[ChatMessage] = request.messages
    besides = dict(request.besides)
    wanted = besides.pop("response_format", None)
    body = besides | {"model": model, "stream": True, "stream_options": {"include_usage": True}}
    optional = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "stop": list(request.stop) or None,
        "seed": request.seed,
        "presence_penalty": request.presence_penalty,
        "frequency_penalty": request.frequency_penalty,
        "tools": list(request.tools) or None,
        "tool_choice": request.tool_choice if request.tools else None,
    }
    body.update({key: value for key, value in optional.items() if value is not None})
    if request.json_schema is not None:
        schema = request.json_schema or {"type": "object"}
        if json_mode == "json_schema":
            body["response_format"] = wanted or {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": schema, "strict": True},
            }
        else:
            messages = _with_schema(messages, schema)
            if json_mode == "json_object":
                body["response_format"] = {"type": "json_object"}
    body["messages"] = [message_dict(message) for message in (messages if instructed else _said_by_user(messages))]
    return body


def _with_schema(messages: Sequence[ChatMessage], schema: dict[str, Any]) -> list[ChatMessage]:
    text = f"Answer with one JSON value that fits this schema, and nothing else:\n{json.dumps(schema)}"
    if messages and messages[0].role == "system":
        return [replace(messages[0], content=f"{messages[0].content}\n\n{text}"), *messages[1:]]
    return [ChatMessage(role="system", content=text), *messages]


def _said_by_user(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return messages with system texts moved into the next user message, or into a new one at the end."""
    told: list[ChatMessage] = []
    waiting: list[str] = []
    for message in messages:
        if message.role == "system":
            waiting.append(message.content)
        elif message.role == "user" and waiting:
            told.append(replace(message, content="\n\n".join([*waiting, message.content])))
            waiting = []
        else:
            told.append(message)
    return [*told, ChatMessage(role="user", content="\n\n".join(waiting))] if waiting else told


def _id(server: str, model: str) -> str:
    return f"remote:{server}/{model}"
