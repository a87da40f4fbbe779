-- All rows have been moved. Drop the old tables, and point references to items.

DELETE FROM embedding_gaps WHERE kind NOT IN ('turn', 'item') OR (kind = 'item' AND seq NOT IN (SELECT seq FROM items));

CREATE TABLE relations_anew (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL UNIQUE,
  agent_id   TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  subject_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  predicate  TEXT NOT NULL,
  object_id  TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  fact_id    TEXT REFERENCES items (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO relations_anew SELECT * FROM relations;
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'relations')
WHERE name = 'relations_anew' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'relations');
DROP TABLE relations;
ALTER TABLE relations_anew RENAME TO relations;
CREATE INDEX relations_by_subject ON relations (subject_id);
CREATE INDEX relations_by_object ON relations (object_id);
CREATE INDEX relations_by_fact ON relations (fact_id);
CREATE INDEX relations_by_agent ON relations (agent_id);

DROP TABLE facts_vocab;
DROP TABLE facts_fts;
DROP TABLE details_vocab;
DROP TABLE details_fts;
DROP TABLE episodes_vocab;
DROP TABLE episodes_fts;
DROP TABLE fact_tags;
DROP TABLE fact_sources;
DROP TABLE facts;
DROP TABLE episode_details;
DROP TABLE episodes;
DROP TABLE identity;

DROP TRIGGER turns_leave;
CREATE TRIGGER turns_leave AFTER DELETE ON turns BEGIN
  DELETE FROM item_sources WHERE turn_id = old.id;
  DELETE FROM entity_links WHERE kind = 'turn' AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'turn' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'turn' AND seq = old.seq;
END;
DROP TRIGGER turns_change;
CREATE TRIGGER turns_change AFTER UPDATE OF content, speaker, dated ON turns
WHEN (old.content, old.speaker, old.dated) IS NOT (new.content, new.speaker, new.dated) BEGIN
  INSERT INTO embedding_gaps (kind, seq) VALUES ('turn', new.seq) ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'turn' AND seq = new.seq;
  DELETE FROM index_snapshots WHERE agent_id = new.agent_id AND kind = 'turn';
END;

-- Append-only: forgetting may clear texts, but nothing may rewrite who did what when.
CREATE TRIGGER history_is_append_only
BEFORE UPDATE OF id, agent_id, kind, ref_id, action, actor, at ON history
BEGIN
  SELECT raise(ABORT, 'history is append-only');
END;

-- A deleted agent leaves only the record that things happened, and no token with more rights than before.
DROP TRIGGER agents_leave;
CREATE TRIGGER agents_leave AFTER DELETE ON agents BEGIN
  DELETE FROM bin WHERE agent_id = old.id;
  DELETE FROM run_changes WHERE agent_id = old.id;
  UPDATE history SET old = NULL, new = NULL, reason = '' WHERE agent_id = old.id;
  UPDATE api_tokens SET revoked = 1 WHERE agent_id = old.id;
  DELETE FROM items WHERE agent_id = old.id AND collection = '';
  UPDATE items SET source_agent_id = NULL, run_id = NULL WHERE source_agent_id = old.id;
END;

-- Statements and episodes as lists show them.
CREATE VIEW facts AS SELECT
  seq, id, agent_id, content, kind, tags, salience, decayed_at, promoted_at, confidence, source_count, use_count,
  last_used, status, user_pinned, origin, provenance, valid_from, valid_until, superseded_by, reason,
  run_id AS conversation_id, parent_id AS episode_id, created_at, updated_at, subject, predicate, object, attribute,
  holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language, replaces, confirmed_at, expires_at
FROM items WHERE collection = '' AND tier = 'pinned';
-- For searching facts: facts, and what is kept without an episode, such as passages of files.
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
CREATE VIEW episode_details AS SELECT
  seq, id, parent_id AS episode_id, position, content, kind,
  (SELECT json_group_array(s.turn_id) FROM item_sources s WHERE s.item_seq = items.seq) AS turn_ids, dated, agent_id,
  subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language,
  replaces
FROM items WHERE collection = '' AND form = 'statement' AND tier = 'kept';
-- Statements of an episode: its details, and the facts first stated in it.
CREATE VIEW episode_lines AS SELECT
  seq, id, parent_id AS episode_id, position, content, kind,
  (SELECT json_group_array(s.turn_id) FROM item_sources s WHERE s.item_seq = items.seq) AS turn_ids, dated, agent_id,
  subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker, said_at, quote, language,
  replaces
FROM items
WHERE collection = '' AND form = 'statement' AND parent_id IS NOT NULL
  AND (tier = 'kept' OR (tier = 'pinned' AND status IN ('active', 'superseded')));
CREATE VIEW identity AS SELECT
  seq, id, content, CASE origin WHEN 'user' THEN 'override' ELSE 'distilled' END AS origin, status,
  source_agent_id AS agent_id, run_id AS conversation_id,
  (SELECT json_group_array(json_array(s.turn_id, s.quote)) FROM item_sources s WHERE s.item_seq = items.seq) AS sources,
  superseded_by, created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense,
  qualifiers, speaker, said_at, quote, language, replaces
FROM items WHERE collection = '' AND tier = 'always';

DELETE FROM meta WHERE key = 'moving';
