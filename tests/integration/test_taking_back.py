"""Changes are undone from the encrypted log; the caller keeps nothing of it in memory."""

from __future__ import annotations

import threading

import pytest

from memdesk.domain.models import Entity, FactKind, FactStatus, Relation
from memdesk.errors import ConflictError, NotFoundError
from memdesk.services.events import MemoryChanged
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.services.remembering.taking_back import can_be
from tests.helpers import rows
from tests.helpers.memory_rows import NOON, Desk


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path, agents=("ana", "ben"))
    yield desk
    desk.close()


def add(desk, content, **fields):
    return desk.memories.add_fact(agent_id="ana", content=content, **fields)


def last(desk, kind, ref_id):
    return desk.history.of(kind, ref_id)[0]


def person(desk, name, **fields):
    entity = Entity(
        id=name.lower().replace(" ", "-"), agent_id="ana", name=name, created_at=NOON, updated_at=NOON, **fields
    )
    desk.write(lambda repos: repos.entities.put(entity))
    return entity


def view(desk, entity):
    found = desk.memories.entity(entity.id)
    joined = {(r.subject.name, r.relation.predicate, r.object.name, r.relation.fact_id) for r in found.relations}
    return (
        found.entity.name,
        found.entity.type,
        found.entity.mention_count,
        found.aliases,
        {fact.id for fact in found.facts},
        joined,
    )


# --------------------------------------------------------------------------- facts


def test_an_edit_is_taken_back_field_by_field(desk):
    fact = add(desk, "The user plays chess", kind="skill", tags=["games"], valid_from=NOON)
    desk.memories.edit_fact(
        fact.id, content="The user plays go", kind="event", tags=[], valid_from=None, salience=0.9, user_pinned=True
    )
    entry = last(desk, "fact", fact.id)
    desk.memories.edit_fact(fact.id, user_pinned=False)
    desk.events.clear()
    assert desk.history.take_back(entry.id) == 1
    now = desk.memories.fact(fact.id)
    assert (now.content, now.kind, now.tags, now.salience) == (
        "The user plays chess", FactKind.SKILL, ("games",), 0.6,
    )  # fmt: skip
    assert now.valid_from == NOON
    assert (now.provenance, now.confidence) == (fact.provenance, fact.confidence)
    assert not now.user_pinned
    assert desk.memories.tags("ana") == ["games"]
    assert desk.indexing.noted[-1] == ("ana", "item", (fact.seq,))
    assert MemoryChanged("ana", ("fact",)) in desk.events
    undone = last(desk, "fact", fact.id)
    assert (undone.action, undone.actor) == ("undo", "user")
    # To take that back is to do it again.
    assert desk.history.take_back(undone.id) == 1
    assert desk.memories.fact(fact.id).content == "The user plays go"


def test_what_was_changed_again_since_stays(desk):
    fact = add(desk, "The user plays chess")
    desk.memories.edit_fact(fact.id, content="The user plays go", salience=0.9)
    entry = last(desk, "fact", fact.id)
    desk.memories.edit_fact(fact.id, content="The user plays shogi")
    assert desk.history.take_back(entry.id) == 1
    now = desk.memories.fact(fact.id)
    assert (now.content, now.salience) == ("The user plays shogi", 0.6)
    with pytest.raises(ConflictError, match="changed again"):
        desk.history.take_back(entry.id)


