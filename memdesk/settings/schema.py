"""Every option, declared once: type, default, bounds, title, help and whether it needs a restart.

The window, ``memdesk settings``, ``GET /memory/settings`` and ``resources/docs/settings.md`` are all
made from these models. On disk keys are camelCase, one file per model under the config folder.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator, model_validator
from pydantic.alias_generators import to_camel

from memdesk.settings.addresses import is_host, is_server_name, is_web_address


class SettingsModel(BaseModel):
    """Base of the settings files: camelCase on disk, unknown keys and wrong types refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        validate_assignment=True,
        frozen=True,
        strict=True,
    )


def _restart() -> dict[str, JsonValue]:
    return {"restart": True}


class NoteSearch(SettingsModel):
    """How passages of a folder of notes are found by a search; fields left out are as for all other memory."""

    min_score: float = Field(
        default=0.0, ge=0, le=1, title="Score at least", description="Passages below it are not found."
    )
    vector_weight: float | None = Field(
        default=None,
        ge=0,
        le=1,
        title="Weight of meaning",
        description="Share of the score that is similarity of meaning, such as 0.7; the rest is words. Empty: the learned ranking.",
    )
    candidates: int = Field(
        default=0,
        ge=0,
        le=10,
        title="Candidates",
        description="By words and by meaning, candidates for each result, such as 4, and 30 at least.",
    )
    mmr_lambda: float | None = Field(
        default=None,
        ge=0,
        le=1,
        title="Score against variety",
        description="1: passages come by their score, 0: by how little they repeat those before, such as 0.7. Empty: by score.",
    )
    half_life_days: int = Field(
        default=0, ge=0, le=36_500, title="Half-life", description="Days after which a score is half; 0: never."
    )


class NoteFolder(SettingsModel):
    """A folder of notes that is remembered."""

    path: str = Field(title="Folder", description="An absolute path.")
    agent: str = Field(default="default", min_length=1, title="Agent", description="Whose memory its notes are in.")
    include: list[str] = Field(
        default=["**/*"], min_length=1, title="Files", description="Patterns of files below the folder."
    )
    local_only: bool = Field(
        default=False, title="On this machine only", description="Never shown to a model on another machine."
    )
    append: bool = Field(
        default=False, title="Programs may add", description="memory_store writes into memory/YYYY-MM-DD.md there."
    )
    sync_minutes: int = Field(
        default=0,
        ge=0,
        le=1440,
        title="Look every",
        description="Minutes between two scans of the whole folder, for network disks that report no changes; 0: only reported changes.",
    )
    search: NoteSearch = Field(default=NoteSearch(), title="Search", description="How its passages are found.")

    @field_validator("path")
    @classmethod
    def _is_absolute(cls, value: str) -> str:
        if not Path(value).is_absolute():
            raise ValueError(f"must be an absolute path, not {value!r}")
        return value


#: What search uses to find memory.
Strategy = Literal["hybrid", "semantic", "exact", "recent"]


