"""How far a model may be trusted with a digest: a short self-test on a small known session."""

import time
from dataclasses import asdict
from datetime import date
from typing import Any, Final, Literal

from memdesk.domain.language.text import sentences, words
from memdesk.domain.reading import grounding
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.digest import Digest, ModelGrade
from memdesk.domain.reading.structured import UnusableAnswerError
from memdesk.errors import MemdeskError
from memdesk.messages import say
from memdesk.ports import CancelToken, Clock, ModelCatalogue, ModelInfo, Repositories, Store
from memdesk.services.distilling.model import write
from memdesk.settings.prompts import distill_prompts

PREFIX: Final = "model_grade:"
#: Share of points, and of grounded lines, that a model needs to write freely.
PASS_POINTS: Final = 0.6
PASS_GROUNDED: Final = 0.8
#: Longest answer to the test; a digest of it takes about 200 tokens.
TEST_TOKENS: Final = 400
WRITES: Final = say(
    "This model passed the self-test: it writes the digests of your conversations, and every line is checked."
)
CHOOSES: Final = say(
    "This model did not pass the self-test, so it only chooses among statements that memdesk found in your own words; it cannot "
    "invent any. A model of 3 billion parameters or more usually passes; it would join what belongs together, "
    "word decisions and open tasks, and summarize in its own words."
)
#: Grades known without a test.
KNOWN: Final[dict[str, Literal["writes", "chooses"]]] = {"bundled:smollm2-135m": "chooses"}


def grade_of(store: Store, model_id: str) -> ModelGrade | None:
    """Return a model's stored grade, or one known beforehand; None for a model never tested."""
    with store.read() as repos:
        return _grade(repos, model_id)


def is_weak(repos: Repositories, model_id: str) -> bool:
    """Whether a model is known to have failed its self-test."""
    grade = _grade(repos, model_id)
    return grade is not None and grade.grade == "chooses"


def _grade(repos: Repositories, model_id: str) -> ModelGrade | None:
    value = repos.meta.get(PREFIX + model_id)
    if value is not None:
        return ModelGrade(**{**value, "problems": tuple(value["problems"])})
    if model_id in KNOWN:
        return ModelGrade(model_id=model_id, grade=KNOWN[model_id], score=0.0, message=CHOOSES)
    return None


class Grades:
    """Tests models and stores the grades."""

    def __init__(self, store: Store, catalogue: ModelCatalogue, clock: Clock) -> None:
        self._store = store
        self._catalogue = catalogue
        self._clock = clock

    def of(self, model_id: str) -> ModelGrade | None:
        """Return the stored grade; see :func:`grade_of`."""
        return grade_of(self._store, model_id)

    def test(self, model_id: str, cancel: CancelToken | None = None) -> ModelGrade:
        """Have the model digest the known session and store its grade.

        Raises:
            ModelMissingError, EngineError, CancelledError: the test could not be run; nothing is stored.
        """
        model = self._catalogue.open(model_id)
        started = time.monotonic()
        turns = test_session()
        try:
            digest = write(model, turns, (), cancel, TEST_TOKENS).digest or Digest()
            score, problems = points(digest, turns)
        except UnusableAnswerError as error:
            score, problems = 0.0, [error.message]
        passed = not problems
        grade = ModelGrade(
            model_id=model_id,
            grade="writes" if passed else "chooses",
            score=round(score, 3),
            message=WRITES if passed else CHOOSES,
            problems=tuple(problems),
            seconds=round(time.monotonic() - started, 1),
            tested_at=self._clock.now().isoformat(),
        )
        value: dict[str, Any] = {**asdict(grade), "problems": list(grade.problems)}
        self._store.write(lambda repos: repos.meta.put(PREFIX + model_id, value))
        return grade

    def decide(self, info: ModelInfo, cancel: CancelToken | None) -> ModelGrade:
        """Return a model's grade; an untested one is tested first, and gets the lowest trust if that fails."""
        known = self.of(info.id)
        if known is not None:
            return known
        try:
            return self.test(info.id, cancel)
        except MemdeskError as error:
            if error.retryable:
                raise
            return ModelGrade(model_id=info.id, grade="chooses", score=0.0, message=CHOOSES, problems=(error.message,))


def test_session() -> list[SourceTurn]:
    data = distill_prompts()["test"]
    day = date.fromisoformat(data["date"])
    speakers = data["speakers"]
    return [
        SourceTurn(
            id=str(number),
            speaker=speaker,
            listener=next(other for other in speakers if other != speaker),
            text=text,
            day=day,
            provenance="user" if speaker == speakers[0] else "assistant",
        )
        for number, (speaker, text) in enumerate(data["turns"])
    ]


def points(digest: Digest, turns: list[SourceTurn]) -> tuple[float, list[str]]:
    """Judge a digest of the known session: the share of points found, and what is wrong with it."""
    data = distill_prompts()["test"]
    lines = [*sentences(digest.summary), *digest.decisions, *digest.action_items]
    lines += [stated.content for stated in digest.statements]
    held = {word for line in lines for word in words(line)}
    found = sum(any(word in held for word in group) for group in data["expected"])
    score = found / len(data["expected"])
    known = grounding.vocabulary(
        [turn.text for turn in turns], names=[turn.speaker for turn in turns], day=turns[0].day
    )
    grounded = sum(grounding.check(line, known).ok for line in lines) / len(lines) if lines else 0.0
    problems = []
    if score < PASS_POINTS:
        problems.append(f"It found {found} of {len(data['expected'])} things that were said.")
    if grounded < PASS_GROUNDED:
        problems.append(f"{1 - grounded:.0%} of its lines say something that was not said.")
    text = " ".join(turn.text for turn in turns).lower()
    invented = [name for name, _ in digest.entities if name.lower() not in text]
    if invented:
        problems.append("It named entities that do not occur.")
    return score, problems
