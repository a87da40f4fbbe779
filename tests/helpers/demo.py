"""A demo profile: a user, her agents, conversations, facts, episodes, people, things to review."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memdesk.domain.models import (
    Entity,
    Episode,
    EpisodeDetail,
    Fact,
    FactKind,
    FactSource,
    FactStatus,
    HistoryEntry,
    IdentityLine,
    Receipt,
    ReceiptItem,
    Relation,
    new_id,
)
from memdesk.services.distil_writing import CARD_PREFIX
from memdesk.services.ingest import IngestTurn

PLAN = """Here is a plan that fits the kitchen. You told me that **Marta is vegetarian** and that the oven holds two trays:

1. Roast two trays of vegetables: aubergine, fennel, red onion.
2. Cook 600 g of pearl barley in stock.
3. Whip the feta with lemon and `olive oil`.

| Dish | Minutes | Can wait |
|---|---|---|
| Vegetables | 45 | yes |
| Barley | 30 | yes |
| Feta | 5 | no |

To scale the amounts for eight:

```python
def scale(amount: float, guests: int, base: int = 4) -> float:
    \"\"\"Return the amount for so many guests.\"\"\"
    return amount * guests / base  # plain proportion
```

The barley can be cooked the day before."""

#: days ago, agent, title, exchanges, pinned, archived
TALKS = (
    (
        0,
        "default",
        "What could I cook for eight on Friday?",
        (("What could I cook for eight on Friday? Marta comes too.", PLAN),),
    ),
    (
        0,
        "default",
        "Wording of the letter to the tax office",
        (
            (
                "Help me with the wording of a letter to the tax office.",
                "Gladly. What is it about, and by when must it be sent?",
            ),
        ),
    ),
    (
        1,
        "writer",
        "Opening of the short story about the lighthouse",
        (("The opening of my lighthouse story drags.", "Cut the weather. Begin with the keeper's knock."),),
    ),
    (
        3,
        "coder",
        "SQLite full-text ranking",
        (("How does BM25 weigh a rare word?", "By its inverse document frequency: the rarer, the heavier."),),
    ),
    (
        4,
        "default",
        "Reading list for the winter",
        (
            (
                "Put together a reading list for the winter.",
                "Three to begin with: one long novel, one book of essays, one of poems.",
            ),
        ),
    ),
    (
        6,
        "default",
        "Trip to Lisbon with Marta, trains and rooms",
        (
            (
                "Marta and I want to go to Lisbon in April by train.",
                "By way of Lyon and Hendaye it takes two days. Shall I look for rooms in Alfama?",
            ),
        ),
    ),
    (
        9,
        "default",
        "Balcony: what grows in the shade",
        (("What grows on a north balcony?", "Ferns, ivy, fuchsia, and lettuce in summer."),),
    ),
    (
        18,
        "coder",
        "Type hints for decorators",
        (("How do I type a decorator?", "With ParamSpec and a TypeVar for the result."),),
    ),
    (25, "default", "A present for Jonas", (("Jonas turns 40. He bakes.", "A good bread knife, or a day at a mill."),)),
    (
        48,
        "default",
        "Bicycle: the gears slip",
        (("The gears of my green bicycle slip.", "Check the cable tension first, then the hanger."),),
    ),
    (
        80,
        "writer",
        "Speech for the choir's anniversary",
        (("I have to give a speech for the choir.", "Two minutes, one story, one thank you."),),
    ),
)

#: content, kind, tags, salience, pinned, uses, days ago, quote, talk
FACTS = (
    (
        "Ada is allergic to peanuts.",
        FactKind.IDENTITY,
        ("health", "food"),
        0.96,
        True,
        14,
        160,
        "I'm allergic to peanuts, so please no satay.",
        0,
    ),
    (
        "Marta is vegetarian and eats no fish.",
        FactKind.RELATIONSHIP,
        ("marta", "food"),
        0.88,
        False,
        9,
        120,
        "Marta does not eat meat, by the way, nor fish.",
        5,
    ),
    (
        "The oven of the new flat holds two trays only.",
        FactKind.OTHER,
        ("kitchen",),
        0.52,
        False,
        3,
        50,
        "The new oven takes two trays, that's all.",
        0,
    ),
    (
        "Ada decided to travel to Lisbon by train, not by plane.",
        FactKind.DECISION,
        ("lisbon", "travel"),
        0.81,
        False,
        4,
        6,
        "We go by train, I've decided.",
        5,
    ),
    (
        "Ada sings alto in a choir that rehearses on Tuesdays.",
        FactKind.SKILL,
        ("choir",),
        0.67,
        False,
        5,
        80,
        "Tuesday is choir, I sing alto.",
        10,
    ),
    (
        "Ada prefers short answers without introductions.",
        FactKind.PREFERENCE,
        ("style",),
        0.9,
        True,
        31,
        200,
        "Please skip the introductions.",
        4,
    ),
    (
        "The letter to the tax office is due on 30 November.",
        FactKind.COMMITMENT,
        ("tax",),
        0.78,
        False,
        2,
        0,
        "It has to be there by the 30th.",
        1,
    ),
    (
        "Jonas turned 40 in October and bakes bread.",
        FactKind.EVENT,
        ("jonas",),
        0.48,
        False,
        1,
        25,
        "Jonas turns 40. He bakes.",
        8,
    ),
    (
        "Ada's bicycle is green and has a hub dynamo.",
        FactKind.OTHER,
        ("bicycle",),
        0.33,
        False,
        0,
        48,
        "my green bicycle",
        9,
    ),
    (
        "Ada works three days a week as a database administrator.",
        FactKind.IDENTITY,
        ("work",),
        0.84,
        False,
        12,
        140,
        "I do databases, three days a week.",
        3,
    ),
    (
        "The lighthouse story is told by the keeper's daughter.",
        FactKind.DECISION,
        ("story",),
        0.7,
        False,
        6,
        1,
        "It is the daughter who tells it.",
        2,
    ),
    (
        "Ada learns Portuguese with a course on Thursdays.",
        FactKind.EVENT,
        ("lisbon", "language"),
        0.61,
        False,
        2,
        12,
        "Thursdays I have Portuguese.",
        5,
    ),
)

REVIEW = (
    (
        "Ada may move to Graz next summer.",
        "The sentence is a question, not a statement.",
        "Should I move to Graz next summer?",
    ),
    ("The choir owns a lighthouse.", "Only one of three words is in the messages.", "a speech for the choir"),
)


def fill(app):
    """Fill an open, empty memory; dates count back from now."""
    services = app.services
    store = services.memories._store
    now = services.clock.now()
    for template in ("writer", "coder"):
        name = next(t.name for t in services.agents.templates() if t.id == template)
        services.agents.create(name, template=template, agent_id=template)
    talks = []
    for number, (days, agent, title, exchanges) in enumerate(TALKS):
        talk = f"demo-{number}"
        when = now - timedelta(days=days, hours=1 + number % 5)
        turns = [IngestTurn(user=user, assistant=answer, date=when) for user, answer in exchanges]
        services.ingest.ingest(
            agent_id=agent, conversation_id=talk, turns=turns, session_date=when, skip_extraction=True
        )
        services.conversations.rename(agent, talk, title)
        talks.append((agent, talk, when, services.conversations.turns(agent, talk)))
    services.conversations.pin("default", "demo-5")
    services.conversations.set_memory("default", "demo-1", "off")
    store.write(lambda repos: _date(repos, talks))
    store.write(lambda repos: _identity(repos, now))
    facts = store.write(lambda repos: _facts(repos, talks, now))
    store.write(lambda repos: _episodes(repos, talks, now))
    store.write(lambda repos: _people(repos, facts, now))
    store.write(lambda repos: _review(repos, talks, facts, now))
    return talks, facts


def _date(repos, talks):
    for agent, talk, when, _turns in talks:
        found = repos.conversations.get(agent, talk)
        repos.conversations.put(replace(found, created_at=when, updated_at=when))


def _identity(repos, now):
    lines = (
        ("The user's name is Ada Berger; she wants to be called Ada.", "override"),
        ("Ada lives in Vienna with Marta.", "override"),
        ("Ada is allergic to peanuts.", "distilled"),
    )
    for content, origin in lines:
        repos.identity.put(IdentityLine(id=new_id(), content=content, origin=origin, created_at=now, updated_at=now))


def _facts(repos, talks, now):
    made = []
    for content, kind, tags, salience, pinned, uses, days, quote, number in FACTS:
        agent, talk, _when, turns = talks[number]
        at = now - timedelta(days=days)
        fact = Fact(
            id=new_id(),
            agent_id="default" if agent == "coder" else agent,
            content=content,
            kind=kind,
            tags=tags,
            salience=salience,
            user_pinned=pinned,
            use_count=uses,
            last_used=now - timedelta(days=min(days, 2)) if uses else None,
            origin="distiller",
            valid_from=at,
            sources=(FactSource(turn_id=turns[0].id, quote=quote),),
            conversation_id=talk,
            created_at=at,
            updated_at=at,
            decayed_at=now,
        )
        repos.facts.put(fact)
        made.append(fact)
    repos.history.add(sorted((entry for fact in made for entry in _history(fact, now)), key=lambda entry: entry.at))
    old = Fact(
        id=new_id(),
        agent_id="default",
        content="Ada lives in Graz.",
        kind=FactKind.IDENTITY,
        salience=0.4,
        status=FactStatus.SUPERSEDED,
        superseded_by=made[0].id,
        reason="Ada said later that she lives in Vienna.",
        valid_from=now - timedelta(days=700),
        valid_until=now - timedelta(days=200),
        created_at=now - timedelta(days=700),
        updated_at=now - timedelta(days=200),
        decayed_at=now - timedelta(days=200),
    )
    repos.facts.put(old)
    return made


def _history(fact, now):
    """Learned at first, then lifted each time it came up again."""
    common = {"agent_id": fact.agent_id, "kind": "fact", "ref_id": fact.id}
    words = {"content": fact.content, "salience": fact.salience}
    yield HistoryEntry(
        id=new_id(),
        action="add",
        actor="distiller",
        actor_detail="smollm2-135m",
        new=words,
        at=fact.created_at,
        **common,
    )
    for days in (90, 60, 32, 14, 1):
        at = now - timedelta(days=days)
        if at > fact.created_at and not fact.user_pinned:
            lifted = {"salience": min(1.0, fact.salience + 0.02)}
            why = "2 episodes of the last 30 days speak of it"
            yield HistoryEntry(
                id=new_id(), action="promote", actor="consolidator", new=lifted, reason=why, at=at, **common
            )


def _episodes(repos, talks, now):
    summaries = {
        0: (
            "Planned a dinner for eight on Friday around Marta's vegetarian kitchen and an oven with two trays.",
            ("cooking", "guests"),
            ("Roast vegetables, barley and feta",),
            ("Buy barley",),
        ),
        5: (
            "Planned a journey to Lisbon in April with Marta, by train through Lyon and Hendaye.",
            ("travel", "lisbon"),
            ("Go by train",),
            ("Look for rooms in Alfama",),
        ),
        8: ("Looked for a present for Jonas, who turns 40 and bakes.", ("presents",), (), ("Order the bread knife",)),
        9: ("Found out why the gears of the bicycle slip.", ("bicycle",), (), ()),
        2: ("Tightened the opening of the lighthouse story.", ("story",), ("The daughter tells it",), ()),
    }
    for number, (summary, topics, decisions, actions) in summaries.items():
        agent, talk, when, turns = talks[number]
        details = tuple(
            EpisodeDetail(id=new_id(), content=text, turn_ids=(turns[0].id,)) for text in (*decisions, *actions)
        )
        repos.episodes.put(
            Episode(
                id=new_id(),
                agent_id=agent,
                conversation_id=talk,
                summary=summary,
                topics=topics,
                entities=("Marta",) if "Marta" in summary else (),
                decisions=decisions,
                action_items=actions,
                details=details,
                salience=0.6,
                model="bundled:smollm2-135m",
                started_at=when,
                ended_at=when,
                created_at=when,
                updated_at=when,
            )
        )


def _people(repos, facts, now):
    names = (
        ("Marta", "person"),
        ("Jonas", "person"),
        ("Lisbon", "place"),
        ("Vienna", "place"),
        ("Alfama", "place"),
        ("the choir", "organisation"),
        ("Ada", "person"),
    )
    made = {}
    for count, (name, kind) in enumerate(names):
        entity = Entity(
            id=new_id(),
            agent_id="default",
            name=name,
            type=kind,
            mention_count=12 - count,
            created_at=now,
            updated_at=now,
        )
        repos.entities.put(entity)
        made[name] = entity
        for fact in facts:
            if name.removeprefix("the ") in fact.content:
                repos.entities.link(entity.id, "fact", fact.id)
    for one, word, other in (
        ("Ada", "lives with", "Marta"),
        ("Ada", "lives in", "Vienna"),
        ("Ada", "travels to", "Lisbon"),
        ("Marta", "travels to", "Lisbon"),
        ("Alfama", "is part of", "Lisbon"),
        ("Ada", "sings in", "the choir"),
        ("Ada", "is a friend of", "Jonas"),
    ):
        repos.entities.relate(
            Relation(
                id=new_id(),
                agent_id="default",
                subject_id=made[one].id,
                predicate=word,
                object_id=made[other].id,
                created_at=now,
            )
        )


def _review(repos, talks, facts, now):
    for content, reason, quote in REVIEW:
        _agent, talk, _when, turns = talks[10]
        repos.facts.put(
            Fact(
                id=new_id(),
                agent_id="default",
                content=content,
                confidence=0.4,
                salience=0.5,
                status=FactStatus.REVIEW,
                origin="distiller",
                reason=reason,
                sources=(FactSource(turn_id=turns[0].id, quote=quote),),
                conversation_id=talk,
                created_at=now,
                updated_at=now,
                decayed_at=now,
            )
        )
    card = {
        "id": new_id(),
        "agent_id": "default",
        "old": facts[9].id,
        "new": facts[4].id,
        "reason": "Tuesdays are named for work and for the choir.",
        "created_at": now.isoformat(),
    }
    repos.meta.put(CARD_PREFIX + card["id"], card)


def give_receipt(app, talks, facts):
    """Give the first answer a receipt: three facts it saw, one that was too weak."""
    agent, talk, when, turns = talks[0]
    answer = next(turn for turn in turns if turn.role == "assistant")
    items = tuple(
        ReceiptItem(
            kind="fact",
            id=fact.id,
            line=f"- {fact.content}",
            score=score,
            tokens=11,
            date=fact.created_at,
            conversation_id=fact.conversation_id,
            quote=fact.sources[0].quote,
        )
        for fact, score in ((facts[1], 0.82), (facts[2], 0.57), (facts[0], 0.49))
    )
    out = ReceiptItem(
        kind="fact", id=facts[8].id, line=f"- {facts[8].content}", score=0.08, tokens=10, left_out="noise"
    )
    receipt = Receipt(
        id=new_id(),
        agent_id=agent,
        query=turns[0].content,
        section="pinned",
        rule="entity",
        tokens=46,
        budget_tokens=800,
        block="",
        items=items,
        left_out=(out,),
        conversation_id=talk,
        turn_id=answer.id,
        elapsed_ms=7.2,
        created_at=when,
    )

    def work(repos):
        repos.receipts.put(receipt)
        repos.turns.set_receipt(answer.id, receipt.id)

    app.services.memories._store.write(work)
    return receipt