class MemorySettings(SettingsModel):
    """``memory.json``: what is remembered, how it is read, and how it ages."""

    enabled: bool = Field(default=True, title="Memory", description="Remember what is said and use it in replies.")
    embedding_backend: Literal["sentence-transformers", "none"] = Field(
        default="sentence-transformers",
        title="Search by meaning",
        description="Finds what is meant, not only what is written. Without it (none) search goes by words alone.",
    )
    embedding_model: str = Field(
        default="bundled:all-MiniLM-L6-v2",
        title="Embedding model",
        description="Turns texts into vectors: the bundled model, the folder of a sentence-transformers or ONNX model, a GGUF file, or a model of one of your servers as remote:SERVER/MODEL; auto takes the first on this machine that can be opened. With a server elsewhere, what is remembered leaves this machine, except what is kept here. A change re-embeds in the background; until then the previous model is used.",
    )
    extraction_mode: Literal["sessionEnd", "manual", "rules"] = Field(
        default="sessionEnd",
        title="When to distill",
        description="After a conversation rests (sessionEnd), only on request (manual), or after it rests but without a model (rules).",
    )
    distill_prompt: str = Field(
        default="",
        max_length=2000,
        title="Instructions for the core model",
        description="Goes ahead of the chat to a model that writes summaries; each line it writes is checked all the same. Leave it empty for the built-in text; {user} stands for the person speaking.",
    )
    relevance_gate_mode: Literal["off", "heuristic", "llm"] = Field(
        default="heuristic",
        title="Relevance gate",
        description="How memdesk decides which memory a question needs: by rules (heuristic), by asking the core model, with the rules if it fails (llm), or not at all, so that every reply gets episodes (off).",
    )
    memory_budget_tokens: int = Field(
        default=800,
        ge=0,
        le=16_000,
        title="Memory budget",
        description="The most memory that a reply is given, in tokens. 0 gives none; memory is still kept and searched.",
    )
    recall_strategy: Strategy = Field(
        default="hybrid",
        title="Recall by",
        description="What memory is found by: meaning and words (hybrid), meaning alone (semantic), words alone (exact), or not by the question at all but as what was learned last (recent).",
    )
    summary_debounce_seconds: int = Field(
        default=60,
        ge=10,
        le=3600,
        title="Rest before distilling",
        description="Seconds without a new message before a conversation is distilled.",
    )
    consolidation_interval_hours: int = Field(
        default=24, ge=1, le=168, title="Consolidate every", description="Hours between two consolidation passes."
    )
    salience_floor: float = Field(
        default=0.2,
        ge=0.0,
        le=1.0,
        title="Salience floor",
        description="Facts below it that were not used for 30 days are moved to the bin.",
    )
    episode_retention_days: int = Field(
        default=365,
        ge=0,
        le=3650,
        title="Keep episodes for",
        description="Days before an episode is removed; 0 keeps them forever.",
    )
    local_only_kinds: list[Literal["health", "money", "credentials", "people"]] = Field(
        default_factory=list,
        title="Kept for models on this machine",
        description="Memory about these things is never given to a model or program on another machine. Secrets are masked for them in any case.",
    )
    snapshots: bool = Field(
        default=True,
        title="Daily snapshots",
        description="Keep an encrypted copy of the memory beside it each day, and fewer of older days. Forgetting drops those made before.",
    )
    snapshot_megabytes: int = Field(
        default=2000,
        ge=50,
        le=1_000_000,
        title="Room for snapshots",
        description="Megabytes that snapshots may take. The oldest go first.",
    )
    core_model: str = Field(
        default="bundled:smollm2-135m",
        title="Core model",
        description="The model that distills. Empty: messages wait until one is chosen.",
    )
    gate_phrases: dict[str, list[str]] = Field(
        default_factory=dict,
        title="Your own gate phrases",
        description="A message that holds one of these phrases goes straight to the part of the memory you name, in any language.",
        examples=[{"transcript": ["my diary"], "none": ["off the record"]}],
    )
    note_folders: list[NoteFolder] = Field(
        default_factory=list,
        title="Folders of notes",
        description="Files that are remembered as they stand, and watched: Markdown, text, HTML, PDF, Word.",
        examples=[[{"path": "/home/ada/notes", "include": ["MEMORY.md", "memory/**/*.md"]}]],
    )
    qdrant_enabled: bool = Field(
        default=False,
        title="Copy entries to Qdrant",
        description="Vectors of the entries that programs keep by key, with ids and times, are sent from this encrypted memory to the address below; no text is. Hits there count when programs search their entries.",
    )
    qdrant_address: str = Field(
        default="",
        title="Qdrant's address",
        description="Of a server, for example http://localhost:6333, or an absolute path of a folder on this machine.",
    )
    qdrant_collection: str = Field(
        default="memdesk_entries",
        title="Qdrant's collection",
        description="Made there, and used by memdesk alone: up to 48 lower-case letters, digits and underscores.",
    )

    @field_validator("qdrant_collection")
    @classmethod
    def _is_name(cls, value: str) -> str:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,47}", value):
            raise ValueError(
                f"must be 1 to 48 lower-case letters, digits and underscores, a letter first, not {value!r}"
            )
        return value

    @field_validator("qdrant_address")
    @classmethod
    def _is_place(cls, value: str) -> str:
        if value and not is_web_address(value) and not Path(value).is_absolute():
            raise ValueError(f"must be an address with http:// or https://, or an absolute path, not {value!r}")
        return value


