"""For any memory: the unencrypted export is imported row for row."""

from __future__ import annotations

import tempfile
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.domain.models import FactKind, FactSource, FactStatus
from memdesk.domain.notes.kept import files_of
from memdesk.services.importing.everything import EverythingService
from tests.helpers import rows
from tests.helpers.distill_desk import DistillDesk
from tests.helpers.memory_rows import NOON
from tests.helpers.parser import parser
from tests.helpers.stories import SAID, WORDS

#: Every table whose rows come back, those that hang on an item by its id; left out is where a row lies, and receipts.
TABLES = {
    "items": "SELECT * FROM items",
    "sources": "SELECT i.id, s.* FROM item_sources s JOIN items i ON i.seq = s.item_seq",
    "tags": "SELECT i.id, t.* FROM item_tags t JOIN items i ON i.seq = t.item_seq",
    "conversations": "SELECT * FROM conversations",
    "turns": "SELECT * FROM turns",
    "pending": "SELECT * FROM signals WHERE status = 'pending'",
    "entities": "SELECT * FROM entities",
    "links": "SELECT * FROM entity_links",
    "relations": "SELECT * FROM relations",
    "history": "SELECT * FROM history",
}
PLACES = {"seq", "item_seq", "receipt_id", "position"}
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=30)
MOMENTS = st.integers(0, 10**9).map(lambda seconds: NOON - timedelta(seconds=seconds))
WEIGHTS = st.floats(0, 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXT, part, max_size=3),
    max_leaves=4,
)
#: What any statement may have; the rest depends on what it is.
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(FactKind),
        "metadata": st.dictionaries(TEXT, JSON, max_size=3),
        "tags": st.lists(TEXT, max_size=3, unique_by=str.casefold).map(tuple),
        "privacy": st.sampled_from(("normal", "local_only")),
        "salience": WEIGHTS,
        "confidence": WEIGHTS,
        "use_count": st.integers(0, 99),
        "last_used": MOMENTS,
        "decayed_at": MOMENTS,
        "promoted_at": MOMENTS,
        "status": st.sampled_from(FactStatus),
        "user_pinned": st.booleans(),
        "origin": st.sampled_from(("user", "distiller", "import")),
        "provenance": st.sampled_from(("user", "import")),
        "valid_from": MOMENTS,
        "valid_until": MOMENTS.map(lambda moment: moment + timedelta(days=20_000)),
        "confirmed_at": MOMENTS,
        "expires_at": MOMENTS,
        "superseded_by": TEXT,
        "reason": TEXT,
        "sources": st.lists(st.builds(FactSource, turn_id=TEXT, quote=TEXT), max_size=2).map(tuple),
    },
)
#: What is done to a memory, with a text and the fields of what it makes.
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(
            ("tell", "fact", "stated", "episode", "line", "shared", "passage", "link", "keep", "edit", "tidy")
        ),
        TEXT,
        FIELDS,
        st.tuples(st.sampled_from(SAID), st.sampled_from(WORDS)).map(lambda said: said[0].format(said[1])),
    ),
    max_size=12,
)


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(DEEDS)
def test_what_goes_out_comes_back_row_for_row(deeds):
    with tempfile.TemporaryDirectory() as folder:
        old, new = (DistillDesk(_made(Path(folder) / name), agents=(), analyzer=parser()) for name in ("old", "new"))
        old.write(lambda repos: repos.agents.put(rows.agent("ana")))
        try:
            old.settings.set_memory(extraction_mode="rules")
            for number, (deed, text, fields, said) in enumerate([("tell", "", {}, "I live in Quorvia."), *deeds]):
                _do(old, deed, number, text, fields, said)
                old.clock.move(days=2)
            file = Path(folder) / "all.zip"
            EverythingService(store=old.store, clock=old.clock).export(file)
            EverythingService(store=new.store, clock=new.clock).bring(file, _fail)
            for table, query in TABLES.items():
                assert _rows(new, query) == _rows(old, query), table
            assert _episodes(new) == _episodes(old)
            with zipfile.ZipFile(file) as archive:
                known = archive.read("ana (ana)/memory.md").decode()
            assert all(f"- {text}" in known for text in old.fact_texts())
        finally:
            for desk in (old, new):
                desk.distillation.close()
                desk.close()


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _fail(fault: str) -> None:
    raise AssertionError(fault)


def _rows(desk, query):
    with desk.store.read() as repos:
        found = repos._conn.execute(query)
        names = [column[0] for column in found.description]
        rows = [{name: value for name, value in zip(names, row, strict=True) if name not in PLACES} for row in found]
    return sorted(rows, key=repr)


def _episodes(desk):
    with desk.store.read() as repos:
        return repos.items.episodes(agent_id="ana", status=None, limit=50).items


def _do(desk, deed, number, text, fields, said):
    episodes, facts = _episodes(desk), desk.every_fact()
    parent = episodes[number % len(episodes)].id if episodes else None
    if deed == "tell":
        desk.told(f"c{number % 3}", said, "I see.")
    elif deed == "fact":
        desk.fact(text, **fields)
    elif deed == "stated":
        desk.fact(text, **fields, parent_id=parent, run_id="c0")
    elif deed == "episode":
        made = desk.episode(text, details=(text, said))
        # Details name their messages without a quote.
        worn = {**fields, "parent_id": made.id, "agent_id": "ana", "sources": ()}
        used = [replace(one, **worn) for one in made.session.details]
        desk.write(lambda repos: repos.items.put_many(used))
    elif deed in {"line", "shared"}:
        whose = {"agent_id": "" if deed == "line" else "ana", "source_agent_id": "ana"}
        desk.fact(text, **fields, tier="always", **whose)
    elif deed == "link":
        desk.fact(
            text, **fields | {"form": "link", "tier": "kept", "type": "semantic", "metadata": {"url": "https://a.b"}}
        )
    elif deed == "passage":
        whole = {"form": "passage", "tier": "kept", "type": "semantic", "parent_id": f"f{number}"}
        piece = desk.fact(text, **fields | whole)
        kept = {"id": f"f{number}", "size": len(text), "passages": [piece.id]}
        desk.write(lambda repos: repos.meta.put(files_of("ana") + f"/{number}.md", kept))
    elif deed == "keep" and episodes and episodes[0].session.details:
        desk.memories.keep_detail(episodes[0].id, episodes[0].session.details[0].id)
    elif deed == "edit" and facts:
        desk.memories.edit_fact(facts[0].id, content=text)
    elif deed == "tidy":
        desk.consolidation.run()
