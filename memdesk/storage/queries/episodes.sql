-- name: get(episode_id)^
SELECT e.* FROM episodes e WHERE e.id = :episode_id;

-- name: many(ids)
SELECT e.* FROM json_each(:ids) wanted JOIN episodes e ON e.id = wanted.value ORDER BY wanted.key;

-- name: by_seq(seqs)
SELECT e.* FROM episodes e WHERE e.seq IN (SELECT value FROM json_each(:seqs));

-- name: active(agent_id)
SELECT e.* FROM episodes e WHERE e.agent_id = :agent_id AND e.status = 'active' ORDER BY e.ended_at, e.seq;

-- name: of_conversation(agent_id, conversation_id)
SELECT e.* FROM episodes e
WHERE e.agent_id = :agent_id AND e.conversation_id = :conversation_id
ORDER BY e.started_at, e.seq;

-- name: holding(agent_id, match)
SELECT e.id FROM episodes e WHERE e.agent_id = :agent_id AND e.seq IN (
  SELECT rowid FROM items_fts WHERE items_fts MATCH :match)
UNION
SELECT e.id FROM episode_details d JOIN episodes e ON e.id = d.episode_id WHERE e.agent_id = :agent_id AND d.seq IN (
  SELECT rowid FROM items_fts WHERE items_fts MATCH :match);