class ServerSettings(SettingsModel):
    """``server.json``: the loopback HTTP server."""

    enabled: bool = Field(
        default=True,
        title="Local server",
        description="Serve programs on this machine while the app runs.",
        json_schema_extra=_restart(),
    )
    host: str = Field(
        default="127.0.0.1",
        title="Address",
        description="127.0.0.1 keeps the server to this machine; change it only if others are to reach it.",
        json_schema_extra=_restart(),
    )
    port: int = Field(
        default=1337, ge=0, le=65535, title="Port", description="0 takes a free one.", json_schema_extra=_restart()
    )
    allowed_origins: list[str] = Field(
        default_factory=list,
        title="Allowed web origins",
        description="Origins of web pages that may call the server, for example http://localhost:3000.",
        json_schema_extra=_restart(),
    )

    upstream: str = Field(
        default="",
        title="In front of",
        description="Name of a remote server whose models answer chats sent to this server, with memory. Empty: memdesk's own models.",
        json_schema_extra=_restart(),
    )
    tokenless: bool = Field(
        default=False,
        title="No token on this machine",
        description="Every program that runs here may chat with memory, read and change it without a token, but not change settings or make tokens. Only while the address is this machine's own.",
        json_schema_extra=_restart(),
    )

    @field_validator("host")
    @classmethod
    def _is_host(cls, value: str) -> str:
        if not is_host(value):
            raise ValueError(f"must be a host name or an IP address of this machine, such as 127.0.0.1, not {value!r}")
        return value


class AppearanceSettings(SettingsModel):
    """``appearance.json``: the window."""

    theme: Literal["system", "light", "dark"] = Field(
        default="system", title="Theme", description="Follow the system, or always light or dark."
    )
    font_scale: int = Field(
        default=100, ge=80, le=200, title="Text size", description="Percent of the system's text size."
    )
    language: Literal["system", "en", "de"] = Field(
        default="system", title="Language", description="Language of the window."
    )
    close_to_tray: bool = Field(
        default=False, title="Keep running in the tray", description="Closing the window leaves memdesk in the tray."
    )
    start_at_login: bool = Field(default=False, title="Start at login", description="Start memdesk when you log in.")
    lock_after_minutes: int = Field(
        default=0,
        ge=0,
        le=1440,
        title="Lock when idle",
        description="Minutes without use before memdesk locks; 0 means never.",
    )
    quick_shortcut: str = Field(
        default="",
        pattern=r"^$|^((Ctrl|Alt|Shift|Meta)\+)+([A-Z0-9]|Space|F([1-9]|1[0-9]|2[0-4]))$",
        title="Keys for quick entry",
        description="Open the small window from any program, such as Ctrl+Alt+Space; empty for none. Linux asks you to "
        "agree. Where the system gives no such keys, bind the command “memdesk quick” in its own settings.",
    )
    conversation_width: int = Field(
        default=760, ge=480, le=1600, title="Reading width", description="Widest line of a chat, in pixels."
    )


class ToolServer(SettingsModel):
    """A tool server for agents: a command to start, or a URL."""

    name: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$", title="Name", description="Letters, digits, - and _."
    )
    command: list[str] = Field(
        default_factory=list, title="Command", description="Started for as long as an answer uses it."
    )
    url: str = Field(default="", title="Address", description="In place of a command: where it listens.")
    agents: list[str] = Field(default_factory=lambda: ["default"], title="Agents", description="Who may use its tools.")
    timeout_seconds: int = Field(
        default=60, ge=1, le=600, title="Give up after", description="Seconds that one call may take."
    )

    @model_validator(mode="after")
    def _is_reached_one_way(self) -> ToolServer:
        if bool(self.command and self.command[0]) == bool(self.url):
            raise ValueError("needs either a command or an address")
        if self.url and not is_web_address(self.url):
            raise ValueError(f"must have an address with http:// or https:// and a host, not {self.url!r}")
        return self


