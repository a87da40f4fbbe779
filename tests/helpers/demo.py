"""A demo profile: a user, her agents, conversations, facts, episodes, people, things to review."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import (
    Entity,
    FactKind,
    FactSource,
    FactStatus,
    HistoryEntry,
    Receipt,
    ReceiptItem,
    Relation,
    new_id,
)
from memdesk.services.recalling import CARD_PREFIX
from memdesk.services.recording.ingest import IngestTurn
from tests.helpers import rows
from tests.helpers.rows import forget_turns

PLAN = """Here is a plan that fits the kitchen. You told me that **Marta is vegetarian** and that the oven holds two trays, so nothing else has to go into it:

1. Roast two trays of vegetables: aubergine, fennel, red onion.
2. Cook 600 g of pearl barley in stock, and let it rest under a cloth.
3. Whip the feta with lemon and olive oil.

| Dish | Minutes | Can be made on Thursday |
|---|---|---|
| Vegetables | 45 | no |
| Barley | 30 | yes |
| Whipped feta | 5 | yes |

If Jonas brings bread, you need no other side. I left out the peanut dressing you once asked about."""

RANKING = """By its *inverse document frequency*: the rarer a word, the heavier. SQLite's `bm25()` returns it negated, so the best row comes first:

```sql
SELECT note.id, snippet(note_text, 0, '[', ']', '…', 12) AS found
FROM note_text JOIN note ON note.rowid = note_text.rowid
WHERE note_text MATCH 'migration OR rollback'
ORDER BY bm25(note_text)  -- smaller is better
LIMIT 20;
```

