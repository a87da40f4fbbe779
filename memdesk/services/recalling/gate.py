"""The gate and its inputs: rule files, each agent's names, the model's choice, and similarity to what is known."""

from __future__ import annotations

import json
import logging
import threading
import tomllib
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from memdesk.domain.decoding import decode
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.recalling.gate import SECTIONS, Decision, Gate, LanguageRules
from memdesk.domain.recalling.gate_wording import Kinds, Wording
from memdesk.domain.recalling.opening import THRESHOLD, Opening, Sense, Signals, noise_of, standing_out
from memdesk.errors import LockedError, MemdeskError
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.settings.resources import resource_text, resources_root

if TYPE_CHECKING:
    from memdesk.domain.models import Section, Target
    from memdesk.ports import Lanes, ModelCatalogue, Store
    from memdesk.ports.seams import SettingsReader
    from memdesk.services.recalling.index.indexing import IndexingService

log = logging.getLogger(__name__)

#: Tried first, so that it is the fallback.
_FIRST = "en"
#: Seconds the core model may take to choose; after that the rules decide.
MODEL_SECONDS = 2.0
#: Characters of a question that the model sees.
_MODEL_CHARS = 600
#: Mean and standard deviation of the best similarity of unrelated questions, until measured for an agent's memory:
#: those of the bundled model in memories of some thousand rows.
USUAL_NOISE = (0.28, 0.07)
#: With fewer rows than the first, a memory's noise cannot be measured; with fewer than the second, it is measured at once.
LEAST_ROWS, FEW_ROWS = 8, 500

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
    """Return the bundled rules of every language, English first."""
    codes = sorted(path.stem for path in (resources_root() / "gate").glob("*.toml"))
    codes.sort(key=lambda code: code != _FIRST)
    return tuple(LanguageRules(tomllib.loads(resource_text("gate", f"{code}.toml"))) for code in codes)


@cache
def word_kinds() -> Kinds:
    return Kinds(tomllib.loads(resource_text("gate", "wording", "kinds.toml")))


@cache
def learned_wording() -> Wording:
    return Wording(word_kinds(), json.loads(resource_text("gate", "wording", "weights.json")))


def shipped_gate(phrases: Mapping[str, Sequence[str]] | None = None) -> Gate:
    """Return the bundled gate, with the user's own phrases."""
    return Gate(language_rules(), phrases, learned_wording())


@cache
def learned_opening() -> Opening:
    """Return the trained model that decides whether a message gets memory."""
    return Opening(json.loads(resource_text("gate", "opening.json")))


@cache
def learned_sense() -> Sense:
    """Return the trained model that tells from a message's vector whether it asks for something remembered."""
    return Sense.from_dict(json.loads(resource_text("gate", "sense.json")))


@cache
def noise_questions(code: str) -> tuple[str, ...]:
    """Return unrelated questions in a language, for measuring the noise of similarity."""
    lines = resource_text("gate", "noise", f"{code}.txt").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class _Noise:
    """The best similarity of unrelated questions, by a model, in a memory of ``rows`` rows."""

    model: str
    rows: int
    mean: float
    spread: float


