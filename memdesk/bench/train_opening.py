"""Learns when a message gets memory: a logistic regression with a ridge, fitted by Newton's method."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import memdesk
from memdesk.bench.gate_prompts import Labeled
from memdesk.bench.gate_train import learn
from memdesk.bench.logistic import newton
from memdesk.bench.recall_talks import Ask, Talk
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.recalling.gate import Gate
from memdesk.domain.recalling.gate_wording import Wording
from memdesk.domain.recalling.opening import WEIGHED, Signals, weighed
from memdesk.domain.recalling.ranking import Weights
from memdesk.services.container import Services
from memdesk.services.recalling import Request, language_rules, learned_wording, word_kinds
from memdesk.settings.resources import resources_root

#: What the retrieval of a message is made of: packages, and folders of resources.
_CODE = ("domain/language", "domain/recalling", "services/recalling")
_DATA = ("gate", "language", "ranking")
#: What is learned from the figures, and weighs them.
_LEARNED = frozenset(("opening.json", "opening.py"))


def kept(folder: Path | None, made_from: Iterable[str], make: Callable[[], list[Any]]) -> list[Any]:
    """Return what ``make`` returns (JSON), from disk where it was made before.

    Args:
        folder: where it is kept; None: nowhere.
        made_from: tells it from what else is kept, besides the code of recall and its data.
        make: makes it.
    """
    if folder is None:
        return make()
    name = hashlib.sha256("\n".join([_retrieval(), *made_from]).encode()).hexdigest()[:24]
    path = folder / "figures" / f"{name}.json"
    if path.is_file():
        return list(json.loads(path.read_bytes()))
    made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: a run that is stopped leaves nothing half written.
    part = path.with_suffix(".part")
    part.write_text(json.dumps(made), encoding="utf-8")
    part.replace(path)
    return made


@cache
def _retrieval() -> str:
    told = hashlib.sha256()
    folders = [Path(memdesk.__file__).parent / name for name in _CODE] + [resources_root() / name for name in _DATA]
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if "__pycache__" not in path.parts and path.name not in _LEARNED:
            told.update(path.name.encode() + path.read_bytes())
    return told.hexdigest()


#: Weight of the squared coefficients, where a sense tells what a message asks for, and where none does.
_SENSED_PENALTY, _PENALTY = 5.0, 0.3
#: Of the labeled prompts so many-th teach; they are many and each is retrieved for.
_EVERY = 6
#: Share of a set's messages about nothing remembered that may get memory; all labeled prompts are one set. Where no sense tells
#: what is asked from what is merely alike, more: else hardly anything opened.
FALSE_ALARMS, BLUNT_ALARMS = 0.05, 0.1
#: What is another thing in another space: there its products with other signals teach nothing.
_SPATIAL = frozenset({"sense", "likeness", "third", "answer"})
#: What the sense tells holds whatever is found: beside it, products with these fitted the training sets alone.
_BY_ITSELF = frozenset({"sense", "likeness", "length", "of_self"})
#: What a message counts, by whether it is a labeled prompt, put to a memory that does not hold what it asks for, rather
#: than one of the memory's own chats; and by whether it needs memory. A memory that does not hold what is asked for
#: has nothing to open for: such a prompt hardly counts.
_COUNTS = {(False, True): 1.0, (False, False): 10.0, (True, True): 0.02, (True, False): 1.0}
#: What an idle message to a memory of its own counts where no sense tells it from others.
_BLUNT_COUNT = 4.0


@dataclass(frozen=True, slots=True)
class Told:
    """The signals of one message, whether it needs memory, its set, its language, and whether that is a file of labeled prompts."""

    signals: Signals
    needs: bool
    group: str
    language: str
    prompt: bool = False


class Listener:
    """Puts messages to recorded conversations and notes what speaks for memory.

    Args:
        services: with the conversations recorded and embedded.
        sets: labeled prompts, which teach the wording.
        folder: where what was noted is kept for the next run; None: nowhere.
    """

    def __init__(self, services: Services, sets: Sequence[Labeled], folder: Path | None = None) -> None:
        self._services = services
        self._sets = sets
        self._folder = folder
        self._wordings: dict[str, Wording] = {}

    def questions(self, talks: Sequence[Talk], *, vectors: bool = True) -> Iterator[Told]:
        """Yield questions that have evidence, and messages about nothing remembered."""
        for talk in talks:
            made_from = ("questions", _told_of(talk), str(vectors))
            yield from self._kept(made_from, partial(self._questions, talk, vectors))

    def prompts(self, talks: Sequence[Talk], *, vectors: bool = True) -> Iterator[Told]:
        """Yield labeled prompts, put to the talks in turn; each file is read by a wording that it did not teach."""
        for held in self._sets:
            made_from = ("prompts", held.name, repr(self._sets), *map(_told_of, talks), str(_EVERY), str(vectors))
            yield from self._kept(made_from, partial(self._prompts, held, talks, vectors))

    def _kept(self, made_from: Sequence[str], make: Callable[[], Iterable[Told]]) -> Iterator[Told]:
        rows = kept(self._folder, made_from, lambda: [asdict(one) for one in make()])
        for row in rows:
            yield Told(**{**row, "signals": Signals(**row["signals"])})

    def _questions(self, talk: Talk, vectors: bool) -> Iterator[Told]:
        gate = Gate(language_rules(), wording=learned_wording())
        for needs, asks in ((True, [ask for ask in talk.questions if ask.evidence]), (False, talk.idle)):
            for ask in asks:
                yield from self._told(talk, ask, gate, (), talk.source, needs=needs, vectors=vectors)

    def _prompts(self, held: Labeled, talks: Sequence[Talk], vectors: bool) -> Iterator[Told]:
        if held.name not in self._wordings:
            self._wordings[held.name] = Wording(word_kinds(), learn([each for each in self._sets if each is not held]))
        gate = Gate(language_rules(), wording=self._wordings[held.name])
        for number, prompt in enumerate(held.prompts[::_EVERY]):
            if len({section == "none" for section in prompt.accept}) == 1:
                talk = talks[number % len(talks)]
                ask = Ask(prompt.query, "", "", (), max(one.date for one in talk.sittings))
                needs = "none" not in prompt.accept
                for told in self._told(talk, ask, gate, held.entities, held.name, needs=needs, vectors=vectors):
                    yield replace(told, prompt=True)

    def _told(
        self, talk: Talk, ask: Ask, gate: Gate, known: Sequence[str], group: str, *, needs: bool, vectors: bool
    ) -> Iterator[Told]:
        """Retrieve for a message that is weighed at all, of one word none is; without ``vectors`` by words alone."""
        recall = self._services.recall
        with recall.store.read() as repos:
            known = [*known, *(name for _, name in repos.entities.names(talk.agent))]
        decision = gate.decide(ask.text, EntityMatcher(known, generic=gate.generic_words))
        if decision.final:
            return
        asked = recall.searcher.ask(
            talk.agent, ask.text, ask.now, vectors=vectors, as_of=ask.as_of, history=ask.history
        )
        with recall.store.read() as repos:
            told = recall.searcher.describe_turns(repos, asked)
            request = Request(agent_id=talk.agent, query=ask.text, budget=0, history=ask.history, replies=ask.replies)
            facts = recall.searcher.statements.facts(repos, asked)
            if names := recall.searcher.heard(told, asked, facts, exclude=request.at_hand):
                decision = gate.decide(ask.text, EntityMatcher([*names, *known], generic=gate.generic_words))
            if decision.final:
                return
            signals = recall.composer.signals(repos, asked, decision, told, facts, request)
            yield Told(signals, needs, group, asked.language)


def _told_of(talk: Talk) -> str:
    """Return what tells a talk from any other; a set of ids is in another order in each run."""
    return repr((talk.name, talk.sittings, talk.questions, talk.idle, *talk.written))


def fit_opening(told: Sequence[Told], own: Collection[str] = (), *, blunt: bool = False) -> Weights:
    """Return weights of :data:`WEIGHED`; at one half, at most :data:`FALSE_ALARMS` of each set's idle messages get memory.

    The sets named ``own`` and the labeled prompts count as one: some of these were made to look like what needs memory.
    ``blunt`` fits them for the vectors of any model, none of which has a sense.
    """
    if blunt:
        told = [replace(one, signals=replace(one.signals, sense=None)) for one in told]
    sensed = any(one.signals.sense is not None for one in told)
    single = _SPATIAL if blunt else _BY_ITSELF if sensed else frozenset()
    x = np.array([weighed(one.signals) for one in told], dtype=np.float64)
    x[:, [" " in name and not single.isdisjoint(name.split()) for name in WEIGHED]] = 0.0
    needs = np.array([one.needs for one in told])
    weight = np.array([_count(one) for one in told])
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-6] = 1.0
    z = (x - mean) / scale
    beta, bias = newton(z, needs.astype(np.float64), _SENSED_PENALTY if sensed else _PENALTY, weight)
    groups = ["" if one.prompt or one.group in own else one.group for one in told]
    idle = [np.array([one == group for one in groups]) & ~needs for group in sorted(set(groups))]
    alarms = BLUNT_ALARMS if blunt else FALSE_ALARMS
    # What one set would let pass must not be paid for by another one.
    bias = -max((float(np.quantile((z @ beta)[rows], 1.0 - alarms)) for rows in idle if rows.any()), default=-bias)
    return Weights(mean.astype(np.float32), scale.astype(np.float32), beta.astype(np.float32), bias)


def _count(one: Told) -> float:
    count = _COUNTS[one.prompt, one.needs]
    return count if one.signals.sense is not None else min(count, _BLUNT_COUNT)