-- name: holding_like(agent_id, pattern)
SELECT e.id FROM episodes e
WHERE e.agent_id = :agent_id AND (
  e.summary LIKE :pattern ESCAPE '\' OR e.topics LIKE :pattern ESCAPE '\' OR e.entities LIKE :pattern ESCAPE '\'
  OR e.decisions LIKE :pattern ESCAPE '\' OR e.action_items LIKE :pattern ESCAPE '\'
  OR EXISTS (SELECT 1 FROM episode_details d WHERE d.episode_id = e.id AND d.content LIKE :pattern ESCAPE '\'));

-- name: details(ids)
-- What was said in an episode: what is kept for it, and the facts that it was the first to state.
SELECT i.* FROM items i
WHERE i.form = 'statement' AND i.parent_id IN (SELECT value FROM json_each(:ids))
  AND (i.tier = 'kept' OR (i.tier = 'pinned' AND i.status IN ('active', 'superseded')))
ORDER BY i.parent_id, i.position, i.seq;

-- name: active_details(agent_id)
SELECT i.* FROM episodes e JOIN items i ON i.parent_id = e.id
WHERE e.agent_id = :agent_id AND e.status = 'active' AND i.form = 'statement'
  AND (i.tier = 'kept' OR (i.tier = 'pinned' AND i.status IN ('active', 'superseded')))
ORDER BY i.parent_id, i.position, i.seq;

-- name: put<!
INSERT INTO items (
  form, tier, kind, type, origin, id, agent_id, run_id, content, tags, entities, decisions, action_items, salience,
  decayed_at, source_count, use_count, last_used, model, status, superseded_by, started_at, ended_at, created_at,
  updated_at, dated)
VALUES (
  'episode', 'kept', 'event', 'episodic', 'distiller', :id, :agent_id, :run_id, :content, :tags, :entities,
  :decisions, :action_items, :salience, :decayed_at, :source_count, :use_count, :last_used, :model, :status,
  :superseded_by, :started_at, :ended_at, :created_at, :updated_at, :dated)
ON CONFLICT (id) DO UPDATE SET
  agent_id = excluded.agent_id, run_id = excluded.run_id, content = excluded.content, tags = excluded.tags, entities
  = excluded.entities, decisions = excluded.decisions, action_items = excluded.action_items, salience =
  excluded.salience, decayed_at = excluded.decayed_at, source_count = excluded.source_count, use_count =
  excluded.use_count, last_used = excluded.last_used, model = excluded.model, status = excluded.status,
  superseded_by = excluded.superseded_by, started_at = excluded.started_at, ended_at = excluded.ended_at, created_at
  = excluded.created_at, updated_at = excluded.updated_at, dated = excluded.dated
RETURNING seq;

-- name: detail_days(episode_id)
SELECT id, dated FROM episode_details WHERE episode_id = :episode_id;

-- name: drop_details(ids)!
DELETE FROM items WHERE id IN (SELECT value FROM json_each(:ids));

-- name: put_details(rows)!
-- One statement for all of them, see ``add`` of turns; rows that are as they should be are left in peace, and what
-- has become a fact stays one.
INSERT INTO items (
  form, tier, type, status, origin, id, agent_id, run_id, kind, content, dated, salience, parent_id, position,
  created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker,
  said_at, quote, language, replaces)
SELECT 'statement', 'kept', 'factual', 'active', 'distiller',
  value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->>
  8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16,
  value ->> 17, value ->> 18, value ->> 19, value ->> 20, value ->> 21, value ->> 22, value ->> 23, value ->> 24
FROM json_each(:rows)
WHERE true
ORDER BY key
ON CONFLICT (id) DO UPDATE SET
  parent_id = excluded.parent_id, position = excluded.position, content = excluded.content, kind = excluded.kind,
  dated = excluded.dated, subject = excluded.subject, predicate = excluded.predicate, object = excluded.object,
  attribute = excluded.attribute, holds = excluded.holds, ended = excluded.ended, modality = excluded.modality,
  tense = excluded.tense, qualifiers = excluded.qualifiers, speaker = excluded.speaker, said_at = excluded.said_at,
  quote = excluded.quote, language = excluded.language, replaces = excluded.replaces
WHERE items.tier = 'kept' AND
  (items.parent_id, items.position, items.content, items.kind, items.dated, items.subject, items.predicate,
  items.object, items.qualifiers)
  IS NOT (
  excluded.parent_id, excluded.position, excluded.content, excluded.kind, excluded.dated, excluded.subject,
  excluded.predicate, excluded.object, excluded.qualifiers);

-- name: place_facts(rows)!
-- Facts that an episode states go with it where it is taken in by another; their words are theirs.
UPDATE items SET
  parent_id = (SELECT r.value ->> 1 FROM json_each(:rows) r WHERE r.value ->> 0 = items.id),
  position = (SELECT r.value ->> 2 FROM json_each(:rows) r WHERE r.value ->> 0 = items.id)
WHERE tier = 'pinned' AND id IN (SELECT r.value ->> 0 FROM json_each(:rows) r);

-- name: drop_detail_sources(episode_id)!
DELETE FROM item_sources WHERE item_seq IN (SELECT seq FROM episode_details WHERE episode_id = :episode_id);

-- name: add_detail_sources(rows)!
INSERT INTO item_sources (item_seq, position, turn_id, quote)
SELECT d.seq, t.key, t.value, ''
FROM json_each(:rows) r JOIN episode_details d ON d.id = r.value ->> 0 JOIN json_each(r.value ->> 1) t;

-- name: delete(ids)!
DELETE FROM items WHERE id IN (SELECT value FROM json_each(:ids));

-- name: set_salience*!
UPDATE items SET salience = :salience, decayed_at = :decayed_at
WHERE id = :id AND (:expected IS NULL OR salience = :expected);

-- name: absorbed(ids)
SELECT e.* FROM episodes e WHERE e.merged_into IN (SELECT value FROM json_each(:ids)) ORDER BY e.seq;

-- name: where_agent!
e.agent_id = :agent_id;

-- name: where_status!
e.status = :status;

-- name: where_since!
e.ended_at >= :since;

-- name: where_until!
e.started_at < :until;

-- name: where_entity!
e.id IN (SELECT ref_id FROM entity_links WHERE entity_id = :entity_id AND kind = 'episode');

-- name: where_match!
e.seq IN (SELECT rowid FROM items_fts WHERE items_fts MATCH :match) OR e.id IN (
  SELECT d.episode_id FROM items_fts h JOIN episode_details d ON d.seq = h.rowid WHERE items_fts MATCH :match);

-- name: where_like!
e.summary LIKE :pattern ESCAPE '\';