A column can be given a weight of its own: `bm25(note_text, 4.0, 1.0)` counts the title four times."""

#: days ago, hour of the day, agent, title, exchanges
TALKS = (
    (
        0,
        9,
        "default",
        "What could I cook for eight on Friday?",
        (("What could I cook for eight on Friday? Marta comes too.", PLAN),),
    ),
    (
        0,
        8,
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
        20,
        "writer",
        "Opening of the lighthouse story",
        (("The opening of my lighthouse story drags.", "Cut the weather. Begin with the keeper's knock."),),
    ),
    (
        3,
        14,
        "coder",
        "SQLite full-text ranking",
        (("How does BM25 weigh a rare word in SQLite?", RANKING),),
    ),
    (
        4,
        19,
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
        18,
        "default",
        "Trip to Lisbon with Marta",
        (
            (
                "Marta and I want to go to Lisbon in April by train.",
                "By way of Lyon and Hendaye it takes two days. Shall I look for rooms in Alfama?",
            ),
        ),
    ),
    (
        9,
        11,
        "default",
        "What grows on a shady balcony",
        (("What grows on a north balcony?", "Ferns, ivy, fuchsia, and lettuce in summer."),),
    ),
    (
        18,
        16,
        "coder",
        "Type hints for decorators",
        (("How do I type a decorator?", "With ParamSpec and a TypeVar for the result."),),
    ),
    (
        25,
        21,
        "default",
        "A present for Jonas",
        (("Jonas turns 40. He bakes.", "A good bread knife, or a day at a mill."),),
    ),
    (
        48,
        10,
        "default",
        "Bicycle: the gears slip",
        (("The gears of my green bicycle slip.", "Check the cable tension first, then the hanger."),),
    ),
    (
        80,
        17,
        "writer",
        "Speech for the choir",
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
    (
        "Ada works four days a week since September.",
        FactKind.IDENTITY,
        ("work",),
        0.72,
        False,
        1,
        4,
        "Since September it is four days a week.",
        4,
    ),
    (
        "Marta bakes the bread for the choir's rehearsals.",
        FactKind.RELATIONSHIP,
        ("marta", "choir"),
        0.58,
        False,
        2,
        30,
        "Marta bakes for the rehearsals.",
        10,
    ),
    (
        "The rent of the flat is paid on the first of the month.",
        FactKind.COMMITMENT,
        ("home",),
        0.66,
        False,
        3,
        70,
        "Rent goes out on the first.",
        9,
    ),
)

REVIEW = (
    (
        "Ada may move to Graz next summer.",
        FactKind.OTHER,
        "memdesk was not sure of it",
        "Should I move to Graz next summer?",
    ),
    (
        "Marta's birthday is in May.",
        FactKind.RELATIONSHIP,
        "memdesk was not sure of it",
        "for Marta's birthday, some time in May",
    ),
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
    for number, (days, hour, agent, title, exchanges) in enumerate(TALKS):
        talk = f"demo-{number}"
        when = _moment(now, days, hour, number)
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


def _moment(now, days, hour, number):
    """An hour of a day that is past, local time; today it is a little while ago, whatever the clock says."""
    if not days:
        return now - timedelta(minutes=12 + 65 * number)
    day = (now - timedelta(days=days)).astimezone()
    return day.replace(hour=hour, minute=(7 + 13 * number) % 60).astimezone(UTC)


def _date(repos, talks):
    for agent, talk, when, _turns in talks:
        found = repos.conversations.get(agent, talk)
        repos.conversations.put(replace(found, created_at=when, updated_at=when))


def _identity(repos, now):
    lines = (
        ("The user's name is Ada Berger; she wants to be called Ada.", "user"),
        ("Ada lives in Vienna with Marta.", "user"),
        ("Ada is allergic to peanuts.", "distiller"),
    )
    for content, origin in lines:
        repos.items.put(rows.line(content, origin=origin, created_at=now, updated_at=now))


def _facts(repos, talks, now):
    made = []
    for content, kind, tags, salience, pinned, uses, days, quote, number in FACTS:
        agent, talk, _when, turns = talks[number]
        at = now - timedelta(days=days)
        fact = MemoryItem(
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
            run_id=talk,
            created_at=at,
            updated_at=at,
            decayed_at=now,
        )
        repos.items.put(fact)
        made.append(fact)
    repos.history.add(sorted((e for n, fact in enumerate(made) for e in _history(n, fact, now)), key=lambda e: e.at))
    old = MemoryItem(
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
    repos.items.put(old)
    return made


def _history(number, fact, now):
    """Learned at first, then lifted each time it came up again: at days of its own, a little higher each time."""
    common = {"agent_id": fact.agent_id, "kind": "fact", "ref_id": fact.id}
    days = [] if fact.user_pinned else [90 - 3 * number, 52 - 2 * number, 23 - number, 5 + number]
    moments = [at for at in (now - timedelta(days=d, hours=number) for d in days) if at > fact.created_at]
    first = max(0.2, fact.salience - 0.06 * len(moments))
    words = {"content": fact.content, "salience": first}
    yield HistoryEntry(
        id=new_id(),
        action="add",
        actor="distiller",
        actor_detail="smollm2-135m",
        new=words,
        at=fact.created_at,
        **common,
    )
    for step, at in enumerate(moments, start=1):
        lifted = {"salience": first + (fact.salience - first) * step / len(moments)}
        why = f"{2 + step % 2} episodes of the last 30 days speak of it"
        yield HistoryEntry(id=new_id(), action="promote", actor="consolidator", new=lifted, reason=why, at=at, **common)


DETAILS = {
    0: ("Eight guests on Friday, Marta among them", "The oven holds two trays", "Jonas may bring bread"),
    5: ("Two days by train, by way of Lyon and Hendaye", "The night is spent in Hendaye"),
    8: ("Jonas turns 40 and bakes",),
}


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
        details = tuple(rows.detail(text, id=new_id(), turn_ids=(turns[0].id,)) for text in DETAILS.get(number, ()))
        repos.items.put(
            rows.episode(
                summary,
                agent,
                talk,
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
        ("Ada", "person"),
        ("Marta", "person"),
        ("Jonas", "person"),
        ("Lisbon", "place"),
        ("Choir", "organisation"),
        ("Vienna", "place"),
        ("Alfama", "place"),
    )
    made = {}
    for count, (name, kind) in enumerate(names):
        entity = Entity(
            id=new_id(),
            agent_id="default",
            name=name,
            type=kind,
            mention_count=31 // (count + 1) + 2,
            created_at=now,
            updated_at=now,
        )
        repos.entities.put(entity)
        made[name] = entity
        for fact in facts:
            if name.casefold() in fact.content.casefold():
                repos.entities.link(entity.id, "fact", fact.id)
    for one, word, other in (
        ("Ada", "lives with", "Marta"),
        ("Ada", "lives in", "Vienna"),
        ("Ada", "travels to", "Lisbon"),
        ("Marta", "travels to", "Lisbon"),
        ("Alfama", "is part of", "Lisbon"),
        ("Ada", "sings in", "Choir"),
        ("Marta", "bakes for", "Choir"),
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
    for content, kind, reason, quote in REVIEW:
        _agent, talk, _when, turns = talks[10]
        repos.items.put(
            MemoryItem(
                id=new_id(),
                agent_id="default",
                content=content,
                kind=kind,
                confidence=0.4,
                salience=0.5,
                status=FactStatus.REVIEW,
                origin="distiller",
                reason=reason,
                sources=(FactSource(turn_id=turns[0].id, quote=quote),),
                run_id=talk,
                created_at=now,
                updated_at=now,
                decayed_at=now,
            )
        )
    card = {
        "id": new_id(),
        "agent_id": "default",
        "old": facts[9].id,
        "new": facts[12].id,
        "reason": "judged by the model: both say how many days a week Ada works",
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
            conversation_id=fact.run_id,
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
        forget_turns(repos, [answer.id])
        repos.turns.add([replace(answer, receipt_id=receipt.id)])

    app.services.memories._store.write(work)
    return receipt
