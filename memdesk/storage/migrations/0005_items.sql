-- One table for everything that is remembered. Facts, details of episodes and identity lines are statements of three
-- tiers; episodes are items of their own form. This step creates the tables; the rows are moved in slices
-- (see moving.py), since a store may have hundreds of thousands, and 0005/end.sql drops the old tables.

CREATE TABLE items (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  -- empty: what memdesk itself remembers; else what a program keeps of its own under that name
  collection      TEXT NOT NULL DEFAULT '',
  -- "statement", "episode", "passage": see domain/items/registry.py
  form            TEXT NOT NULL,
  -- "always", "pinned", "kept"
  tier            TEXT NOT NULL,
  kind            TEXT NOT NULL,
  -- "factual", "episodic", "procedural", "semantic"
  type            TEXT NOT NULL,
  user_id         TEXT NOT NULL DEFAULT 'me',
  -- whose memory holds it; null: of every agent. No foreign key: a program's agents are its own
  agent_id        TEXT,
  -- the agent in whose conversation an item of every agent was said
  source_agent_id TEXT,
  -- the conversation it came from
  run_id          TEXT,
  key             TEXT NOT NULL DEFAULT '',
  content         TEXT NOT NULL,
  tags            TEXT NOT NULL DEFAULT '[]',
  -- of an episode
  entities        TEXT NOT NULL DEFAULT '[]',
  decisions       TEXT NOT NULL DEFAULT '[]',
  action_items    TEXT NOT NULL DEFAULT '[]',
  -- the day in words ("Monday 8 May 2023"), for full-text search alone
  dated           TEXT NOT NULL DEFAULT '',
  metadata        TEXT NOT NULL DEFAULT '{}',
  privacy         TEXT NOT NULL DEFAULT 'normal',
  salience        REAL NOT NULL,
  -- until when salience has been decayed; null: since created_at
  decayed_at      INTEGER,
  -- when consolidation last lifted it
  promoted_at     INTEGER,
  confidence      REAL NOT NULL DEFAULT 1.0,
  source_count    INTEGER NOT NULL DEFAULT 1,
  use_count       INTEGER NOT NULL DEFAULT 0,
  last_used       INTEGER,
  status          TEXT NOT NULL,
  user_pinned     INTEGER NOT NULL DEFAULT 0,
  origin          TEXT NOT NULL,
  provenance      TEXT NOT NULL DEFAULT 'user',
  valid_from      INTEGER,
  valid_until     INTEGER,
  confirmed_at    INTEGER,
  expires_at      INTEGER,
  -- what it was merged into or replaced by
  superseded_by   TEXT,
  reason          TEXT NOT NULL DEFAULT '',
  -- the episode or file it is a part of, and its place there
  parent_id       TEXT,
  position        INTEGER NOT NULL DEFAULT 0,
  -- the model that worded it
  model           TEXT NOT NULL DEFAULT '',
  -- span of the session that an episode digests
  started_at      INTEGER,
  ended_at        INTEGER,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  -- what it says, in fields; subject is null where nobody read it
  subject         TEXT,
  predicate       TEXT,
  object          TEXT,
  attribute       TEXT,
  holds           INTEGER,
  ended           INTEGER,
  modality        TEXT,
  tense           TEXT,
  qualifiers      TEXT,
  speaker         TEXT,
  said_at         TEXT,
  quote           TEXT,
  language        TEXT,
  replaces        TEXT,
  -- Lists of facts ask for the tier alone: SQLite sees that an index covers a list while its condition has two parts.
  CHECK (collection <> '' OR form = 'statement' OR tier = 'kept')
) STRICT;

