"""Instructions and prompts may contain what is forgotten: the preview names them, and they are deleted on request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.domain.chatting.folders import Folder
from memdesk.domain.chatting.prompts import Prompt
from memdesk.domain.models import Entity
from memdesk.services.agents.prompts import put_prompt, saved_prompts
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.services.recording.folders import put_folder, saved_folders
from tests.helpers.memory_rows import NOON, Desk

SECRET = "The user hides the spare key under the blue flowerpot"
TOLD = "I hide the spare key under the blue flowerpot."
RULES = f"Answer in two lines.\n\n{TOLD} Never say where the bins are.\nBe kind."
LEFT = "Answer in two lines.\n\n Never say where the bins are.\nBe kind."


@pytest.fixture
def desk(tmp_path):
    """A fact that an agent's and a chat's instructions and a saved prompt say too, and others that do not."""
    desk = Desk(tmp_path, agents=("ana", "ben"))
    desk.thread("keys", TOLD, title="Keys")
    desk.thread("bins", "Where are the bins?", agent_id="ben", title="Bins")

    def work(repos):
        repos.agents.put(replace(repos.agents.get("ana"), name="Ana", system_prompt=RULES))
        repos.agents.put(replace(repos.agents.get("ben"), name="Ben", system_prompt="Be brief."))
        thread = repos.conversations.get("ben", "bins")
        repos.conversations.put(replace(thread, overrides={"system_prompt": RULES, "model": "m"}))
        put_folder(repos, Folder(id="f", name="House", instructions=RULES))
        put_prompt(repos, Prompt(id="p", name="Where things are", text=RULES))
        put_prompt(repos, Prompt(id="q", name="Only the key", text=TOLD))
        put_prompt(repos, Prompt(id="r", name="Letters", text="Write to {name}."))

    desk.write(work)
    yield desk
    desk.close()


def written(desk):
    with desk.store.read() as repos:
        prompts = {prompt.id: prompt.text for prompt in saved_prompts(repos)}
        chat = repos.conversations.get("ben", "bins").overrides
        (folder,) = saved_folders(repos)
        return repos.agents.get("ana").system_prompt, chat, folder.instructions, prompts


def test_the_preview_names_what_says_it_and_forgetting_leaves_it(desk):
    fact = desk.fact(SECRET)
    before = written(desk)
    target = ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True)
    preview = desk.forgetting.preview(target)
    assert preview.in_prompts == 5
    words = " ".join(preview.notes)
    assert all(name in words for name in ("“Ana”", "“Bins”", "“House”", "“Where things are”", "“Only the key”"))
    assert "Ben" not in words
    assert "Letters" not in words
    report = desk.forgetting.forget(target)
    # A saved prompt is the user's own text, no copy that was overlooked.
    assert report.verified, report.left
    assert report.notes == preview.notes
    assert written(desk) == before


def test_it_goes_from_prompts_when_that_is_asked_for_and_nothing_else_does(desk):
    fact = desk.fact(SECRET)
    target = ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True, include_prompts=True)
    report = desk.forgetting.forget(target)
    assert report.verified, report.left
    agent, chat, folder, prompts = written(desk)
    assert agent == folder == LEFT
    assert chat == {"system_prompt": LEFT, "model": "m"}
    assert prompts == {"p": LEFT, "r": "Write to {name}."}
    desk.store.checkpoint()
    assert not desk.store.pages_holding([b"blue flowerpot"])
    assert desk.forgetting.preview(ForgetTarget(kind="everything")).in_prompts == 0


def test_a_forgotten_person_is_named_in_prompts_too(desk):
    aunt = Entity(id="u", agent_id="ana", name="Ursula Feldweg", created_at=NOON, updated_at=NOON)

    def work(repos):
        repos.entities.put(aunt)
        put_prompt(repos, Prompt(id="p", name="Mail", text="Write to Ursula Feldweg. Be brief."))

    desk.write(work)
    target = ForgetTarget(kind="entity", ids=("u",))
    assert "“Mail”" in " ".join(desk.forgetting.preview(target).notes)
    desk.forgetting.forget(replace(target, include_prompts=True))
    assert written(desk)[3]["p"] == "Be brief."