class EngineSettings(SettingsModel):
    """``engine.json``: the processes that run models."""

    chat_model: str = Field(
        default="bundled:smollm2-135m",
        title="Chat model",
        description="Used by agents that name no model of their own.",
    )
    name_chats: bool = Field(
        default=True,
        title="Name new chats",
        description="The model that answers names a chat after its first answer. The bundled model is not asked.",
    )
    threads: int = Field(default=0, ge=0, le=256, title="Threads", description="0 uses the machine's physical cores.")
    context_tokens: int = Field(
        default=4096,
        ge=512,
        le=1_048_576,
        title="Context",
        description="Tokens a local model may see at once; never above what the model was trained for.",
    )
    idle_unload_seconds: int = Field(
        default=600,
        ge=10,
        le=86400,
        title="Unload when idle",
        description="Seconds without use before a model or a large search index leaves memory.",
    )
    answer_timeout_seconds: int = Field(
        default=120,
        ge=5,
        le=3600,
        title="Give up after",
        description="Seconds without a single token before the engine is considered hung.",
    )
    model_folders: list[str] = Field(
        default_factory=list,
        title="More model folders",
        description="Folders whose *.gguf files are offered, used in place. A projector (mmproj) beside a model lets it see pictures.",
    )
    remote_servers: list[dict[str, str]] = Field(
        default_factory=list,
        title="Remote servers",
        description="OpenAI-compatible servers whose models are offered. Their keys are in the OS keyring, or in the encrypted memory where there is none.",
        examples=[[{"name": "Ollama", "base_url": "http://127.0.0.1:11434/v1"}]],
    )
    without_system_role: list[str] = Field(
        default_factory=list,
        title="Models without a system role",
        description="More models of remote servers that refuse instructions of their own, by name; * stands for any letters. The user's message says them, as with gemma-3*, o1-mini* and o1-preview*.",
    )
    voice_server: str = Field(
        default="",
        title="Voice input by",
        description="The server that transcribes what you say: an address on this machine, such as "
        "http://127.0.0.1:8080/v1 (whisper.cpp, speaches), or the name of a remote server above. Empty: no voice input.",
    )
    voice_model: str = Field(
        default="whisper-1",
        max_length=200,
        title="Its model",
        description="The name of the speech model on that server.",
    )
    tool_servers: list[ToolServer] = Field(
        default_factory=list,
        title="Tools from other programs",
        description="MCP servers whose tools agents may use in the window's chat. Each call is asked for unless you allowed that tool for good; nothing is started before.",
        examples=[[{"name": "files", "command": ["npx", "@modelcontextprotocol/server-filesystem", "/home/ada"]}]],
    )
    hub_url: str = Field(
        default="https://huggingface.co",
        title="Model hub",
        description="Where models are downloaded from, on request only.",
    )

    @field_validator("hub_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if not is_web_address(value):
            raise ValueError(f"must begin with http:// or https:// and a host, not {value!r}")
        return value

    @field_validator("tool_servers")
    @classmethod
    def _have_names_of_their_own(cls, value: list[ToolServer]) -> list[ToolServer]:
        if len({server.name for server in value}) < len(value):
            raise ValueError("must have different names")
        return value

    @field_validator("remote_servers")
    @classmethod
    def _are_servers(cls, value: list[dict[str, str]]) -> list[dict[str, str]]:
        for entry in value:
            if entry.keys() != {"name", "base_url"} or not is_server_name(entry["name"]):
                raise ValueError(f'must each have a "name" without a slash and a "base_url", not {entry!r}')
            if not is_web_address(entry["base_url"]):
                raise ValueError(f"must each have an address with http:// or https:// and a host, not {entry!r}")
        if len({entry["name"] for entry in value}) < len(value):
            raise ValueError("must have different names")
        return value


class Settings(SettingsModel):
    """All settings files together."""

    memory: MemorySettings = Field(default_factory=MemorySettings)
    server: ServerSettings = Field(default_factory=ServerSettings)
    appearance: AppearanceSettings = Field(default_factory=AppearanceSettings)
    engine: EngineSettings = Field(default_factory=EngineSettings)
