"""A gateway's memory in OmniRoute's protocol."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.models import FactStatus

BEES = {"content": "Ada keeps bees.", "key": "bees", "type": "factual", "apiKeyId": "gate"}


def listed(http, **query):
    return http.get("/api/memory", params={"apiKeyId": "gate", **query}).json()


def test_an_entry_is_written_by_key_and_its_metadata_is_merged(http):
    made = http.post("/api/memory", json=BEES | {"metadata": {"a": 1, "b": 2}, "sessionId": "s1"})
    assert (made.status_code, made.json()["success"]) == (201, True)
    again = http.post("/api/memory", json=BEES | {"content": "Ada keeps goats.", "metadata": {"b": None, "c": 3}})
    assert (again.status_code, again.json()["id"]) == (200, made.json()["id"])
    assert http.post("/api/memory", json=BEES | {"content": "Ada keeps goats.", "type": "semantic"}).status_code == 200
    (entry,) = listed(http, type="semantic")["memories"]
    assert (entry["content"], entry["metadata"], entry["sessionId"]) == ("Ada keeps goats.", {"a": 1, "c": 3}, "s1")
    other = http.post("/api/memory", json=BEES | {"apiKeyId": "other"}).json()
    assert other["id"] != made.json()["id"]


def test_lists_are_filtered_paged_and_counted(http):
    for number in range(5):
        kind = "episodic" if number % 2 else "factual"
        session = "s1" if number < 2 else "s2"
        body = {"key": f"k{number}", "content": f"Entry {number} of the log", "type": kind, "sessionId": session}
        assert http.post("/api/memory", json=body | {"apiKeyId": "gate"}).status_code == 201
    everything = listed(http, limit=2, page=2)
    assert ([each["key"] for each in everything["memories"]], everything["total"]) == (["k2", "k1"], 5)
    assert everything["stats"]["byType"] == {"factual": 3, "episodic": 2}
    assert (everything["stats"]["total"], everything["totalPages"], everything["page"]) == (5, 3, 2)
    assert everything["stats"]["tokensUsed"] > 0
    assert [each["key"] for each in listed(http, offset=4)["memories"]] == ["k0"]
    assert [each["key"] for each in listed(http, type="episodic", sessionId="s1")["memories"]] == ["k1"]
    assert [each["key"] for each in listed(http, q="3")["memories"]] == ["k3"]


def test_one_entry_is_read_changed_and_forgotten(http):
    made = http.post("/api/memory", json=BEES).json()["id"]
    assert http.get(f"/api/memory/{made}").json()["key"] == "bees"
    changed = http.put(f"/api/memory/{made}", json={"content": "Ada keeps goats.", "type": "semantic"}).json()
    assert (changed["content"], changed["type"]) == ("Ada keeps goats.", "semantic")
    assert http.delete(f"/api/memory/{made}").json() == {"success": True}
    for answer in (
        http.get(f"/api/memory/{made}"),
        http.put(f"/api/memory/{made}", json={}),
        http.delete(f"/api/memory/{made}"),
    ):
        assert answer.status_code == 404
    assert listed(http)["total"] == 0


def test_what_has_expired_is_not_listed(http):
    for name in ("expiresAt", "expires_at"):
        made = http.post("/api/memory", json=BEES | {"key": name, name: "2020-01-01T00:00:00Z"}).json()
        assert made["memory"]["expiresAt"].startswith("2020-01-01")
    assert listed(http)["total"] == 0


def test_errors_have_one_shape(http):
    for method, path in (
        ("GET", "memory/nope"),
        ("DELETE", "memory/nope"),
        ("PATCH", "memory"),
        ("GET", "memory?type=x"),
    ):
        answer = http.request(method, f"/api/{path}")
        assert 400 <= answer.status_code < 500
        assert isinstance(answer.json()["error"], str)


def test_the_name_of_a_collection_is_refused_in_words(http):
    answer = http.put("/api/settings/qdrant", json={"collection": "My notes"})
    assert answer.status_code == 400
    assert "must be 1 to 48 lower-case letters, digits and underscores" in answer.json()["error"]
    assert http.put("/api/settings/qdrant", json={"collection": "c1"}).json()["collection"] == "c1"


@pytest.mark.parametrize(
    "host", ["http://[::", "box:99999", "https://box:x", "http://:6333", "http://", "x" * 300, "a..b"]
)
def test_an_address_that_no_client_can_use_is_refused_in_words(http, host):
    answer = http.put("/api/settings/qdrant", json={"host": host})
    assert answer.status_code == 400
    assert "is no address" in answer.json()["error"]


def test_health_is_a_round_trip_that_leaves_nothing(http):
    told = http.get("/api/memory/health").json()
    assert (told["status"], told["working"], told["latencyMs"] > 0) == ("healthy", True, True)
    assert http.get("/api/memory").json()["total"] == 0
    # Our own health is where it was.
    assert http.get("/memory/health").status_code == 200


@pytest.mark.parametrize("body", [{"key": "k"}, {"content": "x"}, {"content": "", "key": "k"}, BEES | {"type": "odd"}])
def test_what_cannot_be_used_is_refused_without_a_trace(http, body):
    answer = http.post("/api/memory", json=body)
    assert 400 <= answer.status_code < 500
    assert "Traceback" not in answer.text


def test_a_token_reaches_its_own_entries_alone(bare, http, parts):
    made = http.post("/api/memory", json=BEES).json()["id"]
    assert bare.get("/api/memory").status_code == 401
    _, secret = parts.services.tokens.create("other", agents=["other"])
    headers = {"Authorization": f"Bearer {secret}"}
    assert bare.get("/api/memory", headers=headers).json()["total"] == 0
    assert bare.get("/api/memory", params={"apiKeyId": "gate"}, headers=headers).status_code == 403
    assert bare.get(f"/api/memory/{made}", headers=headers).status_code == 404
    assert bare.delete(f"/api/memory/{made}", headers=headers).status_code == 404


def use(http, name, **arguments):
    return http.post(f"/memory/tools/omniroute_memory_{name}", json={"apiKeyId": "gate", **arguments}).json()["data"]


def test_tools_add_search_within_a_budget_and_clear_after_a_dry_run(http):
    for number in range(4):
        made = use(http, "add", type="factual", key=f"k{number}", content=f"Bees of hive {number}. " + "word " * 50)
        assert made["created"] is True
    assert use(http, "search", query="bees", maxTokens=16000)["count"] == 4
    assert use(http, "search", maxTokens=150)["count"] == 2
    least = use(http, "search", maxTokens=1)
    assert (least["count"], least["totalTokens"] > 1) == (1, True)
    assert use(http, "search", maxTokens=0)["count"] == 0
    assert use(http, "clear", olderThan="2020-01-01T00:00:00Z", confirm=True) == {"deletedCount": 0}
    assert use(http, "clear") == {"wouldDelete": 4, "deletedCount": 0}
    assert use(http, "clear", type="episodic", confirm=True) == {"deletedCount": 0}
    assert use(http, "clear", confirm=True) == {"deletedCount": 4}
    assert listed(http)["total"] == 0


def test_a_reader_elsewhere_sees_no_secret_in_any_field_of_an_entry(bare, http, parts):
    parts.services.settings.update("memory", {"local_only_kinds": ["health"]})
    card = "4111 1111 1111 1111"
    http.post(
        "/api/memory", json=BEES | {"key": f"bees {card}", "metadata": {"hive": {"pin": 4821}, card: "x", "n": 1}}
    )
    http.post("/api/memory", json=BEES | {"key": "bank_pin", "content": "7731 bees"})
    http.post("/api/memory", json=BEES | {"key": "ill", "content": "Bees are away.", "metadata": {"why": "diabetes"}})
    _, secret = parts.services.tokens.create("far", agents=["gate"], scopes=("memory:read", "memory:write"))
    bare.headers["Authorization"] = f"Bearer {secret}"
    found = {each["key"]: each for each in use(bare, "search", query="bees")["memories"]}
    assert found.keys() == {"bees [card number]", "bank_pin"}
    assert found["bees [card number]"]["metadata"] == {"hive": {"pin": "[password]"}, "[card number]": "x", "n": 1}
    assert found["bank_pin"]["content"] == "[password] bees"
    # Who writes to an entry is not told what was kept with it.
    told = use(bare, "add", type="factual", key="ill", content="Bees are back.", metadata={"seen": 1})
    assert told["memory"]["metadata"] == {"seen": 1}
    assert listed(http, q="back")["memories"][0]["metadata"] == {"why": "diabetes", "seen": 1}


def test_of_entries_in_the_same_words_only_the_one_named_is_forgotten(http, parts):
    parts.services.agents.ensure("gate")
    told = parts.services.memories.add_fact(agent_id="gate", content="Ada keeps bees.")
    first, second, third = (http.post("/api/memory", json=BEES | {"key": f"k{n}"}).json()["id"] for n in range(3))
    assert http.delete(f"/memory/items/{first}", params={"dry_run": True}).json()["counts"] == {"facts": 1}
    assert http.delete(f"/api/memory/{first}").json() == {"success": True}
    assert {each["id"] for each in listed(http)["memories"]} == {second, third}
    assert http.delete(f"/memory/items/{second}").json()["verified"] is True
    # The user's own word on it is for all who say it.
    assert parts.services.memories.fact(told.id).content == "Ada keeps bees."
    assert http.delete(f"/memory/facts/{told.id}").json()["counts"]["facts"] == 2
    assert http.get(f"/api/memory/{third}").status_code == 404
    assert not parts.store.pages_holding([b"Ada keeps bees"])


SETTINGS = "/api/settings/memory"


def test_settings_of_memory_are_read_and_changed_in_its_words(http, parts):
    told = {"enabled": True, "maxTokens": 800, "retentionDays": 365, "strategy": "hybrid", "skillsEnabled": False}
    assert http.get(SETTINGS).json() == told
    changes = {"enabled": False, "maxTokens": 0, "retentionDays": 14, "strategy": "recent", "skillsEnabled": True}
    assert http.put(SETTINGS, json=changes).json() == changes
    memory = parts.services.settings.current.memory
    assert (memory.enabled, memory.memory_budget_tokens, memory.episode_retention_days) == (False, 0, 14)
    assert (memory.recall_strategy, parts.services.agents.get("default").search_tool) == ("recent", True)
    assert http.put(SETTINGS, json={"maxTokens": 500}).json() == changes | {"maxTokens": 500}


def test_what_is_kept_for_ever_is_told_as_its_longest(http, parts):
    parts.services.settings.update("memory", {"episode_retention_days": 0})
    assert http.get(SETTINGS).json()["retentionDays"] == 365


@pytest.mark.parametrize(
    "wrong",
    [{"maxTokens": -1}, {"maxTokens": 16_001}, {"retentionDays": 0}, {"retentionDays": 366}, {"strategy": "odd"}],
)
def test_settings_out_of_bounds_change_nothing(http, wrong):
    before = http.get(SETTINGS).json()
    answer = http.put(SETTINGS, json={"enabled": False} | wrong)
    assert 400 <= answer.status_code < 500
    assert http.get(SETTINGS).json() == before


def test_settings_are_not_for_a_token_of_one_agent(bare, parts):
    _, secret = parts.services.tokens.create("one", agents=["one"])
    headers = {"Authorization": f"Bearer {secret}"}
    assert bare.get(SETTINGS).status_code == 401
    assert bare.put(SETTINGS, json={"enabled": False}, headers=headers).status_code == 403


def test_the_latest_entries_with_the_words_are_found_first_where_that_is_set(http):
    for number in range(3):
        http.post("/api/memory", json={"key": f"k{number}", "content": f"Ada met bee {number}.", "apiKeyId": "gate"})
    http.put(SETTINGS, json={"strategy": "recent"})
    asked = {"apiKeyId": "gate", "query": "bee"}
    found = http.post("/memory/tools/omniroute_memory_search", json=asked).json()["data"]["memories"]
    assert [each["key"] for each in found] == ["k2", "k1", "k0"]
    assert not http.post("/memory/tools/omniroute_memory_search", json=asked | {"query": "goat"}).json()["data"][
        "count"
    ]


def test_the_latest_of_what_fits_any_word_of_a_question_come_first(http):
    for key, content in (("a", "Ada keeps bees."), ("b", "Ada plays cello."), ("c", "It rains.")):
        http.post("/api/memory", json={"key": key, "content": content, "apiKeyId": "gate"})
    http.put(SETTINGS, json={"strategy": "recent"})
    found = use(http, "search", query="Who plays cello and who keeps bees?")["memories"]
    assert [each["key"] for each in found] == ["b", "a"]


def test_what_was_not_written_for_longer_than_the_retention_is_listed_and_not_found(http, parts, monkeypatch):
    for key in ("old", "kept up", "the same"):
        http.post("/api/memory", json={"key": key, "content": f"Ada keeps bees, {key}.", "apiKeyId": "gate"})
    http.put(SETTINGS, json={"retentionDays": 30})
    later = parts.services.clock.now() + timedelta(days=31)
    monkeypatch.setattr(parts.services.clock, "now", lambda: later)
    http.post("/api/memory", json={"key": "kept up", "content": "Ada keeps more bees.", "apiKeyId": "gate"})
    http.post("/api/memory", json={"key": "the same", "content": "Ada keeps bees, the same.", "apiKeyId": "gate"})
    for asked in ({"query": "bees"}, {}):
        assert sorted(each["key"] for each in use(http, "search", **asked)["memories"]) == ["kept up", "the same"]
    assert listed(http)["total"] == 3


def test_old_entries_are_summed_up_and_come_back(http, parts):
    for key, content in (("bees", "Ada keeps bees. " * 30), ("goats", "Ada\nkeeps goats.")):
        http.post("/api/memory", json={"key": key, "content": content, "apiKeyId": "gate"})
    asked = {"apiKeyId": "gate", "olderThanDays": 0}
    dry = http.post("/api/memory/summarize", json=asked).json()
    assert ([each["key"] for each in dry["candidates"]], dry["deletedCount"], dry["summaryId"]) == (
        ["bees", "goats"],
        0,
        None,
    )
    assert (dry["dryRun"], dry["totalTokens"] > 100, listed(http)["total"]) == (True, True, 2)
    done = http.post("/api/memory/summarize", json=asked | {"dryRun": False}).json()
    (summary,) = listed(http)["memories"]
    assert (done["deletedCount"], summary["id"], summary["type"]) == (2, done["summaryId"], "semantic")
    assert summary["content"].startswith("2 entries: [factual] bees: Ada keeps bees. Ada keeps bees.")
    assert summary["content"].endswith("…; [factual] goats: Ada keeps goats.")
    assert len(summary["content"]) < 250
    # What was summed up once is not again, and the words are in the history.
    assert http.post("/api/memory/summarize", json=asked | {"dryRun": False}).json()["summaryId"] is None
    assert parts.services.items.get(dry["candidates"][0]["id"]).content == ("Ada keeps bees. " * 30).strip()
    http.delete(f"/api/memory/{summary['id']}")
    assert sorted(each["key"] for each in listed(http)["memories"]) == ["bees", "goats"]


def test_many_entries_have_several_summaries(http):
    for number in range(12):
        http.post("/api/memory", json={"key": f"{number:02}" + "k" * 190, "content": "x" * 400, "apiKeyId": "gate"})
    done = http.post("/api/memory/summarize", json={"apiKeyId": "gate", "olderThanDays": 0, "dryRun": False}).json()
    assert (done["deletedCount"], len(done["summaryIds"]), listed(http)["total"]) == (12, 2, 2)


def test_a_summary_is_of_one_owner_and_of_what_is_old(http):
    for owner in ("gate", "other"):
        for key in ("a", "b"):
            http.post("/api/memory", json={"key": key, "content": f"{owner} {key}", "apiKeyId": owner})
    assert http.post("/api/memory/summarize", json={"apiKeyId": "gate"}).json()["candidates"] == []
    http.post("/api/memory/summarize", json={"apiKeyId": "gate", "olderThanDays": 0, "dryRun": False})
    assert http.get("/api/memory", params={"apiKeyId": "other"}).json()["total"] == 2


def test_a_search_may_be_of_one_session(http):
    for session in ("s1", "s2"):
        use(http, "add", type="factual", key=session, content=f"Ada keeps bees in {session}.", sessionId=session)
    for asked in ({"query": "Who keeps bees?"}, {}):
        found = use(http, "search", sessionId="s1", **asked)["memories"]
        assert [each["key"] for each in found] == ["s1"]
        assert use(http, "search", **asked)["count"] == 2


def test_an_entry_is_found_by_its_session_its_owner_or_everyone(http, bare, parts):
    def found(**asked):
        return {each["key"] for each in use(http, "search", **asked)["memories"]}

    for key, more in (
        ("mine", {}),
        ("in s1", {"sessionId": "s1"}),
        ("only s1", {"sessionId": "s1", "scope": "session"}),
        ("for all", {"scope": "global"}),
    ):
        http.post("/api/memory", json={"key": key, "content": f"The kiln is hot, {key}.", "apiKeyId": "gate"} | more)
    http.post(
        "/api/memory", json={"key": "shared", "content": "Ben's kiln is cold.", "apiKeyId": "b", "scope": "global"}
    )
    http.post("/api/memory", json={"key": "hidden", "content": "Ben's kiln is sold.", "apiKeyId": "b"})
    own = {"mine", "in s1", "for all"}
    for asked in ({"query": "How is the kiln?"}, {}):
        assert found(**asked) == found(**asked, scope="token") == found(**asked, scope="apiKey", sessionId="s1") == own
        assert found(**asked, sessionId="s1") == found(**asked, sessionId="s1", scope="session") == {"in s1", "only s1"}
        assert found(**asked, scope="global") == own | {"shared"}
    assert {each["key"]: each["scope"] for each in listed(http)["memories"]} == {
        "mine": "token",
        "in s1": "token",
        "only s1": "session",
        "for all": "global",
    }
    assert {each["key"] for each in listed(http, scope="global")["memories"]} == own | {"shared"}
    assert http.get("/api/memory", params={"scope": "session"}).status_code == 400
    wrong = http.post("/api/memory", json={"key": "k", "content": "x", "scope": "session"})
    assert (wrong.status_code, "sessionId" in wrong.json()["error"]) == (400, True)
    # A token of one owner reads what others share, and takes its own back by the same key.
    _, secret = parts.services.tokens.create("b", agents=["b"])
    told = bare.get("/api/memory", params={"scope": "global"}, headers={"Authorization": f"Bearer {secret}"}).json()
    assert {each["key"] for each in told["memories"]} == {"shared", "hidden", "for all"}
    http.post(
        "/api/memory", json={"key": "for all", "content": "The kiln is hot.", "apiKeyId": "gate", "scope": "token"}
    )
    assert {each["key"] for each in listed(http, scope="global", apiKeyId="b")["memories"]} == {"shared", "hidden"}
    assert use(http, "clear", confirm=True) == {"deletedCount": 4}


def test_what_is_kept_here_is_not_searched_from_elsewhere_with_a_question_or_without(bare, http, parts):
    parts.services.settings.update("memory", {"local_only_kinds": ["health", "people"]})
    for owner, key, content in (
        ("gate", "boat", "The boat is blue."),
        ("gate", "dose", "I take insulin against my diabetes."),
        ("other", "kiln", "The kiln is hot."),
        ("other", "painter", "Wilhelmine paints the kiln."),
    ):
        http.post("/api/memory", json={"key": key, "content": content, "apiKeyId": owner, "scope": "global"})
    # Whom an owner knows by name, that owner's entries are kept by.
    person = {"entities": [{"name": "Wilhelmine", "entityType": "person", "observations": []}]}
    http.post("/memory/tools/create_entities", json=person, headers={"X-Memdesk-Agent-Id": "other"})
    for asked in ({}, {"query": "boat insulin kiln"}):
        found = use(http, "search", scope="global", **asked)["memories"]
        assert sorted(entry["key"] for entry in found) == ["boat", "kiln"]
    _, secret = parts.services.tokens.create("here", ["memory:read", "memory:private"])
    headers = {"Authorization": f"Bearer {secret}"}
    told = bare.post("/memory/tools/omniroute_memory_search", json={"apiKeyId": "gate"}, headers=headers).json()
    assert sorted(entry["key"] for entry in told["data"]["memories"]) == ["boat", "dose"]


def test_secrets_are_masked_in_what_a_program_elsewhere_searches(http):
    http.post("/api/memory", json={"key": "card", "content": "The card is 4539 1488 0343 6467.", "apiKeyId": "gate"})
    for asked in ({}, {"query": "card"}):
        (entry,) = use(http, "search", **asked)["memories"]
        assert entry["content"] == "The card is [card number]."


def test_an_entry_that_is_written_again_stays_where_its_owner_keeps_it(http, parts):
    made = http.post("/api/memory", json=BEES).json()["id"]
    parts.services.items.change(made, privacy="local_only", user_pinned=True)
    http.post("/api/memory", json=BEES | {"content": "Ada keeps goats."})
    item = parts.services.items.get(made)
    assert (item.content, item.privacy, item.user_pinned) == ("Ada keeps goats.", "local_only", True)


@pytest.mark.parametrize(
    ("status", "content", "total"),
    [
        (FactStatus.BINNED, "Ada keeps bees.", 1),
        (FactStatus.SUPERSEDED, "Ada keeps bees.", 1),
        (FactStatus.DISABLED, "Ada keeps bees.", 0),
        (FactStatus.DISABLED, "Ada keeps goats.", 1),
        (FactStatus.QUARANTINED, "Ada keeps bees.", 0),
    ],
)
def test_what_is_written_again_is_in_force_unless_these_words_are_held_back(http, parts, status, content, total):
    made = http.post("/api/memory", json=BEES).json()["id"]
    row = replace(parts.services.items.get(made), status=status)
    parts.store.write(lambda repos: repos.items.put(row))
    assert listed(http)["total"] == 0
    assert http.post("/api/memory", json=BEES | {"content": content}).json()["id"] == made
    assert listed(http)["total"] == total


def test_metadata_does_not_say_who_finds_an_entry_or_what_it_stands_for(bare, http, parts):
    theirs = http.post("/api/memory", json=BEES | {"apiKeyId": "b"}).json()["id"]
    parts.services.items.change(theirs, status="disabled")
    wrong = {"foundBy": "global", "sessionId": 5, "standsFor": [theirs, 5], "a": 1}
    made = http.post("/api/memory", json=BEES | {"metadata": wrong}).json()["id"]
    changed = http.put(f"/api/memory/{made}", json={"metadata": wrong | {"b": 2}}).json()
    assert (changed["metadata"], changed["scope"], changed["sessionId"]) == ({"a": 1, "b": 2}, "token", "")
    # Who writes an item may give it what it likes, and reaches nobody else's by that.
    http.patch(f"/memory/items/{made}", json={"metadata": wrong | {"foundBy": "moon"}})
    assert (listed(http)["memories"][0]["scope"], listed(http)["memories"][0]["sessionId"]) == ("token", "5")
    assert http.delete(f"/api/memory/{made}").json() == {"success": True}
    assert parts.services.items.get(theirs).status == "disabled"


def test_the_end_of_an_entry_is_set_and_taken_away(http):
    made = http.post("/api/memory", json=BEES).json()["id"]
    changed = http.put(f"/api/memory/{made}", json={"expiresAt": "2120-01-01T00:00:00Z"}).json()
    assert (changed["expiresAt"], changed["content"]) == ("2120-01-01T00:00:00+00:00", "Ada keeps bees.")
    assert http.put(f"/api/memory/{made}", json={"content": "Ada keeps goats."}).json()["expiresAt"]
    assert http.put(f"/api/memory/{made}", json={"expiresAt": None}).json()["expiresAt"] is None