class GateKeeper:
    """Decides which section of an agent's memory a question needs. Thread-safe.

    Args:
        catalogue: opens the core model; if None, the rules decide in its mode too.
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
        self._noise: dict[tuple[str, str, str], _Noise] = {}
        self._measuring: set[tuple[str, str]] = set()

    def decide(self, agent_id: str, query: str, heard: Collection[str] = ()) -> Decision:
        """Choose a section by the wording of a message and the names in it; see :meth:`weigh` for the rest.

        ``heard``: names in the transcript, besides the stored ones.
        """
        mode = self._settings.current.memory.relevance_gate_mode
        if mode == "off":
            return Decision("episode", "off", final=True)
        rules, names = self._rules(), self.names(agent_id)
        if heard:
            names = EntityMatcher([*heard, *(match.name for match in names.find(query))], generic=rules.generic_words)
        decision = rules.decide(query, names)
        return replace(self._by_model(query, decision), final=True) if mode == "llm" else decision

    def weigh(self, decision: Decision, signals: Signals, mode: str, least: float = THRESHOLD) -> Decision:
        """Combine the decision by wording with what the memory contains.

        ``mode`` says whether vectors were available; the gate opens from the probability ``least`` on.

        Returns:
            A decision whose rule is ``memory`` if stored items opened the gate, ``name`` if together with a known name,
            ``nothing-known`` if they closed it.
        """
        opens = learned_opening().probability(signals, mode) >= least
        if opens == (decision.section != "none"):
            return decision
        if not opens:
            return replace(decision, section="none", rule="nothing-known")
        return replace(decision, section="pinned", rule="name" if signals.named else "memory")

    def above_noise(self, agent_id: str, kind: Target, cosine: float, code: str) -> float:
        """Return how far a similarity exceeds that of unrelated questions in this memory; see :func:`standing_out`.

        Embedders find texts of one language similar, so the unrelated questions are in the message's language, ``code``.

        In a small memory the noise is measured at once, else in the background; until then :data:`USUAL_NOISE` is used.
        """
        rows = self._indexing.size(agent_id, kind)
        noise = self._known_noise(agent_id, kind, code)
        if rows >= LEAST_ROWS and (noise is None or not noise.rows / 1.5 <= rows <= noise.rows * 1.5):
            if rows < FEW_ROWS:
                self.measure_noise(agent_id, code)
                noise = self._known_noise(agent_id, kind, code)
            else:
                self._measure_later(agent_id, code)
        mean, spread = USUAL_NOISE if noise is None else (noise.mean, noise.spread)
        return standing_out((cosine - mean) / spread, rows)

    def _known_noise(self, agent_id: str, kind: Target, code: str) -> _Noise | None:
        model = self._indexing.model
        with self._lock:
            noise = self._noise.get((agent_id, kind, code))
        return noise if noise is not None and noise.model == model else None

    def forget(self, agent_id: str | None) -> None:
        """Drop what was derived from the memory of an agent, or of all."""
        with self._lock:
            if agent_id is None:
                self._names.clear()
                self._noise.clear()
                return
            self._names.pop(agent_id, None)

    def names(self, agent_id: str) -> EntityMatcher:
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

    def measure_noise(self, agent_id: str, code: str) -> None:
        """Measure the similarity of unrelated questions to this memory, in a language; without an embedder, do nothing."""
        embedded = self._indexing.embed_shipped(f"asked:{code}", noise_questions(code), query=True)
        if embedded is None:
            return
        model, vectors = embedded
        for kind in _LIKENESS:
            rows = self._indexing.size(agent_id, kind)
            if rows < LEAST_ROWS:
                continue
            best = [_best(self._indexing.search(agent_id, kind, vector, 1, model=model)) for vector in vectors]
            noise = _Noise(model, rows, *noise_of(best))
            with self._lock:
                self._noise[agent_id, kind, code] = noise

    def _rules(self) -> Gate:
        phrases = self._settings.current.memory.gate_phrases
        with self._lock:
            if self._gate is None or self._gate[0] is not phrases:
                self._gate = (phrases, shipped_gate(phrases))
            return self._gate[1]

    def _measure_later(self, agent_id: str, code: str) -> None:
        with self._lock:
            if (agent_id, code) in self._measuring:
                return
            self._measuring.add((agent_id, code))

        def work() -> None:
            try:
                self.measure_noise(agent_id, code)
            except LockedError:
                log.debug("the vault was locked while noise was measured")
            finally:
                with self._lock:
                    self._measuring.discard((agent_id, code))

        self._lanes.submit("background", work)

    def _by_model(self, query: str, behind: Decision) -> Decision:
        """Let the core model choose within :data:`MODEL_SECONDS`; else the rules decide."""
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
            chosen = decode(text)["section"]
        except (ValueError, KeyError, TypeError):
            return None
        return next((section for section in SECTIONS if section == chosen), None)


_LIKENESS: tuple[Target, ...] = ("turn", "fact")


def _best(hits: list[tuple[int, float]]) -> float:
    return hits[0][1] if hits else 0.0
