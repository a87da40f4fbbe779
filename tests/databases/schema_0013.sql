-- A database as schema 13 left it: its schema, then rows.
CREATE TABLE agents (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  description   TEXT NOT NULL,
  system_prompt TEXT NOT NULL,
  model         TEXT NOT NULL,
  color         TEXT NOT NULL,
  sampling      TEXT NOT NULL,
  memory        TEXT NOT NULL,
  search_tool   INTEGER NOT NULL,
  is_built_in   INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
, shares_identity INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE conversations (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id     TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  id           TEXT NOT NULL,
  title        TEXT NOT NULL,
  memory       TEXT NOT NULL,
  pinned       INTEGER NOT NULL,
  archived     INTEGER NOT NULL,
  draft        TEXT NOT NULL,
  session_date INTEGER,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL, overrides TEXT NOT NULL DEFAULT '{}', folder_id TEXT,
  UNIQUE (agent_id, id)
) STRICT;
CREATE TABLE turns (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  agent_id        TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  position        INTEGER NOT NULL,
  role            TEXT NOT NULL,
  speaker         TEXT NOT NULL,
  content         TEXT NOT NULL,
  said_at         INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  model           TEXT NOT NULL,
  receipt_id      TEXT,
  usage           TEXT NOT NULL,
  -- the day in words ("Monday 8 May 2023"), for full-text search alone
  dated           TEXT NOT NULL, images TEXT NOT NULL DEFAULT '[]', program TEXT NOT NULL DEFAULT '',
  FOREIGN KEY (agent_id, conversation_id) REFERENCES conversations (agent_id, id) ON DELETE CASCADE
) STRICT;
CREATE TABLE signals (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  turn_id         TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
  agent_id        TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  status          TEXT NOT NULL,
  attempts        INTEGER NOT NULL,
  last_error      TEXT NOT NULL,
  next_try_at     INTEGER,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE TABLE entities (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  agent_id      TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  name          TEXT NOT NULL,
  type          TEXT NOT NULL,
  mention_count INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  -- the name without case and diacritics
  folded        TEXT NOT NULL
) STRICT;
CREATE TABLE entity_links (
  entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  kind      TEXT NOT NULL,
  ref_id    TEXT NOT NULL,
  PRIMARY KEY (entity_id, kind, ref_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE history (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  agent_id     TEXT NOT NULL,
  kind         TEXT NOT NULL,
  ref_id       TEXT NOT NULL,
  action       TEXT NOT NULL,
  actor        TEXT NOT NULL,
  actor_detail TEXT NOT NULL,
  old          TEXT,
  new          TEXT,
  reason       TEXT NOT NULL,
  at           INTEGER NOT NULL
) STRICT;
CREATE TABLE receipts (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  agent_id        TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  query           TEXT NOT NULL,
  section         TEXT NOT NULL,
  rule            TEXT NOT NULL,
  tokens          INTEGER NOT NULL,
  budget_tokens   INTEGER NOT NULL,
  block           TEXT NOT NULL,
  mode            TEXT NOT NULL,
  filled_from     TEXT,
  conversation_id TEXT,
  turn_id         TEXT,
  elapsed_ms      REAL NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT;
CREATE TABLE receipt_items (
  receipt_seq     INTEGER NOT NULL REFERENCES receipts (seq) ON DELETE CASCADE,
  -- 0: in the block; 1: considered, but left out
  is_left_out     INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  kind            TEXT NOT NULL,
  ref_id          TEXT NOT NULL,
  line            TEXT NOT NULL,
  score           REAL NOT NULL,
  tokens          INTEGER NOT NULL,
  date            INTEGER,
  conversation_id TEXT,
  quote           TEXT NOT NULL,
  left_out        TEXT NOT NULL,
  PRIMARY KEY (receipt_seq, is_left_out, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE api_tokens (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  secret_hash BLOB NOT NULL UNIQUE,
  scopes      TEXT NOT NULL,
  agent_id    TEXT,
  created_at  INTEGER NOT NULL,
  last_used   INTEGER,
  expires_at  INTEGER,
  revoked     INTEGER NOT NULL
) STRICT;
CREATE TABLE spaces (
  id    INTEGER PRIMARY KEY,
  model TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE embeddings (
  id           INTEGER PRIMARY KEY,
  kind         TEXT NOT NULL,
  seq          INTEGER NOT NULL,
  space_id     INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  agent_id     TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  content_hash TEXT NOT NULL,
  vector       BLOB NOT NULL,
  UNIQUE (kind, seq, space_id)
) STRICT;
CREATE TABLE embedding_gaps (
  kind TEXT NOT NULL,
  seq  INTEGER NOT NULL,
  PRIMARY KEY (kind, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE index_snapshots (
  id       INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  kind     TEXT NOT NULL,
  model    TEXT NOT NULL,
  part     INTEGER NOT NULL,
  edition  TEXT NOT NULL,
  size     INTEGER NOT NULL,
  data     BLOB NOT NULL,
  UNIQUE (agent_id, kind, model, part)
) STRICT;
CREATE TABLE runs (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL,
  trigger     TEXT NOT NULL,
  status      TEXT NOT NULL,
  dry_run     INTEGER NOT NULL,
  counts      TEXT NOT NULL,
  message     TEXT NOT NULL,
  started_at  INTEGER NOT NULL,
  finished_at INTEGER,
  undone_at   INTEGER
) STRICT;
CREATE TABLE run_changes (
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  action   TEXT NOT NULL,
  kind     TEXT NOT NULL,
  ref_id   TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  before   TEXT,
  after    TEXT,
  reason   TEXT NOT NULL
, held INTEGER NOT NULL DEFAULT 1, block BLOB) STRICT;
CREATE TABLE bin (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  kind       TEXT NOT NULL,
  ref_id     TEXT NOT NULL,
  run_id     TEXT NOT NULL,
  agent_id   TEXT NOT NULL,
  payload    TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (kind, ref_id)
) STRICT;
CREATE TABLE activity (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  token_name TEXT NOT NULL,
  method     TEXT NOT NULL,
  route      TEXT NOT NULL,
  agent_id   TEXT NOT NULL,
  status     INTEGER NOT NULL,
  ms         REAL NOT NULL
) STRICT;
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE turns_fts USING fts5 (
  content, speaker, dated,
  content = 'turns', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO turns_fts (turns_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE turns_vocab USING fts5vocab (turns_fts, row);
CREATE TABLE entity_aliases (
  agent_id  TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  -- the name without case and diacritics
  folded    TEXT NOT NULL,
  name      TEXT NOT NULL,
  entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  PRIMARY KEY (agent_id, folded)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE item_sources (
  item_seq INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  turn_id  TEXT NOT NULL,
  quote    TEXT NOT NULL,
  PRIMARY KEY (item_seq, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE item_tags (
  tag      TEXT NOT NULL,
  item_seq INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
  PRIMARY KEY (tag, item_seq)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE "relations" (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  agent_id   TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  subject_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  predicate  TEXT NOT NULL,
  object_id  TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  fact_id    TEXT REFERENCES items (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_update ON conversations (updated_at);
CREATE INDEX conversations_by_agent ON conversations (agent_id, updated_at);
CREATE INDEX conversations_by_folder ON conversations (folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX turns_by_program ON turns (program) WHERE program <> '';
CREATE INDEX turns_by_conversation ON turns (agent_id, conversation_id, position);
CREATE INDEX turns_by_date ON turns (agent_id, said_at);
CREATE INDEX signals_by_turn ON signals (turn_id);
CREATE INDEX signals_by_status ON signals (status, agent_id, conversation_id);
CREATE INDEX entities_by_name ON entities (agent_id, folded);
CREATE INDEX entities_by_agent_mentions ON entities (agent_id, mention_count);
CREATE INDEX entities_by_mentions ON entities (mention_count);
CREATE INDEX entity_links_by_ref ON entity_links (kind, ref_id);
CREATE INDEX history_by_ref ON history (kind, ref_id);
CREATE INDEX history_by_agent ON history (agent_id);
CREATE INDEX receipts_by_conversation ON receipts (agent_id, conversation_id);
CREATE INDEX receipt_items_by_ref ON receipt_items (kind, ref_id);
CREATE INDEX embeddings_by_agent ON embeddings (agent_id, kind, space_id, seq);
CREATE INDEX embeddings_by_hash ON embeddings (content_hash, space_id);
CREATE INDEX embeddings_by_space ON embeddings (space_id);
CREATE INDEX runs_by_start ON runs (started_at);
CREATE INDEX runs_by_kind ON runs (kind, started_at);
CREATE INDEX run_changes_by_run ON run_changes (run_id);
CREATE INDEX run_changes_by_ref ON run_changes (kind, ref_id);
CREATE INDEX bin_by_agent ON bin (agent_id);
CREATE INDEX bin_by_expiry ON bin (expires_at);
CREATE INDEX entity_aliases_by_entity ON entity_aliases (entity_id);
CREATE INDEX turns_by_moment ON turns (said_at);
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
CREATE INDEX facts_with_every_reply ON items (source_agent_id, status)
WHERE collection = '' AND tier = 'pinned' AND source_agent_id = agent_id;
CREATE INDEX items_private ON items (agent_id, run_id) WHERE collection = '' AND privacy = 'local_only';
CREATE INDEX items_always ON items (status) WHERE collection = '' AND tier = 'always';
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
CREATE INDEX item_sources_by_turn ON item_sources (turn_id);
CREATE INDEX item_tags_by_item ON item_tags (item_seq);
CREATE INDEX relations_by_subject ON relations (subject_id);
CREATE INDEX relations_by_object ON relations (object_id);
CREATE INDEX relations_by_fact ON relations (fact_id);
CREATE INDEX relations_by_agent ON relations (agent_id);
CREATE VIEW facts AS SELECT
  seq, id, agent_id, content, kind, tags, salience, decayed_at, promoted_at, confidence, source_count, use_count,
  last_used, status, user_pinned, origin, provenance, valid_from, valid_until, superseded_by, reason,
  run_id AS conversation_id, parent_id AS episode_id, created_at, updated_at, subject, predicate, object, attribute,
  holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language, replaces, confirmed_at, expires_at
FROM items WHERE collection = '' AND tier = 'pinned';
CREATE VIEW stated AS SELECT
  seq, id, agent_id, content, kind, tags, salience, decayed_at, promoted_at, confidence, source_count, use_count,
  last_used, status, user_pinned, origin, provenance, valid_from, valid_until, superseded_by, reason,
  run_id AS conversation_id, parent_id AS episode_id, created_at, updated_at, subject, predicate, object, attribute,
  holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language, replaces, confirmed_at, expires_at
FROM items
WHERE collection = '' AND form <> 'episode'
  AND (tier = 'pinned' OR (tier = 'kept' AND (parent_id IS NULL OR form <> 'statement')));
CREATE VIEW episodes AS SELECT
  seq, id, agent_id, run_id AS conversation_id, content AS summary, tags AS topics, entities, decisions, action_items,
  salience, decayed_at, source_count, use_count, last_used, model, status, superseded_by AS merged_into, started_at,
  ended_at, created_at, updated_at, dated
FROM items WHERE collection = '' AND form = 'episode';
CREATE VIEW episode_lines AS SELECT
  seq, id, parent_id AS episode_id, position, content, kind,
  (SELECT json_group_array(s.turn_id) FROM item_sources s WHERE s.item_seq = items.seq) AS turn_ids, dated, agent_id,
  subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language,
  replaces
FROM items
WHERE collection = '' AND form = 'statement' AND parent_id IS NOT NULL
  AND (tier = 'kept' OR (tier = 'pinned' AND status IN ('active', 'superseded')));
CREATE VIEW episode_details AS SELECT
  seq, id, parent_id AS episode_id, position, content, kind,
  (SELECT json_group_array(s.turn_id) FROM item_sources s WHERE s.item_seq = items.seq) AS turn_ids, dated, agent_id,
  subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language,
  replaces
FROM items WHERE collection = '' AND form = 'statement' AND tier = 'kept';
CREATE VIEW identity AS SELECT
  seq, id, content, CASE origin WHEN 'user' THEN 'override' ELSE 'distilled' END AS origin, status,
  source_agent_id AS agent_id, run_id AS conversation_id,
  (SELECT json_group_array(json_array(s.turn_id, s.quote)) FROM item_sources s WHERE s.item_seq = items.seq) AS sources,
  superseded_by, created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense,
  qualifiers, speaker, said_at, quote, language, replaces
FROM items WHERE collection = '' AND tier = 'always';
CREATE TRIGGER turns_fts_insert AFTER INSERT ON turns BEGIN
  INSERT INTO turns_fts (rowid, content, speaker, dated) VALUES (new.seq, new.content, new.speaker, new.dated);
END;
CREATE TRIGGER turns_fts_delete AFTER DELETE ON turns BEGIN
  INSERT INTO turns_fts (turns_fts, rowid, content, speaker, dated)
  VALUES ('delete', old.seq, old.content, old.speaker, old.dated);
END;
CREATE TRIGGER turns_fts_update AFTER UPDATE OF content, speaker, dated ON turns
WHEN (old.content, old.speaker, old.dated) IS NOT (new.content, new.speaker, new.dated) BEGIN
  INSERT INTO turns_fts (turns_fts, rowid, content, speaker, dated)
  VALUES ('delete', old.seq, old.content, old.speaker, old.dated);
  INSERT INTO turns_fts (rowid, content, speaker, dated) VALUES (new.seq, new.content, new.speaker, new.dated);
END;
CREATE TRIGGER conversations_leave AFTER DELETE ON conversations BEGIN
  DELETE FROM receipts WHERE agent_id = old.agent_id AND conversation_id = old.id;
END;
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
CREATE TRIGGER items_leave AFTER DELETE ON items BEGIN
  DELETE FROM entity_links
  WHERE kind = CASE old.form WHEN 'episode' THEN 'episode' ELSE 'fact' END AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'item' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'item' AND seq = old.seq;
END;
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
CREATE TRIGGER turns_leave AFTER DELETE ON turns BEGIN
  DELETE FROM item_sources WHERE turn_id = old.id;
  DELETE FROM entity_links WHERE kind = 'turn' AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'turn' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'turn' AND seq = old.seq;
END;
CREATE TRIGGER turns_change AFTER UPDATE OF content, speaker, dated ON turns
WHEN (old.content, old.speaker, old.dated) IS NOT (new.content, new.speaker, new.dated) BEGIN
  INSERT INTO embedding_gaps (kind, seq) VALUES ('turn', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'turn' AND seq = new.seq;
  DELETE FROM index_snapshots WHERE agent_id = new.agent_id AND kind = 'turn';
END;
CREATE TRIGGER history_is_append_only
BEFORE UPDATE OF id, agent_id, kind, ref_id, action, actor, at ON history
BEGIN
  SELECT raise(ABORT, 'history is append-only');
END;
CREATE TRIGGER agents_leave AFTER DELETE ON agents BEGIN
  DELETE FROM bin WHERE agent_id = old.id;
  DELETE FROM run_changes WHERE agent_id = old.id;
  UPDATE history SET old = NULL, new = NULL, reason = '' WHERE agent_id = old.id;
  UPDATE api_tokens SET revoked = 1 WHERE agent_id = old.id;
  DELETE FROM items WHERE agent_id = old.id AND collection = '';
  UPDATE items SET source_agent_id = NULL, run_id = NULL WHERE source_agent_id = old.id;
END;
CREATE TABLE images (
  -- SHA-256 of the data
  id         TEXT PRIMARY KEY,
  media_type TEXT NOT NULL,
  name       TEXT NOT NULL,
  data       BLOB NOT NULL
) STRICT;
CREATE TABLE image_uses (
  -- the id of a turn, or the key of a former version or of a draft
  owner    TEXT NOT NULL,
  image_id TEXT NOT NULL,
  PRIMARY KEY (owner, image_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX image_uses_by_image ON image_uses (image_id);
CREATE TRIGGER images_of_turns AFTER INSERT ON turns WHEN new.images <> '[]' BEGIN
  INSERT INTO image_uses SELECT DISTINCT new.id, value FROM json_each(new.images);
END;
CREATE TRIGGER images_of_turns_leave AFTER DELETE ON turns WHEN old.images <> '[]' BEGIN
  DELETE FROM image_uses WHERE owner = old.id;
END;
CREATE TRIGGER images_of_meta AFTER INSERT ON meta WHEN new.key GLOB 'version:*' OR new.key GLOB 'draft_images:*' BEGIN
  INSERT INTO image_uses SELECT DISTINCT new.key, atom FROM json_tree(new.value) WHERE path GLOB '*.images';
END;
CREATE TRIGGER images_of_meta_change AFTER UPDATE OF value ON meta
WHEN new.key GLOB 'version:*' OR new.key GLOB 'draft_images:*' BEGIN
  INSERT INTO image_uses SELECT DISTINCT new.key, atom FROM json_tree(new.value) WHERE path GLOB '*.images'
    AND atom NOT IN (SELECT image_id FROM image_uses WHERE owner = new.key);
  DELETE FROM image_uses WHERE owner = new.key
    AND image_id NOT IN (SELECT atom FROM json_tree(new.value) WHERE path GLOB '*.images');
END;
CREATE TRIGGER images_of_meta_leave AFTER DELETE ON meta
WHEN old.key GLOB 'version:*' OR old.key GLOB 'draft_images:*' BEGIN
  DELETE FROM image_uses WHERE owner = old.key;
END;
CREATE TRIGGER images_leave AFTER DELETE ON image_uses BEGIN
  DELETE FROM images WHERE id = old.image_id
    AND NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image_id = old.image_id);
END;
INSERT INTO agents (id, name, description, system_prompt, model, color, sampling, memory, search_tool, is_built_in, created_at, updated_at)
VALUES ('ana', 'Ana', '', '', '', '', '{}', 'on', 0, 0, 1772355600000, 1772355600000);
INSERT INTO conversations (seq, agent_id, id, title, memory, pinned, archived, draft, session_date, created_at, updated_at)
VALUES (1, 'ana', 'c1', 'Moving', 'on', 0, 0, '', NULL, 1772355600000, 1772355600000);
INSERT INTO images (id, media_type, name, data)
VALUES ('4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6', 'image/png', 'oslo.png', X'89504E470D0A1A0A');
INSERT INTO turns (seq, id, agent_id, conversation_id, position, role, speaker, content, said_at, created_at, model, receipt_id, usage, dated, images)
VALUES (1, '00000000-0000-4000-8000-000000000001', 'ana', 'c1', 0, 'user', '', 'I moved to Oslo', 1772355600000, 1772355600000, '', NULL, '{}', 'Sunday 1 March 2026', '["4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6"]');
INSERT INTO turns (seq, id, agent_id, conversation_id, position, role, speaker, content, said_at, created_at, model, receipt_id, usage, dated, program)
VALUES (2, '00000000-0000-4000-8000-000000000002', 'ana', 'c1', 1, 'assistant', '', 'Welcome to Oslo!', 1772355660000, 1772355600000, '', NULL, '{}', 'Sunday 1 March 2026', 'laptop');
INSERT INTO signals (seq, id, turn_id, agent_id, conversation_id, status, attempts, last_error, next_try_at, created_at)
VALUES (1, '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001', 'ana', 'c1', 'pending', 0, '', NULL, 1772355600000);
INSERT INTO signals (seq, id, turn_id, agent_id, conversation_id, status, attempts, last_error, next_try_at, created_at)
VALUES (2, '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000002', 'ana', 'c1', 'pending', 0, '', NULL, 1772355600000);
INSERT INTO entities (seq, id, agent_id, name, type, mention_count, created_at, updated_at, folded)
VALUES (1, '00000000-0000-4000-8000-000000000008', 'ana', 'Oslo', 'place', 1, 1772355600000, 1772355600000, 'oslo');
INSERT INTO entities (seq, id, agent_id, name, type, mention_count, created_at, updated_at, folded)
VALUES (2, '00000000-0000-4000-8000-000000000009', 'ana', 'Ana', 'person', 1, 1772355600000, 1772355600000, 'ana');
INSERT INTO entity_links (entity_id, kind, ref_id)
VALUES ('00000000-0000-4000-8000-000000000008', 'fact', '00000000-0000-4000-8000-000000000005');
INSERT INTO history (seq, id, agent_id, kind, ref_id, action, actor, actor_detail, old, new, reason, at)
VALUES (1, '00000000-0000-4000-8000-000000000011', 'ana', 'fact', '00000000-0000-4000-8000-000000000005', 'added', 'user', '', NULL, '{"content":"Ana lives in Oslo"}', '', 1772355600000);
INSERT INTO receipts (seq, id, agent_id, query, section, rule, tokens, budget_tokens, block, mode, filled_from, conversation_id, turn_id, elapsed_ms, created_at)
VALUES (1, '00000000-0000-4000-8000-000000000012', 'ana', 'what?', 'pinned', 'possessive', 5, 800, 'the block', 'hybrid', NULL, 'c1', NULL, 0.0, 1772355600000);
INSERT INTO receipt_items (receipt_seq, is_left_out, position, kind, ref_id, line, score, tokens, date, conversation_id, quote, left_out)
VALUES (1, 0, 0, 'fact', '00000000-0000-4000-8000-000000000005', 'Ana lives in Oslo', 0.5, 3, NULL, NULL, '', '');
INSERT INTO spaces (id, model)
VALUES (1, 'mini');
INSERT INTO embeddings (id, kind, seq, space_id, agent_id, content_hash, vector)
VALUES (1, 'turn', 1, 1, 'ana', 'h1', X'003c');
INSERT INTO runs (seq, id, kind, trigger, status, dry_run, counts, message, started_at, finished_at, undone_at)
VALUES (1, '00000000-0000-4000-8000-000000000013', 'consolidation', 'user', 'done', 0, '{}', '', 1772355600000, NULL, NULL);
INSERT INTO run_changes (seq, run_id, action, kind, ref_id, agent_id, before, after, reason, held, block)
VALUES (1, '00000000-0000-4000-8000-000000000013', 'decay', 'fact', '00000000-0000-4000-8000-000000000005', 'ana', '{"salience":0.7}', '{"salience":0.6}', '3 days', 1, NULL);
INSERT INTO meta (key, value)
VALUES ('note', '{"a":1}');
INSERT INTO entity_aliases (agent_id, folded, name, entity_id)
VALUES ('ana', 'christiania', 'Christiania', '00000000-0000-4000-8000-000000000008');
INSERT INTO items (seq, id, collection, form, tier, kind, type, user_id, agent_id, source_agent_id, run_id, key, content, tags, entities, decisions, action_items, dated, metadata, privacy, salience, decayed_at, promoted_at, confidence, source_count, use_count, last_used, status, user_pinned, origin, provenance, valid_from, valid_until, confirmed_at, expires_at, superseded_by, reason, parent_id, position, model, started_at, ended_at, created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language, replaces)
VALUES (1, '00000000-0000-4000-8000-000000000005', '', 'statement', 'pinned', 'identity', 'factual', 'me', 'ana', NULL, NULL, '', 'Ana lives in Oslo', '["home"]', '[]', '[]', '[]', '', '{}', 'normal', 0.6, NULL, NULL, 1.0, 1, 0, NULL, 'active', 0, 'user', 'user', NULL, NULL, NULL, NULL, NULL, '', NULL, 0, '', NULL, NULL, 1772355600000, 1772355600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO items (seq, id, collection, form, tier, kind, type, user_id, agent_id, source_agent_id, run_id, key, content, tags, entities, decisions, action_items, dated, metadata, privacy, salience, decayed_at, promoted_at, confidence, source_count, use_count, last_used, status, user_pinned, origin, provenance, valid_from, valid_until, confirmed_at, expires_at, superseded_by, reason, parent_id, position, model, started_at, ended_at, created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language, replaces)
VALUES (2, '00000000-0000-4000-8000-000000000006', '', 'episode', 'kept', 'event', 'episodic', 'me', 'ana', NULL, 'c1', '', 'Ana moved to Oslo', '["moving"]', '[]', '[]', '[]', 'Sunday 1 March 2026', '{}', 'normal', 0.5, NULL, NULL, 1.0, 1, 0, NULL, 'active', 0, 'distiller', 'user', NULL, NULL, NULL, NULL, NULL, '', NULL, 0, '', 1772355600000, 1772359200000, 1772355600000, 1772355600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO items (seq, id, collection, form, tier, kind, type, user_id, agent_id, source_agent_id, run_id, key, content, tags, entities, decisions, action_items, dated, metadata, privacy, salience, decayed_at, promoted_at, confidence, source_count, use_count, last_used, status, user_pinned, origin, provenance, valid_from, valid_until, confirmed_at, expires_at, superseded_by, reason, parent_id, position, model, started_at, ended_at, created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language, replaces)
VALUES (3, '00000000-0000-4000-8000-000000000007', '', 'statement', 'kept', 'other', 'factual', 'me', 'ana', NULL, 'c1', '', 'The flat in Oslo has a balcony', '[]', '[]', '[]', '[]', 'Sunday 1 March 2026', '{}', 'normal', 0.5, NULL, NULL, 1.0, 1, 0, NULL, 'active', 0, 'distiller', 'user', NULL, NULL, NULL, NULL, NULL, '', '00000000-0000-4000-8000-000000000006', 0, '', NULL, NULL, 1772355600000, 1772355600000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO item_sources (item_seq, position, turn_id, quote)
VALUES (1, 0, '00000000-0000-4000-8000-000000000001', 'I moved to Oslo');
INSERT INTO item_tags (tag, item_seq)
VALUES ('home', 1);
INSERT INTO relations (seq, id, agent_id, subject_id, predicate, object_id, fact_id, created_at)
VALUES (1, '00000000-0000-4000-8000-000000000010', 'ana', '00000000-0000-4000-8000-000000000009', 'lives in', '00000000-0000-4000-8000-000000000008', '00000000-0000-4000-8000-000000000005', 1772355600000);
PRAGMA user_version = 13;
