-- name: get(fact_id)^
SELECT f.* FROM facts f WHERE f.id = :fact_id;

-- name: many(ids)
SELECT f.* FROM json_each(:ids) wanted JOIN facts f ON f.id = wanted.value ORDER BY wanted.key;

-- name: by_seq(seqs)
SELECT f.* FROM facts f WHERE f.seq IN (SELECT value FROM json_each(:seqs));

-- name: active(agent_id)
SELECT f.* FROM facts f WHERE f.agent_id = :agent_id AND f.status = 'active' ORDER BY f.seq;

-- name: of_conversation(agent_id, conversation_id)
SELECT f.* FROM facts f
WHERE f.agent_id = :agent_id AND f.seq IN (
  SELECT seq FROM facts WHERE agent_id = :agent_id AND conversation_id = :conversation_id
  UNION
  SELECT s.fact_seq FROM fact_sources s JOIN turns t ON t.id = s.turn_id
  WHERE t.agent_id = :agent_id AND t.conversation_id = :conversation_id)
ORDER BY f.seq;

-- name: sources(seqs)
SELECT s.fact_seq, s.turn_id, s.quote FROM fact_sources s
WHERE s.fact_seq IN (SELECT value FROM json_each(:seqs))
ORDER BY s.fact_seq, s.position;

-- name: put<!
INSERT INTO facts (
  id, agent_id, content, kind, tags, salience, decayed_at, promoted_at, confidence, source_count, use_count, last_used, status, user_pinned,
  origin, provenance, valid_from, valid_until, superseded_by, reason, conversation_id, episode_id, created_at,
  updated_at)
VALUES (
  :id, :agent_id, :content, :kind, :tags, :salience, :decayed_at, :promoted_at, :confidence, :source_count, :use_count, :last_used, :status,
  :user_pinned, :origin, :provenance, :valid_from, :valid_until, :superseded_by, :reason, :conversation_id,
  :episode_id, :created_at, :updated_at)
ON CONFLICT (id) DO UPDATE SET
  agent_id = excluded.agent_id, content = excluded.content, kind = excluded.kind, tags = excluded.tags,
  salience = excluded.salience, decayed_at = excluded.decayed_at, promoted_at = excluded.promoted_at,
  confidence = excluded.confidence, source_count = excluded.source_count,
  use_count = excluded.use_count, last_used = excluded.last_used, status = excluded.status,
  user_pinned = excluded.user_pinned, origin = excluded.origin, provenance = excluded.provenance,
  valid_from = excluded.valid_from, valid_until = excluded.valid_until, superseded_by = excluded.superseded_by,
  reason = excluded.reason, conversation_id = excluded.conversation_id, episode_id = excluded.episode_id,
  created_at = excluded.created_at, updated_at = excluded.updated_at
RETURNING seq;

-- name: drop_sources(fact_seq)!
DELETE FROM fact_sources WHERE fact_seq = :fact_seq;

-- name: add_sources*!
INSERT INTO fact_sources (fact_seq, position, turn_id, quote) VALUES (:fact_seq, :position, :turn_id, :quote);

-- name: drop_tags(fact_seq)!
DELETE FROM fact_tags WHERE fact_seq = :fact_seq;

-- name: add_tags*!
INSERT OR IGNORE INTO fact_tags (tag, fact_seq) VALUES (:tag, :fact_seq);

-- name: delete(ids)!
DELETE FROM facts WHERE id IN (SELECT value FROM json_each(:ids));

-- name: touch(ids, at)!
UPDATE facts SET use_count = use_count + 1, last_used = :at
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: set_salience*!
UPDATE facts SET
  salience = :salience, decayed_at = :decayed_at,
  promoted_at = CASE WHEN :keep_promoted THEN promoted_at ELSE :promoted_at END
WHERE id = :id AND (:expected IS NULL OR salience = :expected);

-- name: set_status*!
UPDATE facts SET status = :status, reason = :reason, updated_at = :updated_at
WHERE id = :id AND status = :expected_status AND updated_at = :expected_updated_at;

-- name: absorbed(ids)
SELECT f.* FROM facts f WHERE f.superseded_by IN (SELECT value FROM json_each(:ids)) ORDER BY f.seq;

-- name: tags(agent_id, most)
SELECT t.tag FROM facts f JOIN fact_tags t ON t.fact_seq = f.seq
WHERE f.status = 'active' AND (:agent_id IS NULL OR f.agent_id = :agent_id)
GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT :most;

-- name: where_agent!
f.agent_id = :agent_id;

-- name: where_match!
f.seq IN (SELECT rowid FROM facts_fts WHERE facts_fts MATCH :match);

-- name: where_like!
f.content LIKE :pattern ESCAPE '\';

-- name: where_status!
f.status IN (SELECT value FROM json_each(:statuses));

-- name: where_one_status!
f.status = :status;

-- name: where_kind!
f.kind = :kind;

-- name: where_tag!
f.seq IN (SELECT fact_seq FROM fact_tags WHERE tag = :tag);

-- name: where_pinned!
f.user_pinned;

-- name: where_not_pinned!
NOT f.user_pinned;

-- name: where_min_salience!
f.salience >= :min_salience;

-- name: where_max_salience!
f.salience < :max_salience;

-- name: where_since!
f.created_at >= :since;

-- name: where_until!
f.created_at < :until;

-- name: where_as_of!
coalesce(f.valid_from, f.created_at) <= :as_of AND (f.valid_until IS NULL OR f.valid_until > :as_of);

-- name: where_entity!
f.id IN (SELECT ref_id FROM entity_links WHERE entity_id = :entity_id AND kind = 'fact');

-- name: where_conversation!
f.conversation_id = :conversation_id OR f.seq IN (
  SELECT s.fact_seq FROM fact_sources s JOIN turns t ON t.id = s.turn_id
  WHERE t.agent_id = f.agent_id AND t.conversation_id = :conversation_id);

-- The same conditions, tested on rows that another index brings: the plus sign hides the column.

-- name: test_one_status!
+f.status = :status;

-- name: test_status!
+f.status IN (SELECT value FROM json_each(:statuses));

-- name: test_kind!
+f.kind = :kind;

-- name: test_tag!
EXISTS (SELECT 1 FROM fact_tags g WHERE g.tag = :tag AND g.fact_seq = f.seq);

-- name: test_min_salience!
+f.salience >= :min_salience;

-- name: test_max_salience!
+f.salience < :max_salience;

-- name: test_since!
+f.created_at >= :since;

-- name: test_until!
+f.created_at < :until;
