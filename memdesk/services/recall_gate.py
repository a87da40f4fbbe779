"""The gate with its surroundings: rule files, each agent's names, the model's vote, and likeness to what is known."""

from __future__ import annotations

import json
import logging
import threading
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.entities import EntityMatcher
from memdesk.domain.gate import SECTIONS, Decision, Gate, LanguageRules
from memdesk.domain.gate_wording import Kinds, Wording
from memdesk.errors import LockedError, MemdeskError
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.settings.resources import resource_text, resources_root

if TYPE_CHECKING:
    from memdesk.domain.models import Section, VectorKind
    from memdesk.ports import Lanes, ModelCatalogue, Store, Vectors
    from memdesk.services.indexing import IndexingService
    from memdesk.services.seams import SettingsReader

log = logging.getLogger(__name__)

#: Tried first, so that it is the fallback.
_FIRST = "en"
#: Seconds the core model may take to choose; the rules stand behind it.
MODEL_SECONDS = 2.0
#: Characters of a question that the model sees.
_MODEL_CHARS = 600
#: A memory is meant when its best likeness to the question exceeds what questions about nothing of the user's reach
#: in this agent's memory by so many standard deviations, and is no accident in absolute terms.
DEVIATIONS = 2.5
LEAST_COSINE = 0.4
#: With fewer rows than this the noise of a memory cannot be told.
LEAST_ROWS = 8

_PROMPT = """Choose the one kind of stored memory that answering the message needs.
identity: who the user is (name, age, job, home)
pinned: a stored fact, preference, person or project of the user
episode: what happened or was discussed earlier
transcript: the exact words that were said
none: general questions, tasks and small talk
Message: {message}
Kind:"""


@cache
def language_rules() -> tuple[LanguageRules, ...]:
    """Return the rules of every language that ships, English first."""
    codes = sorted(path.stem for path in (resources_root() / "gate").glob("*.toml"))
    codes.sort(key=lambda code: code != _FIRST)
    return tuple(LanguageRules(tomllib.loads(resource_text("gate", f"{code}.toml"))) for code in codes)


@cache
def word_kinds() -> Kinds:
    """Return the kinds of words that the gate tells apart."""
    return Kinds(tomllib.loads(resource_text("gate", "wording", "kinds.toml")))


@cache
def learned_wording() -> Wording:
    """Return what labelled prompts have taught the gate."""
    return Wording(word_kinds(), json.loads(resource_text("gate", "wording", "weights.json")))


def shipped_gate(phrases: Mapping[str, Sequence[str]] | None = None) -> Gate:
    """Return the gate as it ships, with the user's own phrases."""
    return Gate(language_rules(), phrases, learned_wording())


@cache
def noise_questions() -> tuple[str, ...]:
    """Return questions about nothing of the user's, for measuring what likeness means nothing."""
    lines = resource_text("gate", "noise.txt").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class _Noise:
    rows: int
    limit: float