CREATE UNIQUE INDEX items_by_key ON items (collection, user_id, coalesce(agent_id, ''), coalesce(run_id, ''), key)
WHERE key <> '';
CREATE INDEX items_by_agent ON items (agent_id, collection, created_at);
CREATE INDEX items_by_creation ON items (user_id, collection, created_at);
CREATE INDEX items_by_update ON items (user_id, collection, updated_at);
CREATE INDEX items_by_run ON items (agent_id, run_id);
CREATE INDEX items_by_parent ON items (parent_id, position) WHERE parent_id IS NOT NULL;
CREATE INDEX items_by_successor ON items (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX items_by_attribute ON items (agent_id, subject, attribute) WHERE attribute IS NOT NULL AND attribute <> '';
CREATE INDEX items_by_expiry ON items (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX items_always ON items (status) WHERE collection = '' AND tier = 'always';
-- One index per sort of the fact list, for one agent and for all of them.
CREATE INDEX pinned_by_status ON items (agent_id, status) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_agent_update ON items (agent_id, updated_at)
WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_agent_creation ON items (agent_id, created_at)
WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_agent_salience ON items (agent_id, salience)
WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_agent_use ON items (agent_id, coalesce(last_used, 0))
WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_agent_content ON items (agent_id, content COLLATE NOCASE)
WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_update ON items (updated_at) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_creation ON items (created_at) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_salience ON items (salience) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_use ON items (coalesce(last_used, 0)) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_content ON items (content COLLATE NOCASE)
WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_state ON items (status) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_kind ON items (kind, agent_id) WHERE collection = '' AND tier = 'pinned';
CREATE INDEX pinned_by_user ON items (agent_id) WHERE collection = '' AND tier = 'pinned' AND user_pinned;
CREATE INDEX episodes_by_agent_end ON items (agent_id, ended_at) WHERE collection = '' AND form = 'episode';
CREATE INDEX episodes_by_latest ON items (ended_at) WHERE collection = '' AND form = 'episode';
CREATE INDEX episodes_by_state ON items (agent_id, status) WHERE collection = '' AND form = 'episode';

-- No foreign key to turns: undoing a run may restore an item whose turn has been pruned.
-- A trigger removes the sources of deleted turns, because a quote is the turn's own text.
CREATE TABLE item_sources (
  item_seq INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  turn_id  TEXT NOT NULL,
  quote    TEXT NOT NULL,
  PRIMARY KEY (item_seq, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_sources_by_turn ON item_sources (turn_id);

-- Tags, case folded, for the filter; the item itself keeps them as written and in order.
CREATE TABLE item_tags (
  tag      TEXT NOT NULL,
  item_seq INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  PRIMARY KEY (tag, item_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_tags_by_item ON item_tags (item_seq);

-- Collections of programs, and the dimensions of their vectors.
CREATE TABLE collections (
  name       TEXT PRIMARY KEY,
  dimensions INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE item_vectors (
  item_seq INTEGER PRIMARY KEY REFERENCES items (seq) ON DELETE CASCADE,
  -- float32
  vector   BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE items_fts USING fts5 (
  content, tags, entities, decisions, action_items, dated,
  content = 'items', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO items_fts (items_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE items_vocab USING fts5vocab (items_fts, row);

CREATE TRIGGER items_fts_insert AFTER INSERT ON items BEGIN
  INSERT INTO items_fts (rowid, content, tags, entities, decisions, action_items, dated)
  VALUES (new.seq, new.content, new.tags, new.entities, new.decisions, new.action_items, new.dated);
END;
CREATE TRIGGER items_fts_delete AFTER DELETE ON items BEGIN
  INSERT INTO items_fts (items_fts, rowid, content, tags, entities, decisions, action_items, dated)
  VALUES ('delete', old.seq, old.content, old.tags, old.entities, old.decisions, old.action_items, old.dated);
END;
CREATE TRIGGER items_fts_update AFTER UPDATE OF content, tags, entities, decisions, action_items, dated ON items
WHEN (old.content, old.tags, old.entities, old.decisions, old.action_items, old.dated)
  IS NOT (new.content, new.tags, new.entities, new.decisions, new.action_items, new.dated) BEGIN
  INSERT INTO items_fts (items_fts, rowid, content, tags, entities, decisions, action_items, dated)
  VALUES ('delete', old.seq, old.content, old.tags, old.entities, old.decisions, old.action_items, old.dated);
  INSERT INTO items_fts (rowid, content, tags, entities, decisions, action_items, dated)
  VALUES (new.seq, new.content, new.tags, new.entities, new.decisions, new.action_items, new.dated);
END;

CREATE TRIGGER items_have_owners BEFORE INSERT ON items
WHEN new.collection = '' AND new.agent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM agents WHERE id = new.agent_id)
BEGIN
  SELECT raise(ABORT, 'there is no such agent');
END;

-- Text can be approximately reconstructed from its vector. So it is deleted with its row, and when the text changes.
CREATE TRIGGER items_leave AFTER DELETE ON items BEGIN
  DELETE FROM entity_links
  WHERE kind = CASE old.form WHEN 'episode' THEN 'episode' ELSE 'fact' END AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'item' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'item' AND seq = old.seq;
END;
-- A statement kept only for its episode is deleted with it.
CREATE TRIGGER items_leave_children AFTER DELETE ON items WHEN old.form = 'episode' BEGIN
  DELETE FROM items WHERE parent_id = old.id AND form = 'statement' AND tier = 'kept';
END;
CREATE TRIGGER items_change AFTER UPDATE OF content, tags, entities, decisions, action_items, dated ON items
WHEN (old.content, old.entities, old.decisions, old.action_items, old.dated)
  IS NOT (new.content, new.entities, new.decisions, new.action_items, new.dated)
  OR (new.form = 'episode' AND old.tags IS NOT new.tags) BEGIN
  INSERT INTO embedding_gaps (kind, seq) VALUES ('item', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'item' AND seq = new.seq;
  DELETE FROM index_snapshots WHERE agent_id = new.agent_id AND kind = 'item';
END;

-- The vector indexes are rebuilt: one for all items instead of three.
DELETE FROM index_snapshots WHERE kind <> 'turn';
-- The log is updated for lines that become facts; end.sql restores this trigger.
DROP TRIGGER history_is_append_only;

INSERT INTO meta (key, value) VALUES ('moving', '{"part":0,"after":0}');
