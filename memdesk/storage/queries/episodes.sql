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
  SELECT rowid FROM episodes_fts WHERE episodes_fts MATCH :match)
UNION
SELECT e.id FROM episode_details d JOIN episodes e ON e.id = d.episode_id WHERE e.agent_id = :agent_id AND d.seq IN (
  SELECT rowid FROM details_fts WHERE details_fts MATCH :match);

-- name: holding_like(agent_id, pattern)
SELECT e.id FROM episodes e
WHERE e.agent_id = :agent_id AND (
  e.summary LIKE :pattern ESCAPE '\' OR e.topics LIKE :pattern ESCAPE '\' OR e.entities LIKE :pattern ESCAPE '\'
  OR e.decisions LIKE :pattern ESCAPE '\' OR e.action_items LIKE :pattern ESCAPE '\'
  OR EXISTS (SELECT 1 FROM episode_details d WHERE d.episode_id = e.id AND d.content LIKE :pattern ESCAPE '\'));

-- name: details(ids)
SELECT d.* FROM episode_details d
WHERE d.episode_id IN (SELECT value FROM json_each(:ids))
ORDER BY d.episode_id, d.position;

-- name: active_details(agent_id)
SELECT d.* FROM episodes e JOIN episode_details d ON d.episode_id = e.id
WHERE e.agent_id = :agent_id AND e.status = 'active'
ORDER BY d.episode_id, d.position;

-- name: details_by_seq(seqs)
SELECT d.* FROM episode_details d WHERE d.seq IN (SELECT value FROM json_each(:seqs));

-- name: put<!
INSERT INTO episodes (
  id, agent_id, conversation_id, summary, topics, entities, decisions, action_items, salience, decayed_at, source_count, use_count,
  last_used, model, status, merged_into, started_at, ended_at, created_at, updated_at, dated)
VALUES (
  :id, :agent_id, :conversation_id, :summary, :topics, :entities, :decisions, :action_items, :salience, :decayed_at, :source_count,
  :use_count, :last_used, :model, :status, :merged_into, :started_at, :ended_at, :created_at, :updated_at, :dated)
ON CONFLICT (id) DO UPDATE SET
  agent_id = excluded.agent_id, conversation_id = excluded.conversation_id, summary = excluded.summary,
  topics = excluded.topics, entities = excluded.entities, decisions = excluded.decisions,
  action_items = excluded.action_items, salience = excluded.salience,
  decayed_at = excluded.decayed_at, source_count = excluded.source_count,
  use_count = excluded.use_count, last_used = excluded.last_used, model = excluded.model, status = excluded.status,
  merged_into = excluded.merged_into, started_at = excluded.started_at, ended_at = excluded.ended_at,
  created_at = excluded.created_at, updated_at = excluded.updated_at, dated = excluded.dated
RETURNING seq;

-- name: detail_days(episode_id)
SELECT id, dated FROM episode_details WHERE episode_id = :episode_id;

-- name: drop_details(ids)!
DELETE FROM episode_details WHERE id IN (SELECT value FROM json_each(:ids));

-- name: put_details(rows)!
-- One statement for all of them, see ``add`` of turns; rows that are as they should be are left in peace.
INSERT INTO episode_details (id, episode_id, position, content, kind, turn_ids, dated)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
FROM json_each(:rows)
WHERE true
ORDER BY key
ON CONFLICT (id) DO UPDATE SET
  episode_id = excluded.episode_id, position = excluded.position, content = excluded.content, kind = excluded.kind,
  turn_ids = excluded.turn_ids, dated = excluded.dated
WHERE (episode_id, position, content, kind, turn_ids, dated)
  IS NOT (
    excluded.episode_id, excluded.position, excluded.content, excluded.kind, excluded.turn_ids, excluded.dated);

-- name: delete(ids)!
DELETE FROM episodes WHERE id IN (SELECT value FROM json_each(:ids));

-- name: touch(ids, at)!
UPDATE episodes SET use_count = use_count + 1, last_used = :at
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: set_salience*!
UPDATE episodes SET salience = :salience, decayed_at = :decayed_at
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
e.seq IN (SELECT rowid FROM episodes_fts WHERE episodes_fts MATCH :match) OR e.id IN (
  SELECT d.episode_id FROM details_fts h JOIN episode_details d ON d.seq = h.rowid WHERE details_fts MATCH :match);

-- name: where_like!
e.summary LIKE :pattern ESCAPE '\';