class GateKeeper:
    """Decides which section of an agent's memory a question needs. Thread-safe.

    Args:
        store: names of the agents' entities.
        settings: mode, phrases, core model.
        indexing: likeness to what is known.
        lanes: where the model's vote runs.
        catalogue: opens the core model; None leaves its mode to the rules.
    """

    def __init__(
        self,
        *,
        store: Store,
        settings: SettingsReader,
        indexing: IndexingService,
        lanes: Lanes,
        catalogue: ModelCatalogue | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._indexing = indexing
        self._lanes = lanes
        self._catalogue = catalogue
        self._lock = threading.Lock()
        self._names: dict[str, EntityMatcher] = {}
        self._gate: tuple[object, Gate] | None = None
        self._noise: dict[tuple[str, str], _Noise] = {}
        self._measuring: set[str] = set()

    def decide(
        self, agent_id: str, query: str, *, vector: Vectors | None = None, model: str = "", history: Sequence[str] = ()
    ) -> Decision:
        """Choose a section.

        Args:
            agent_id: whose memory.
            query: the user's message.
            vector: its embedding, for the likeness rule; None leaves that out.
            model: the space of ``vector``.
            history: earlier user messages of the chat, oldest first; a follow-up of a few words that asks for
                nothing by itself is read with the last one.
        """
        mode = self._settings.current.memory.relevance_gate_mode
        if mode == "off":
            return Decision("episode", "off")
        decision = self._by_rules(agent_id, query)
        if mode == "llm":
            return self._by_model(query, decision)
        if decision.rule == "none" and history and _follows_up(query):
            earlier = self._by_rules(agent_id, history[-1])
            if earlier.section != "none":
                return replace(earlier, rule=f"follow-up:{earlier.rule}")
        if decision.rule == "none" and vector is not None:
            alike = self.alike(agent_id, vector, model)
            if alike is not None:
                return replace(decision, section=alike, rule="similarity")
        return decision

    def forget(self, agent_id: str | None) -> None:
        """Drop what was derived from an agent's memory, or from all."""
        with self._lock:
            if agent_id is None:
                self._names.clear()
                self._noise.clear()
                return
            self._names.pop(agent_id, None)

    def names(self, agent_id: str) -> EntityMatcher:
        """Return the matcher of an agent's entity names."""
        with self._lock:
            known = self._names.get(agent_id)
        if known is not None:
            return known
        with self._store.read() as repos:
            names = [name for _, name in repos.entities.names(agent_id)]
        matcher = EntityMatcher(names, generic=self._rules().generic_words)
        with self._lock:
            self._names[agent_id] = matcher
        return matcher

    def measure_noise(self, agent_id: str) -> float | None:
        """Measure how alike questions about nothing of the user's are to this memory; return the limit, if any."""
        limit = None
        vectors: list[Vectors] = []
        model = ""
        for question in noise_questions():
            embedded = self._indexing.embed_query(question)
            if embedded is None:
                return None
            model = embedded[0]
            vectors.append(embedded[1])
        for kind in _LIKENESS:
            best = [_best(self._indexing.search(agent_id, kind, vector, 1, model=model)) for vector in vectors]
            rows = self._indexing.size(agent_id, kind)
            limit = max(LEAST_COSINE, float(np.mean(best) + DEVIATIONS * np.std(best)))
            with self._lock:
                self._noise[agent_id, kind] = _Noise(rows, limit)
        return limit

    # ------------------------------------------------------------------ pieces

    def _rules(self) -> Gate:
        phrases = self._settings.current.memory.gate_phrases
        with self._lock:
            if self._gate is None or self._gate[0] is not phrases:
                self._gate = (phrases, shipped_gate(phrases))
            return self._gate[1]

    def _by_rules(self, agent_id: str, query: str) -> Decision:
        return self._rules().decide(query, self.names(agent_id))

    def alike(self, agent_id: str, vector: Vectors, model: str) -> Section | None:
        """Return the section whose best row is far more alike to a question than the noise of this memory.

        Args:
            agent_id: whose memory.
            vector: the question's embedding.
            model: the space of ``vector``.

        Returns:
            None when nothing stands out, or while the noise is still to be measured (in the background).
        """
        best: tuple[float, Section] | None = None
        for kind, section in _LIKENESS.items():
            rows = self._indexing.size(agent_id, kind)
            if rows < LEAST_ROWS:
                continue
            with self._lock:
                noise = self._noise.get((agent_id, kind))
            if noise is None or not noise.rows / 1.5 <= rows <= noise.rows * 1.5:
                self._measure_later(agent_id)
                if noise is None:
                    continue
            over = _best(self._indexing.search(agent_id, kind, vector, 1, model=model)) - noise.limit
            if over > 0 and (best is None or over > best[0]):
                best = (over, section)
        return None if best is None else best[1]

    def _measure_later(self, agent_id: str) -> None:
        with self._lock:
            if agent_id in self._measuring:
                return
            self._measuring.add(agent_id)

        def work() -> None:
            try:
                self.measure_noise(agent_id)
            except LockedError:
                log.debug("the vault was locked while noise was measured")
            finally:
                with self._lock:
                    self._measuring.discard(agent_id)

        self._lanes.submit("background", work)

    def _by_model(self, query: str, behind: Decision) -> Decision:
        """Let the core model choose within :data:`MODEL_SECONDS`; else the rules have the word."""
        if self._catalogue is None or not query.strip():
            return behind
        cancel = threading.Event()
        future = self._lanes.submit("interactive", lambda: self._vote(query, cancel))
        try:
            section = future.result(timeout=MODEL_SECONDS)
        except LateError:
            cancel.set()
            return replace(behind, rule=f"late:{behind.rule}")
        except LockedError:
            raise
        except MemdeskError as error:
            log.info("the core model did not choose a section: %s", error.code)
            return replace(behind, rule=f"{error.code}:{behind.rule}")
        if section is None:
            return replace(behind, rule=f"unclear:{behind.rule}")
        return replace(behind, section=section, rule="llm")

    def _vote(self, query: str, cancel: threading.Event) -> Section | None:
        assert self._catalogue is not None
        model = self._catalogue.open(self._settings.current.memory.core_model)
        schema = {
            "type": "object",
            "properties": {"section": {"type": "string", "enum": list(SECTIONS)}},
            "required": ["section"],
        }
        request = GenerationRequest(
            messages=(ChatMessage(role="user", content=_PROMPT.format(message=query[:_MODEL_CHARS])),),
            max_tokens=24,
            temperature=0.0,
            json_schema=schema,
        )
        text = "".join(chunk.text for chunk in model.generate(request, cancel=cancel))
        try:
            chosen = json.loads(text)["section"]
        except (ValueError, KeyError, TypeError):
            return None
        return next((section for section in SECTIONS if section == chosen), None)


_LIKENESS: dict[VectorKind, Section] = {"fact": "pinned", "episode": "episode"}


def _best(hits: list[tuple[int, float]]) -> float:
    return hits[0][1] if hits else 0.0


def _follows_up(query: str) -> bool:
    """Whether a message only makes sense after the one before ("and where?", "what about the other one?")."""
    words = query.casefold().split()
    return 2 <= len(words) <= 6 and words[0].strip(",") in _LINKS


_LINKS = frozenset(["and", "but", "what", "or", "then", "und", "aber", "et", "mais", "y", "pero", "what's", "how"])