def test_all_that_was_changed_in_one_go_is_taken_back_together_after_a_restart(desk, tmp_path):
    facts = [rows.fact(f"The user owns {n} books") for n in range(600)]
    desk.write(lambda repos: repos.items.put_many(facts))
    other = add(desk, "The user sings")
    desk.memories.edit_fact(other.id, kind="skill")
    desk.clock.move(minutes=1)
    desk.memories.set_status([fact.id for fact in facts], "disabled")
    desk.clock.move(minutes=1)
    desk.memories.edit_fact(facts[3].id, status="active")
    entry = next(each for each in desk.history.of("fact", facts[7].id) if each.action == "edit")
    desk.close()
    again = Desk(tmp_path, agents=())
    try:
        assert again.history.together(entry.id) == 600
        told, stop = [], threading.Event()

        def tell(share, _words):
            told.append(share)
            stop.set()

        assert again.history.take_back(entry.id, together=True, progress=tell, cancel=stop) == 500
        assert told == [pytest.approx(5 / 6)]
        assert again.history.take_back(entry.id, together=True, progress=tell) == 99
        assert told[-1] == 1
        assert all(again.memories.fact(fact.id).status is FactStatus.ACTIVE for fact in facts)
        assert again.memories.fact(other.id).kind is FactKind.SKILL
    finally:
        again.close()


def test_what_the_log_does_not_hold_cannot_be_taken_back(desk):
    fact = add(desk, "The user plays chess")
    [added] = desk.history.of("fact", fact.id)
    assert not can_be(added)
    with pytest.raises(ConflictError, match="cannot be undone"):
        desk.history.take_back(added.id)
    with pytest.raises(NotFoundError):
        desk.history.take_back("nothing")
    desk.memories.edit_fact(fact.id, content="The user plays go")
    entry = last(desk, "fact", fact.id)
    desk.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,)))
    with pytest.raises(ConflictError):
        desk.history.take_back(entry.id)


def test_lines_and_episodes_are_taken_back_too(desk):
    line = desk.memories.add_identity("I live in Graz")
    desk.memories.edit_identity(line.id, content="I live in Linz", status="disabled")
    desk.history.take_back(last(desk, "identity", line.id).id)
    [line] = [each for each in desk.memories.identity() if each.id == line.id]
    assert (line.content, line.status) == ("I live in Graz", "active")
    episode = desk.episode("We spoke of bees", topics=("bees",))
    desk.memories.edit_episode(episode.id, summary="We spoke of wasps", topics=["wasps"])
    desk.history.take_back(last(desk, "episode", episode.id).id)
    now = desk.memories.episode(episode.id)
    assert (now.content, now.tags) == ("We spoke of bees", ("bees",))


# --------------------------------------------------------------------------- people and things


@pytest.fixture
def joined(desk):
    """Marta and Marta K., with facts, relations and names of each, and Ada, as they were and joined."""
    desk.marta, desk.other, desk.ada = (
        person(desk, "Marta", type="other", mention_count=4),
        person(desk, "Marta K.", type="person", mention_count=2),
        person(desk, "Ada", type="person"),
    )
    desk.both, desk.mine = add(desk, "Marta is vegetarian"), add(desk, "Marta K. plays the cello")

    def work(repos):
        repos.entities.set_aliases(desk.marta, ["Tante Marta"])
        repos.entities.set_aliases(desk.other, ["Frau K."])
        for entity, fact in ((desk.marta, desk.both), (desk.other, desk.both), (desk.other, desk.mine)):
            repos.entities.link(entity.id, "fact", fact.id)
        ends = ((desk.ada, desk.other), (desk.other, desk.marta), (desk.marta, desk.ada), (desk.marta, desk.other))
        for number, (subject, object_) in enumerate(ends):
            relation = Relation(
                id=f"r{number}",
                agent_id="ana",
                subject_id=subject.id,
                predicate=f"knows {number}",
                object_id=object_.id,
                fact_id=desk.mine.id if number == 0 else None,
                created_at=NOON,
            )
            repos.entities.relate(relation)

    desk.write(work)
    desk.before = [view(desk, each) for each in (desk.marta, desk.other, desk.ada)]
    desk.entry = desk.memories.merge_entities(desk.other.id, desk.marta.id).entry
    return desk


