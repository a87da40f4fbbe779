-- The schema of memdesk 0.1.
--
-- Times are integer milliseconds since 1970-01-01 UTC. Lists and objects are JSON text, in UTF-8, never
-- escaped to ASCII, so that full-text search reads them. Rows are read by position: later migrations
-- append columns and never reorder them. Every table that feeds a vector or a full-text mirror has an
-- AUTOINCREMENT ``seq``: numbers are never reused, so that an outdated reference cannot show another
-- row's text.

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
) STRICT;

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
  updated_at   INTEGER NOT NULL,
  UNIQUE (agent_id, id)
) STRICT;
CREATE INDEX conversations_by_update ON conversations (updated_at);
CREATE INDEX conversations_by_agent ON conversations (agent_id, updated_at);

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
  dated           TEXT NOT NULL,
  FOREIGN KEY (agent_id, conversation_id) REFERENCES conversations (agent_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX turns_by_conversation ON turns (agent_id, conversation_id, position);
CREATE INDEX turns_by_date ON turns (agent_id, said_at);

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
CREATE INDEX signals_by_turn ON signals (turn_id);
CREATE INDEX signals_by_status ON signals (status, agent_id, conversation_id);

CREATE TABLE episodes (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  agent_id        TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  summary         TEXT NOT NULL,
  topics          TEXT NOT NULL,
  entities        TEXT NOT NULL,
  decisions       TEXT NOT NULL,
  action_items    TEXT NOT NULL,
  salience        REAL NOT NULL,
  -- until when salience has been decayed; null: since created_at
  decayed_at      INTEGER,
  source_count    INTEGER NOT NULL,
  use_count       INTEGER NOT NULL,
  last_used       INTEGER,
  model           TEXT NOT NULL,
  status          TEXT NOT NULL,
  merged_into     TEXT,
  started_at      INTEGER NOT NULL,
  ended_at        INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  dated           TEXT NOT NULL
) STRICT;
CREATE INDEX episodes_by_agent ON episodes (agent_id, ended_at);
CREATE INDEX episodes_by_end ON episodes (ended_at);
CREATE INDEX episodes_by_status ON episodes (agent_id, status);
CREATE INDEX episodes_by_successor ON episodes (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX episodes_by_conversation ON episodes (agent_id, conversation_id);

CREATE TABLE episode_details (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  episode_id TEXT NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  content    TEXT NOT NULL,
  kind       TEXT NOT NULL,
  turn_ids   TEXT NOT NULL,
  dated      TEXT NOT NULL
) STRICT;
CREATE INDEX episode_details_by_episode ON episode_details (episode_id, position);

CREATE TABLE facts (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  agent_id        TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  content         TEXT NOT NULL,
  kind            TEXT NOT NULL,
  tags            TEXT NOT NULL,
  salience        REAL NOT NULL,
  -- until when salience has been decayed; null: since created_at
  decayed_at      INTEGER,
  -- when consolidation last lifted it
  promoted_at     INTEGER,
  confidence      REAL NOT NULL,
  source_count    INTEGER NOT NULL,
  use_count       INTEGER NOT NULL,
  last_used       INTEGER,
  status          TEXT NOT NULL,
  user_pinned     INTEGER NOT NULL,
  origin          TEXT NOT NULL,
  provenance      TEXT NOT NULL,
  valid_from      INTEGER,
  valid_until     INTEGER,
  superseded_by   TEXT,
  reason          TEXT NOT NULL,
  conversation_id TEXT,
  episode_id      TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;
-- One index per sort of the fact list, for one agent and for all of them.
CREATE INDEX facts_by_status ON facts (agent_id, status);
CREATE INDEX facts_by_agent_update ON facts (agent_id, updated_at);
CREATE INDEX facts_by_agent_creation ON facts (agent_id, created_at);
CREATE INDEX facts_by_agent_salience ON facts (agent_id, salience);
CREATE INDEX facts_by_agent_use ON facts (agent_id, coalesce(last_used, 0));
CREATE INDEX facts_by_agent_content ON facts (agent_id, content COLLATE NOCASE);
CREATE INDEX facts_by_update ON facts (updated_at);
CREATE INDEX facts_by_creation ON facts (created_at);
CREATE INDEX facts_by_salience ON facts (salience);
CREATE INDEX facts_by_use ON facts (coalesce(last_used, 0));
CREATE INDEX facts_by_content ON facts (content COLLATE NOCASE);
CREATE INDEX facts_by_state ON facts (status);
CREATE INDEX facts_by_kind ON facts (kind, agent_id);
CREATE INDEX facts_pinned ON facts (agent_id) WHERE user_pinned;
CREATE INDEX facts_by_successor ON facts (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX facts_by_conversation ON facts (agent_id, conversation_id);

-- No foreign key to turns: undoing a run may restore a fact whose turn has been pruned.
-- A trigger removes the sources of deleted turns, because a quote is the turn's own text.
CREATE TABLE fact_sources (
  fact_seq INTEGER NOT NULL REFERENCES facts (seq) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  turn_id  TEXT NOT NULL,
  quote    TEXT NOT NULL,
  PRIMARY KEY (fact_seq, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_sources_by_turn ON fact_sources (turn_id);

-- Tags, case folded, for the filter; the fact itself keeps them as written and in order.
CREATE TABLE fact_tags (
  tag      TEXT NOT NULL,
  fact_seq INTEGER NOT NULL REFERENCES facts (seq) ON DELETE CASCADE,
  PRIMARY KEY (tag, fact_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_tags_by_fact ON fact_tags (fact_seq);

CREATE TABLE identity (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  id              TEXT NOT NULL UNIQUE,
  content         TEXT NOT NULL,
  origin          TEXT NOT NULL,
  status          TEXT NOT NULL,
  agent_id        TEXT,
  conversation_id TEXT,
  sources         TEXT NOT NULL,
  superseded_by   TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
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
CREATE INDEX entities_by_name ON entities (agent_id, folded);
CREATE INDEX entities_by_agent_mentions ON entities (agent_id, mention_count);
CREATE INDEX entities_by_mentions ON entities (mention_count);

CREATE TABLE entity_links (
  entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  kind      TEXT NOT NULL,
  ref_id    TEXT NOT NULL,
  PRIMARY KEY (entity_id, kind, ref_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_links_by_ref ON entity_links (kind, ref_id);

CREATE TABLE relations (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  agent_id   TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  subject_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  predicate  TEXT NOT NULL,
  object_id  TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  fact_id    TEXT REFERENCES facts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX relations_by_subject ON relations (subject_id);
CREATE INDEX relations_by_object ON relations (object_id);
CREATE INDEX relations_by_fact ON relations (fact_id);
CREATE INDEX relations_by_agent ON relations (agent_id);

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
CREATE INDEX history_by_ref ON history (kind, ref_id);
CREATE INDEX history_by_agent ON history (agent_id);

-- Append-only: forgetting may clear texts, but nothing may rewrite who did what when.
CREATE TRIGGER history_is_append_only
BEFORE UPDATE OF id, agent_id, kind, ref_id, action, actor, at ON history
BEGIN
  SELECT raise(ABORT, 'history is append-only');
END;

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
CREATE INDEX receipts_by_conversation ON receipts (agent_id, conversation_id);

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
CREATE INDEX receipt_items_by_ref ON receipt_items (kind, ref_id);

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

-- A vector space is a model's name; embeddings carry its small number instead.
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
CREATE INDEX embeddings_by_agent ON embeddings (agent_id, kind, space_id, seq);
CREATE INDEX embeddings_by_hash ON embeddings (content_hash, space_id);
CREATE INDEX embeddings_by_space ON embeddings (space_id);

-- Existing rows that lost their vector (their text, or a neighbor's, changed): to embed again.
CREATE TABLE embedding_gaps (
  kind TEXT NOT NULL,
  seq  INTEGER NOT NULL,
  PRIMARY KEY (kind, seq)
) STRICT, WITHOUT ROWID;

-- Written in parts, each in its own transaction, so that nothing waits for a large index. A snapshot
-- counts only if all its parts are of one edition and add up to its size.
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
CREATE INDEX runs_by_start ON runs (started_at);
CREATE INDEX runs_by_kind ON runs (kind, started_at);

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
) STRICT;
CREATE INDEX run_changes_by_run ON run_changes (run_id);
CREATE INDEX run_changes_by_ref ON run_changes (kind, ref_id);
CREATE INDEX run_changes_by_agent ON run_changes (agent_id);

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
CREATE INDEX bin_by_agent ON bin (agent_id);
CREATE INDEX bin_by_expiry ON bin (expires_at);

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

-- ------------------------------------------------------------------ full text
-- External-content mirrors. With ``secure-delete`` a removed word leaves the index at once instead of
-- staying in an old segment behind a deletion mark.

CREATE VIRTUAL TABLE turns_fts USING fts5 (
  content, speaker, dated,
  content = 'turns', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO turns_fts (turns_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE turns_vocab USING fts5vocab (turns_fts, row);

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

CREATE VIRTUAL TABLE episodes_fts USING fts5 (
  summary, topics, entities, decisions, action_items, dated,
  content = 'episodes', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO episodes_fts (episodes_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE episodes_vocab USING fts5vocab (episodes_fts, row);

CREATE TRIGGER episodes_fts_insert AFTER INSERT ON episodes BEGIN
  INSERT INTO episodes_fts (rowid, summary, topics, entities, decisions, action_items, dated)
  VALUES (new.seq, new.summary, new.topics, new.entities, new.decisions, new.action_items, new.dated);
END;
CREATE TRIGGER episodes_fts_delete AFTER DELETE ON episodes BEGIN
  INSERT INTO episodes_fts (episodes_fts, rowid, summary, topics, entities, decisions, action_items, dated)
  VALUES ('delete', old.seq, old.summary, old.topics, old.entities, old.decisions, old.action_items, old.dated);
END;
CREATE TRIGGER episodes_fts_update
AFTER UPDATE OF summary, topics, entities, decisions, action_items, dated ON episodes
WHEN (old.summary, old.topics, old.entities, old.decisions, old.action_items, old.dated)
  IS NOT (new.summary, new.topics, new.entities, new.decisions, new.action_items, new.dated) BEGIN
  INSERT INTO episodes_fts (episodes_fts, rowid, summary, topics, entities, decisions, action_items, dated)
  VALUES ('delete', old.seq, old.summary, old.topics, old.entities, old.decisions, old.action_items, old.dated);
  INSERT INTO episodes_fts (rowid, summary, topics, entities, decisions, action_items, dated)
  VALUES (new.seq, new.summary, new.topics, new.entities, new.decisions, new.action_items, new.dated);
END;

CREATE VIRTUAL TABLE details_fts USING fts5 (
  content, dated,
  content = 'episode_details', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO details_fts (details_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE details_vocab USING fts5vocab (details_fts, row);

CREATE TRIGGER details_fts_insert AFTER INSERT ON episode_details BEGIN
  INSERT INTO details_fts (rowid, content, dated) VALUES (new.seq, new.content, new.dated);
END;
CREATE TRIGGER details_fts_delete AFTER DELETE ON episode_details BEGIN
  INSERT INTO details_fts (details_fts, rowid, content, dated) VALUES ('delete', old.seq, old.content, old.dated);
END;
CREATE TRIGGER details_fts_update AFTER UPDATE OF content, dated ON episode_details
WHEN (old.content, old.dated) IS NOT (new.content, new.dated) BEGIN
  INSERT INTO details_fts (details_fts, rowid, content, dated) VALUES ('delete', old.seq, old.content, old.dated);
  INSERT INTO details_fts (rowid, content, dated) VALUES (new.seq, new.content, new.dated);
END;

CREATE VIRTUAL TABLE facts_fts USING fts5 (
  content, tags,
  content = 'facts', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO facts_fts (facts_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE facts_vocab USING fts5vocab (facts_fts, row);

CREATE TRIGGER facts_fts_insert AFTER INSERT ON facts BEGIN
  INSERT INTO facts_fts (rowid, content, tags) VALUES (new.seq, new.content, new.tags);
END;
CREATE TRIGGER facts_fts_delete AFTER DELETE ON facts BEGIN
  INSERT INTO facts_fts (facts_fts, rowid, content, tags) VALUES ('delete', old.seq, old.content, old.tags);
END;
CREATE TRIGGER facts_fts_update AFTER UPDATE OF content, tags ON facts
WHEN (old.content, old.tags) IS NOT (new.content, new.tags) BEGIN
  INSERT INTO facts_fts (facts_fts, rowid, content, tags) VALUES ('delete', old.seq, old.content, old.tags);
  INSERT INTO facts_fts (rowid, content, tags) VALUES (new.seq, new.content, new.tags);
END;

-- ------------------------------------------------------------------ nothing outlives its row
-- Text can be approximately reconstructed from its vector. So a vector is deleted with its row, when the text
-- changes, and, for windows of turns, with any turn within eight places of the window's center. Index snapshots
-- contain vectors too and are deleted with the first of them.
-- ``ON CONFLICT DO NOTHING`` instead of ``OR IGNORE``: the latter is overridden by the conflict policy of the
-- statement that fired the trigger, and an upsert's is to abort.

CREATE TRIGGER turns_leave AFTER DELETE ON turns BEGIN
  DELETE FROM fact_sources WHERE turn_id = old.id;
  DELETE FROM entity_links WHERE kind = 'turn' AND ref_id = old.id;
  INSERT INTO embedding_gaps (kind, seq)
  SELECT 'window', seq FROM turns
  WHERE agent_id = old.agent_id AND conversation_id = old.conversation_id
    AND position BETWEEN old.position - 8 AND old.position + 8
  ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'window' AND seq IN (
    SELECT seq FROM turns
    WHERE agent_id = old.agent_id AND conversation_id = old.conversation_id
      AND position BETWEEN old.position - 8 AND old.position + 8);
  DELETE FROM embeddings WHERE kind IN ('turn', 'window') AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind IN ('turn', 'window') AND seq = old.seq;
  DELETE FROM index_snapshots WHERE agent_id = old.agent_id AND kind IN ('turn', 'window');
END;
CREATE TRIGGER turns_change AFTER UPDATE OF content, speaker, dated ON turns
WHEN (old.content, old.speaker, old.dated) IS NOT (new.content, new.speaker, new.dated) BEGIN
  INSERT INTO embedding_gaps (kind, seq)
  SELECT 'window', seq FROM turns
  WHERE agent_id = new.agent_id AND conversation_id = new.conversation_id
    AND position BETWEEN new.position - 8 AND new.position + 8
  ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'window' AND seq IN (
    SELECT seq FROM turns
    WHERE agent_id = new.agent_id AND conversation_id = new.conversation_id
      AND position BETWEEN new.position - 8 AND new.position + 8);
  INSERT INTO embedding_gaps (kind, seq) VALUES ('turn', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'turn' AND seq = new.seq;
  DELETE FROM index_snapshots WHERE agent_id = new.agent_id AND kind IN ('turn', 'window');
END;

CREATE TRIGGER episodes_leave AFTER DELETE ON episodes BEGIN
  DELETE FROM entity_links WHERE kind = 'episode' AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'episode' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'episode' AND seq = old.seq;
  DELETE FROM index_snapshots WHERE agent_id = old.agent_id AND kind IN ('episode', 'detail');
END;
CREATE TRIGGER episodes_change
AFTER UPDATE OF summary, topics, entities, decisions, action_items, dated ON episodes
WHEN (old.summary, old.topics, old.entities, old.decisions, old.action_items, old.dated)
  IS NOT (new.summary, new.topics, new.entities, new.decisions, new.action_items, new.dated) BEGIN
  INSERT INTO embedding_gaps (kind, seq) VALUES ('episode', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'episode' AND seq = new.seq;
  DELETE FROM index_snapshots WHERE agent_id = new.agent_id AND kind = 'episode';
END;

CREATE TRIGGER details_leave AFTER DELETE ON episode_details BEGIN
  DELETE FROM index_snapshots WHERE kind = 'detail' AND agent_id IN (
    SELECT agent_id FROM embeddings WHERE kind = 'detail' AND seq = old.seq);
  DELETE FROM embeddings WHERE kind = 'detail' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'detail' AND seq = old.seq;
END;
CREATE TRIGGER details_change AFTER UPDATE OF content, dated ON episode_details
WHEN (old.content, old.dated) IS NOT (new.content, new.dated) BEGIN
  INSERT INTO embedding_gaps (kind, seq) VALUES ('detail', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM index_snapshots WHERE kind = 'detail' AND agent_id IN (
    SELECT agent_id FROM embeddings WHERE kind = 'detail' AND seq = new.seq);
  DELETE FROM embeddings WHERE kind = 'detail' AND seq = new.seq;
END;

CREATE TRIGGER facts_leave AFTER DELETE ON facts BEGIN
  DELETE FROM entity_links WHERE kind = 'fact' AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'fact' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'fact' AND seq = old.seq;
  DELETE FROM index_snapshots WHERE agent_id = old.agent_id AND kind = 'fact';
END;
CREATE TRIGGER facts_change AFTER UPDATE OF content ON facts WHEN old.content IS NOT new.content BEGIN
  INSERT INTO embedding_gaps (kind, seq) VALUES ('fact', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'fact' AND seq = new.seq;
  DELETE FROM index_snapshots WHERE agent_id = new.agent_id AND kind = 'fact';
END;

CREATE TRIGGER conversations_leave AFTER DELETE ON conversations BEGIN
  DELETE FROM receipts WHERE agent_id = old.agent_id AND conversation_id = old.id;
END;

-- A deleted agent leaves only the record that things happened, and no token with more rights than before.
CREATE TRIGGER agents_leave AFTER DELETE ON agents BEGIN
  DELETE FROM bin WHERE agent_id = old.id;
  DELETE FROM run_changes WHERE agent_id = old.id;
  UPDATE history SET old = NULL, new = NULL, reason = '' WHERE agent_id = old.id;
  UPDATE api_tokens SET revoked = 1 WHERE agent_id = old.id;
  UPDATE identity SET agent_id = NULL, conversation_id = NULL WHERE agent_id = old.id;
END;
