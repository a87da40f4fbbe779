"""What the user sees and changes, on a real encrypted store."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from memdesk.domain.ageing.salience import decay
from memdesk.domain.language.analysis import plain
from memdesk.domain.models import Entity, FactKind, FactStatus, Relation
from memdesk.errors import BadRequestError, ConflictError, EngineError, NotFoundError
from memdesk.ports import FactFilter
from memdesk.services.distilling.lines import LineReader
from memdesk.services.events import LockChanged, MemoryChanged
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.services.remembering.memories import MemoriesService, retold
from tests.helpers.memory_rows import NOON, Desk
from tests.helpers.parser import ReadsHere, parser


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path, agents=("ana", "ben"))
    yield desk
    desk.close()


def add(desk, content, **fields):
    return desk.memories.add_fact(agent_id=fields.pop("agent_id", "ana"), content=content, **fields)


def test_a_fact_is_added_with_its_history(desk):
    fact = add(desk, "  The user\nplays chess ", kind="skill", tags=["games", "games"], salience=0.7)
    assert desk.memories.fact(fact.id) == fact
    assert (fact.content, fact.kind, fact.tags) == ("The user plays chess", FactKind.SKILL, ("games",))
    [entry] = desk.history.of("fact", fact.id)
    assert (entry.action, entry.actor, entry.new["content"]) == ("add", "user", "The user plays chess")
    assert MemoryChanged("ana", ("fact",)) in desk.events
    assert desk.indexing.noted == [("ana", "item", (fact.seq,))]


def test_the_very_same_words_again_are_the_known_fact(desk):
    fact = add(desk, "The user plays chess")
    assert add(desk, "the user  plays CHESS").id == fact.id
    assert add(desk, "the user plays chess", agent_id="ben").id != fact.id
    assert add(desk, "The user plays chess on Sundays").id != fact.id


@pytest.mark.parametrize("words", ["The user plays chess", "The user plays the chess"])
def test_what_is_written_by_hand_outlives_a_programs_entry_of_the_same_words(desk, words):
    entry = add(desk, "The user plays chess", key="game", actor="api", actor_detail="gateway")
    own = add(desk, words, pinned=True)
    assert (own.id != entry.id, own.key, own.user_pinned) == (True, "", True)
    assert add(desk, words).id == own.id
    assert add(desk, "The user plays chess", key="sport").key == "sport"
    assert add(desk, "the user plays chess", key="game").id == entry.id
    desk.forgetting.forget(ForgetTarget(kind="facts", ids=(entry.id,), agent_id="ana", alone=True))
    assert desk.memories.fact(own.id).content == words


@pytest.mark.parametrize(
    "fields",
    [
        {"content": "  "},
        {"content": "x" * 2001},
        {"content": 5},
        {"salience": 1.5},
        {"salience": True},
        {"kind": "gossip"},
        {"tags": "one"},
        {"tags": ["x"] * 1 + [str(n) for n in range(40)]},
        {"valid_from": NOON, "valid_until": NOON - timedelta(days=1)},
        {"valid_from": NOON.replace(tzinfo=None)},
    ],
)
def test_what_cannot_be_stored_is_refused(desk, fields):
    with pytest.raises(BadRequestError):
        add(desk, **({"content": "The user plays chess"} | fields))
    assert desk.facts() == {}


def test_an_unknown_agent_is_told(desk):
    with pytest.raises(NotFoundError):
        add(desk, "x y", agent_id="nobody")


def test_an_edit_is_recorded_with_who_and_what(desk):
    fact = desk.fact("The user lives in Porto", confidence=0.4, provenance="assistant")
    desk.clock.move(days=1)
    edited = desk.memories.edit_fact(fact.id, content="The user lives in Oslo", actor="api", actor_detail="phone")
    assert (edited.content, edited.provenance, edited.confidence) == ("The user lives in Oslo", "user", 1.0)
    assert edited.updated_at == desk.clock.now()
    [entry] = desk.history.of("fact", fact.id)
    assert (entry.actor, entry.actor_detail) == ("api", "phone")
    assert (entry.old["content"], entry.new["content"]) == ("The user lives in Porto", "The user lives in Oslo")
    again = desk.memories.edit_fact(fact.id, content="The user lives in Oslo")
    assert again == edited
    assert desk.history.page(kind="fact", ref_id=fact.id).total == 1


@pytest.mark.parametrize("changes", [{"owner": "x"}, {"status": "binned"}, {"user_pinned": 1}, {"salience": "high"}])
def test_an_edit_out_of_bounds_changes_nothing(desk, changes):
    fact = desk.fact("The user plays chess")
    with pytest.raises(BadRequestError):
        desk.memories.edit_fact(fact.id, **changes)
    assert desk.facts()[fact.id] == fact


def test_salience_set_by_hand_ages_from_then_on(desk):
    fact = desk.fact("The user plays chess", salience=0.5, created_at=NOON - timedelta(days=60))
    desk.memories.edit_fact(fact.id, salience=0.9)
    desk.consolidation.run()
    assert desk.facts()[fact.id].salience == 0.9
    desk.clock.move(days=3)
    desk.consolidation.run()
    assert desk.facts()[fact.id].salience == pytest.approx(decay(0.9, 3))


def test_many_are_changed_and_taken_back(desk):
    facts = [desk.fact(f"The user owns book {n}", tags=("book",)) for n in range(5)]
    before = desk.facts()
    ids = [fact.id for fact in facts]
    done = desk.memories.edit_facts([*ids, "gone"], add_tags=["shelf"], remove_tags=["book"], kind="event")
    assert done.count == 5
    assert {fact.tags for fact in desk.facts().values()} == {("shelf",)}
    assert desk.memories.facts(FactFilter(tag="shelf")).total == 5
    assert desk.memories.undo(done.token) == 5
    assert desk.facts() == before
    with pytest.raises(ConflictError):
        desk.memories.undo(done.token)


def test_undo_leaves_what_was_changed_since(desk):
    one, two = desk.fact("The user owns a book"), desk.fact("The user owns a boat")
    done = desk.memories.set_status([one.id, two.id], "disabled")
    desk.clock.move(hours=1)
    desk.memories.edit_fact(one.id, content="The user owns a rare book")
    desk.forgetting.forget(desk_target(two.id), verify=False)
    assert desk.memories.undo(done.token) == 1
    left = desk.facts()[one.id]
    assert (left.status, left.content) == (FactStatus.ACTIVE, "The user owns a rare book")


def desk_target(fact_id):
    from memdesk.services.forgetting.forgetting import ForgetTarget

    return ForgetTarget(kind="fact", ids=(fact_id,))


def test_pinned_facts_stay_and_age_from_unpinning_on(desk):
    fact = desk.fact("The user plays chess", salience=0.3, created_at=NOON - timedelta(days=200))
    desk.memories.pin([fact.id])
    desk.consolidation.run()
    assert desk.facts()[fact.id].salience == 0.3
    assert desk.memories.fades_at(fact.id) is None
    desk.memories.pin([fact.id], False)
    desk.clock.move(days=1)
    desk.consolidation.run()
    assert desk.facts()[fact.id].salience == pytest.approx(decay(0.3, 1))


def test_remember_keeps_the_turn_as_its_source(desk):
    turn = desk.thread("talk", "By the way, I play chess on Sundays")[0]
    fact = desk.memories.remember("ana", "I play chess on Sundays", turn.id)
    [source] = desk.memories.sources(fact.id)
    assert (source.quote, source.turn.id, source.conversation.id) == ("I play chess on Sundays", turn.id, "talk")
    assert fact.run_id == "talk"
    told = MemoriesService(
        store=desk.store,
        clock=desk.clock,
        events=desk.bus,
        settings=desk.settings,
        describe=lambda text, turn: (text.replace("I play", "The user plays"), FactKind.SKILL),
    ).remember("ana", "I play the flute", turn.id)
    assert (told.content, told.kind) == ("The user plays the flute", FactKind.SKILL)


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("I moved to Porto last Friday", "The user moved to Porto last Friday (6 March 2026)."),
        ("my birthday is tomorrow", "The user's birthday is tomorrow (11 March 2026)."),
        ("What a day! I love my new bike.", "The user loves their new bike."),
        ("My sister keeps bees. I drink tea.", "The user's sister keeps bees. The user drinks tea."),
        ("How do I get there?", "The user said: “How do I get there?”"),
        ("spare key", "The user said: “spare key”"),
    ],
)
def test_what_is_remembered_can_be_read_by_itself(desk, said, content):
    turn = desk.thread("talk", said)[0]
    assert desk.memories.remember("ana", said, turn.id).content == content


def test_a_models_words_are_remembered_as_they_are(desk):
    turn = desk.thread("talk", "What do you say?", "I recommend the blue one")[1]
    assert desk.memories.remember("ana", "I recommend the blue one", turn.id).content == "I recommend the blue one"


@pytest.mark.expect_log
@pytest.mark.parametrize("broken", [False, True])
def test_a_selection_is_read_by_the_analyzer_where_it_works(desk, broken):
    read = []

    class Analyzer(ReadsHere):
        def analyze(self, texts, *, cancel=None):
            read.extend(texts)
            if broken:
                raise EngineError("It fell over.")
            return [plain(text) for text in texts]

    describe = retold(desk.clock, Analyzer())
    turn = desk.thread("talk", "I drink tea.")[0]
    assert describe("I drink tea.", turn)[0] == "The user drinks tea."
    assert read == ["I drink tea."]


def test_neighbors_are_the_facts_most_like_it(desk):
    fact = desk.fact("The user plays chess with Otto on Sundays")
    near = desk.fact("Otto and the user play chess")
    desk.fact("The roof leaks")
    desk.fact("The user has a leaking roof at home")
    desk.fact("The user plays chess with Otto", agent_id="ben")
    found = desk.memories.neighbors(fact.id)
    assert [each.fact.id for each in found] == [near.id]
    assert 0 < found[0].score <= 1


def test_the_curve_of_a_fact(desk):
    fact = add(desk, "The user plays chess", salience=0.8)
    desk.clock.move(days=10)
    desk.memories.edit_fact(fact.id, salience=0.9)
    desk.clock.move(days=5)
    points = desk.memories.salience_curve(fact.id)
    values = dict(points)
    assert points[0] == (NOON, 0.8)
    assert values[NOON + timedelta(days=10)] == 0.9
    # What the user set by hand lasts until they say otherwise.
    assert values[desk.clock.now()] == 0.9
    assert points[-1] == (desk.clock.now() + timedelta(days=90), 0.9)
    assert desk.memories.fades_at(fact.id) is None


def test_identity_lines(desk):
    line = desk.memories.add_identity("Call me Kim")
    assert desk.memories.add_identity("call me kim") == line
    edited = desk.memories.edit_identity(line.id, content="Call me Kimberly")
    assert desk.memories.identity() == [edited]
    desk.memories.edit_identity(line.id, status="disabled")
    assert [one.status for one in desk.memories.identity(include_inactive=True)] == ["disabled"]
    assert [entry.action for entry in desk.history.of("identity", line.id)] == ["edit", "edit", "add"]
    desk.forgetting.forget(ForgetTarget(kind="identity", ids=(line.id,)))
    assert desk.memories.identity(include_inactive=True) == []
    assert [entry.new for entry in desk.history.of("identity", line.id)] == [None] * 4
    with pytest.raises(NotFoundError):
        desk.memories.edit_identity(line.id, content="x")
    with pytest.raises(BadRequestError):
        desk.memories.add_identity("x" * 501)


def test_episodes(desk):
    episode = desk.episode("They spoke of chess", details=["Otto won twice"])
    edited = desk.memories.edit_episode(
        episode.id, summary="They spoke of chess and tea", topics=["chess"], salience=0.9
    )
    assert desk.memories.episode(episode.id) == edited
    assert [detail.content for detail in edited.session.details] == ["Otto won twice"]
    assert desk.memories.edit_episode(episode.id, salience=0.9) == edited
    assert desk.memories.episodes("ana", query="tea").items == [edited]
    desk.memories.edit_episode(episode.id, status="disabled")
    assert desk.memories.episodes("ana").total == 0
    assert desk.history.page(kind="episode", ref_id=episode.id).total == 2
    with pytest.raises(NotFoundError):
        desk.memories.episode("nothing")
    with pytest.raises(NotFoundError):
        desk.memories.edit_episode("nothing", salience=0.1)


def test_who_is_named_in_what_was_written_by_hand_is_known_by_name(desk, monkeypatch):
    monkeypatch.setattr(desk.memories, "_lines", LineReader(parser()))
    add(desk, "Ada keeps bees in Porto.")
    moved = add(desk, "Tom lives in Lisbon.")
    with desk.store.read() as repos:
        assert {name for _, name in repos.entities.names("ana")} >= {"Ada", "Tom", "Lisbon"}
        tom = repos.entities.find("ana", "Tom")
        assert [one.fact_id for one in repos.entities.relations(tom.id)] == [moved.id]
    later = add(desk, "Tom lives in Porto now.")
    desk.memories.edit_fact(later.id, content="Tom lives in Braga.")
    with desk.store.read() as repos:
        assert repos.items.get(moved.id).status is FactStatus.SUPERSEDED
        assert moved.id not in {one.fact_id for one in repos.entities.relations(tom.id)}
        assert repos.entities.find("ana", "Braga").type == "place"


def test_links_follow_the_words_through_edit_undo_and_taking_back(desk, monkeypatch):
    for service in (desk.memories, desk.history):
        monkeypatch.setattr(service, "_lines", LineReader(parser()))
    fact = add(desk, "Tom lives in Lisbon.")
    by_hand = person(desk, "The big move")
    desk.store.write(lambda repos: repos.entities.link(by_hand.id, "fact", fact.id))

    def named():
        with desk.store.read() as repos:
            tom = repos.entities.find("ana", "Tom")
            joined = [repos.entities.get(one.object_id).name for one in repos.entities.relations(tom.id)]
            return {one.name for one in repos.entities.of("fact", fact.id)} - {by_hand.name}, joined

    desk.memories.edit_fact(fact.id, content="Tom lives in Braga.")
    assert named() == ({"Tom", "Braga"}, ["Braga"])
    with desk.store.read() as repos:
        assert repos.entities.find("ana", "Lisbon") is None
        assert repos.entities.links(by_hand.id) == [("fact", fact.id)]
    change = desk.memories.edit_facts([fact.id], content="Tom lives in Faro.")
    assert named() == ({"Tom", "Faro"}, ["Faro"])
    desk.memories.undo(change.token)
    assert named() == ({"Tom", "Braga"}, ["Braga"])
    (edit,) = [one for one in desk.history.of("fact", fact.id) if one.new.get("content") == "Tom lives in Braga."][-1:]
    desk.history.take_back(edit.id)
    assert named() == ({"Tom", "Lisbon"}, ["Lisbon"])


def test_people_and_things(desk):
    facts = [desk.fact("Otto plays chess"), desk.fact("Otto was rude", status=FactStatus.DISABLED)]
    episode = desk.episode("They spoke of Otto")
    entities = [
        Entity(id=name, agent_id="ana", name=name, type="person", created_at=NOON, updated_at=NOON)
        for name in ("Otto", "Kim")
    ]

    def work(repos):
        for entity in entities:
            repos.entities.put(entity)
        for fact in facts:
            repos.entities.link("Otto", "fact", fact.id)
        repos.entities.link("Otto", "episode", episode.id)
        repos.entities.relate(
            Relation(
                id="r", agent_id="ana", subject_id="Kim", predicate="is a friend of", object_id="Otto", created_at=NOON
            )
        )

    desk.write(work)
    view = desk.memories.entity("Otto")
    assert [fact.id for fact in view.facts] == [facts[0].id]
    assert [one.id for one in view.episodes] == [episode.id]
    [relation] = view.relations
    assert (relation.subject.name, relation.relation.predicate, relation.object.name) == (
        "Kim",
        "is a friend of",
        "Otto",
    )
    assert {entity.name for entity in desk.memories.entities("ana").items} == {"Otto", "Kim"}
    with pytest.raises(NotFoundError):
        desk.memories.entity("nobody")


def test_the_transcript(desk):
    desk.thread("talk", "I play chess", "Good for you")
    assert [turn.content for turn in desk.memories.transcript("ana", "talk").items] == ["I play chess", "Good for you"]
    assert desk.memories.transcript("ben").total == 0
    assert desk.memories.transcript("ana", query="chess").total == 1


def test_what_does_not_exist_is_told(desk):
    for call in (desk.memories.fact, desk.memories.sources, desk.memories.neighbors, desk.memories.salience_curve):
        with pytest.raises(NotFoundError):
            call("nothing")
    with pytest.raises(NotFoundError):
        desk.memories.edit_fact("nothing", salience=0.5)
    assert desk.memories.edit_facts(["nothing", "more"], salience=0.5).count == 0


def person(desk, name, **fields):
    entity = Entity(
        id=name.lower().replace(" ", "-"), agent_id=fields.pop("agent_id", "ana"), name=name, type=fields.pop("type", "person"),
        mention_count=fields.pop("mentions", 1), created_at=NOON, updated_at=NOON,
    )  # fmt: skip
    desk.store.write(lambda repos: repos.entities.put(entity))
    return entity


def test_a_name_that_changed_is_still_found(desk):
    marta = person(desk, "Martha")
    edited = desk.memories.edit_entity(marta.id, name="Marta", type_="person")
    assert edited.name == "Marta"
    assert desk.memories.entity(marta.id).aliases == ["Martha"]
    with desk.store.read() as repos:
        assert repos.entities.find("ana", "MÁRTHA").id == marta.id
        assert {name for _id, name in repos.entities.names("ana")} == {"Marta", "Martha"}
    assert desk.memories.entities(query="marth").total == 1
    assert MemoryChanged("ana", ("entity",)) in desk.events
    desk.memories.edit_entity(marta.id, aliases=["Tante Marta", " ", "marta"])
    assert desk.memories.entity(marta.id).aliases == ["Tante Marta"]


def test_two_that_are_the_same_become_one(desk):
    marta, other, ada = person(desk, "Marta", mentions=4), person(desk, "Marta K.", mentions=2), person(desk, "Ada")
    one, two = add(desk, "Marta is vegetarian"), add(desk, "Marta K. plays the cello")

    def link(repos):
        repos.entities.set_aliases(other, ["Frau K."])
        for entity, fact in ((marta, one), (other, one), (other, two)):
            repos.entities.link(entity.id, "fact", fact.id)
        for number, (subject, object_) in enumerate(((ada, other), (other, marta), (marta, ada))):
            repos.entities.relate(
                Relation(id=f"r{number}", agent_id="ana", subject_id=subject.id, predicate="knows", object_id=object_.id,
                         created_at=NOON)
            )  # fmt: skip

    desk.store.write(link)
    seen = desk.memories.merge_preview(other.id)
    assert (seen.facts, seen.episodes, seen.relations) == (2, 0, 2)
    desk.memories.merge_entities(other.id, marta.id)
    view = desk.memories.entity(marta.id)
    assert {fact.id for fact in view.facts} == {one.id, two.id}
    assert view.entity.mention_count == 6
    assert view.aliases == ["Frau K.", "Marta K."]
    assert {(each.subject.name, each.object.name) for each in view.relations} == {("Ada", "Marta"), ("Marta", "Ada")}
    with pytest.raises(NotFoundError):
        desk.memories.entity(other.id)


def test_names_that_clash_are_refused(desk):
    marta, other = person(desk, "Marta"), person(desk, "Jonas")
    strange = person(desk, "Lotte", agent_id="ben")
    with pytest.raises(ConflictError, match="Jonas"):
        desk.memories.edit_entity(marta.id, name="jonas")
    with pytest.raises(ConflictError):
        desk.memories.edit_entity(marta.id, aliases=["Jonas"])
    with pytest.raises(BadRequestError):
        desk.memories.edit_entity(marta.id, name="  ")
    for gone, into in ((marta, marta), (other, strange)):
        with pytest.raises(BadRequestError):
            desk.memories.merge_entities(gone.id, into.id)


def test_an_entity_shows_its_best_facts_and_how_many_there_are(desk):
    marta = person(desk, "Marta")
    facts = [add(desk, f"Marta has {n} bees", salience=n / 10) for n in range(1, 6)]
    gone = add(desk, "Marta has no bees")
    desk.memories.set_status([gone.id], "disabled")
    desk.store.write(lambda repos: [repos.entities.link(marta.id, "fact", fact.id) for fact in (*facts, gone)])
    view = desk.memories.entity(marta.id, 2)
    assert [fact.content for fact in view.facts] == ["Marta has 5 bees", "Marta has 4 bees"]
    assert view.facts_total == 5
    assert desk.memories.entity(marta.id).facts_total == 5


def test_forgetting_someone_forgets_them_by_every_name(desk):
    marta = person(desk, "Marta")
    desk.memories.edit_entity(marta.id, aliases=["Auntie Bee"])
    named, other = add(desk, "Auntie Bee lives in Graz"), add(desk, "Graz has a clock tower")
    report = desk.forgetting.forget(ForgetTarget(kind="entity", ids=(marta.id,), agent_id="ana"))
    assert report.verified
    assert set(desk.facts()) == {other.id}
    assert named.id not in desk.facts()
    with desk.store.read() as repos:
        assert repos.entities.find("ana", "Auntie Bee") is None


def test_what_was_replaced_counts_again_once_it_is_enabled(desk):
    new = desk.fact("The user lives in Oslo")
    old = desk.fact(
        "The user lives in Porto", status=FactStatus.SUPERSEDED, superseded_by=new.id, valid_until=NOON, reason="moved"
    )
    change = desk.memories.set_status([old.id], "active")
    back = desk.memories.fact(old.id)
    assert (back.status, back.superseded_by, back.valid_until, back.reason) == (FactStatus.ACTIVE, None, None, "")
    desk.memories.undo(change.token)
    again = desk.memories.fact(old.id)
    assert (again.status, again.superseded_by, again.valid_until) == (FactStatus.SUPERSEDED, new.id, NOON)


def test_the_messages_of_all_agents_are_listed_by_day(desk):
    for number, agent in enumerate(("ana", "ben", "ana")):
        desk.thread(f"c{number}", f"message {number}", "ok", agent_id=agent)
        desk.clock.move(days=1)
    every = desk.memories.transcript(None)
    assert every.total == 6
    assert [turn.agent_id for turn in every.items] == ["ana", "ana", "ben", "ben", "ana", "ana"]
    assert desk.memories.transcript("ben").total == 2


def test_many_are_changed_in_slices_that_can_be_stopped_and_all_of_it_taken_back(desk):
    made = [desk.fact(f"fact number {n} of many") for n in range(1200)]
    told, stop = [], threading.Event()

    def progress(share, _words):
        told.append(share)
        if len(told) == 2:
            stop.set()

    change = desk.memories.pin([fact.id for fact in made], cancel=stop, progress=progress)
    assert change.count == 1000
    assert told == [500 / 1200, 1000 / 1200]
    pinned = FactFilter(user_pinned=True)
    assert desk.memories.facts(pinned).total == 1000
    assert desk.memories.undo(change.token, progress=progress) == 1000
    assert told[2:] == [0.5, 1.0]
    assert desk.memories.facts(pinned).total == 0


def test_a_lock_leaves_nothing_to_take_back(desk):
    change = desk.memories.pin([desk.fact("The user plays chess").id])
    desk.bus.publish(LockChanged(locked=True))
    with pytest.raises(ConflictError):
        desk.memories.undo(change.token)