def test_two_that_were_joined_are_parted_as_if_they_never_had_been_after_a_restart(joined, tmp_path):
    assert view(joined, joined.marta)[:4] == ("Marta", "person", 6, ["Frau K.", "Marta K.", "Tante Marta"])
    joined.close()
    again = Desk(tmp_path, agents=())
    try:
        entry = last(again, "entity", joined.marta.id)
        assert can_be(entry)
        assert again.history.take_back(entry.id) == 1
        assert [view(again, each) for each in (joined.marta, joined.other, joined.ada)] == joined.before
        assert MemoryChanged("ana", ("entity",)) in again.events
        with pytest.raises(ConflictError):
            again.history.take_back(entry.id)
        # Another join takes nothing with it that the first has parted.
        again.memories.merge_entities(joined.other.id, joined.marta.id)
        again.history.take_back(last(again, "entity", joined.marta.id).id)
        assert [view(again, each) for each in (joined.marta, joined.other, joined.ada)] == joined.before
    finally:
        again.close()


def test_what_came_or_went_since_the_join_is_left_as_it_is(joined):
    later = add(joined, "Marta K. moved to Linz")
    joined.write(lambda repos: repos.entities.link(joined.marta.id, "fact", later.id))
    joined.forgetting.forget(ForgetTarget(kind="fact", ids=(joined.mine.id,)))
    joined.memories.edit_entity(joined.marta.id, aliases=["Marta K.", "Frau K.", "Tante Marta", "Mimi"])
    assert joined.history.take_back(joined.entry.id) == 1
    name, _type, _count, aliases, facts, relations = view(joined, joined.marta)
    assert (name, aliases, facts) == ("Marta", ["Mimi", "Tante Marta"], {joined.both.id, later.id})
    name, _type, _count, aliases, facts, relations = view(joined, joined.other)
    assert (name, aliases, facts) == ("Marta K.", ["Frau K."], {joined.both.id})
    assert {relation[1] for relation in relations} == {"knows 1", "knows 3"}


def test_a_join_is_not_taken_back_over_another_or_over_a_name_that_is_taken(joined):
    second = joined.memories.merge_entities(joined.marta.id, joined.ada.id)
    with pytest.raises(ConflictError, match="no longer there"):
        joined.history.take_back(joined.entry.id)
    assert joined.history.take_back(second.entry.id) == 1
    joined.memories.edit_entity(joined.marta.id, name="Marta K.")
    with pytest.raises(ConflictError, match="exists now"):
        joined.history.take_back(joined.entry.id)
    assert joined.history.take_back(last(joined, "entity", joined.marta.id).id) == 1
    assert joined.history.take_back(joined.entry.id) == 1
    assert [view(joined, each) for each in (joined.marta, joined.other, joined.ada)] == joined.before


def test_names_and_types_are_taken_back(desk):
    jonas = person(desk, "Jonas", type="person")
    desk.memories.edit_entity(jonas.id, name="Jonas Berger", type_="project", aliases=["Jonas", "JB"])
    entry = last(desk, "entity", jonas.id)
    assert (entry.action, entry.old["name"], entry.new["aliases"]) == ("edit", "Jonas", ["JB", "Jonas"])
    desk.history.take_back(entry.id)
    assert view(desk, jonas)[:4] == ("Jonas", "person", 1, [])
    assert last(desk, "entity", jonas.id).action == "undo"
    desk.memories.edit_entity(jonas.id, name="Jonas")
    assert len(desk.history.of("entity", jonas.id)) == 2


@pytest.mark.parametrize("parted", [False, True])
def test_nothing_of_a_forgotten_name_is_left_in_the_log_of_a_join(joined, parted):
    if parted:
        joined.history.take_back(joined.entry.id)
    gone = joined.other if parted else joined.marta
    report = joined.forgetting.forget(ForgetTarget(kind="entity", ids=(gone.id,), agent_id="ana"))
    assert report.verified
    assert not any(
        "Marta K." in str((entry.old, entry.new)) for entry in joined.history.page(kind="entity", limit=100).items
    )
