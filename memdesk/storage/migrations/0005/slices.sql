-- Rows numbered above :after up to :upto are moved to items, with numbers following those of the previous table.
-- A slice may be repeated.

-- name: last(name)$
SELECT seq FROM sqlite_sequence WHERE name = :name;

-- name: facts(after, upto, first)!
INSERT INTO items (
  seq, id, form, tier, kind, type, agent_id, run_id, content, tags, salience, decayed_at, promoted_at, confidence,
  source_count, use_count, last_used, status, user_pinned, origin, provenance, valid_from, valid_until, superseded_by,
  reason, parent_id, created_at, updated_at)
SELECT
  seq + :first, id, 'statement', 'pinned', kind, 'factual', agent_id, conversation_id, content, tags, salience,
  decayed_at, promoted_at, confidence, source_count, use_count, last_used, status, user_pinned, origin, provenance,
  valid_from, valid_until, superseded_by, reason, episode_id, created_at, updated_at
FROM main.facts WHERE seq > :after AND seq <= :upto;

-- name: fact_sources(after, upto, first)!
INSERT INTO item_sources (item_seq, position, turn_id, quote)
SELECT fact_seq + :first, position, turn_id, quote FROM fact_sources WHERE fact_seq > :after AND fact_seq <= :upto;

-- name: fact_tags(after, upto, first)!
INSERT INTO item_tags (tag, item_seq)
SELECT tag, fact_seq + :first FROM fact_tags WHERE fact_seq > :after AND fact_seq <= :upto;

-- name: episodes(after, upto, first)!
INSERT INTO items (
  seq, id, form, tier, kind, type, agent_id, run_id, content, tags, entities, decisions, action_items, dated, salience,
  decayed_at, source_count, use_count, last_used, status, origin, superseded_by, model, started_at, ended_at,
  created_at, updated_at)
SELECT
  seq + :first, id, 'episode', 'kept', 'event', 'episodic', agent_id, conversation_id, summary, topics, entities,
  decisions, action_items, dated, salience, decayed_at, source_count, use_count, last_used, status, 'distiller',
  merged_into, model, started_at, ended_at, created_at, updated_at
FROM main.episodes WHERE seq > :after AND seq <= :upto;

-- name: find_same_facts(after, upto)!
-- A detail with the same text as a fact of the same agent becomes that fact.
INSERT INTO temp.same (gone, gone_id, kept, kept_id, parent_id)
SELECT d.seq, d.id, f.seq, f.id, d.episode_id
FROM episode_details d JOIN main.episodes e ON e.id = d.episode_id AND e.status = 'active'
JOIN items f ON f.seq = (
  SELECT g.seq FROM items g INDEXED BY pinned_by_agent_content
  WHERE g.collection = '' AND g.tier = 'pinned' AND g.agent_id = e.agent_id
    AND g.content = d.content COLLATE NOCASE AND g.status = 'active'
  ORDER BY g.seq LIMIT 1)
WHERE d.seq > :after AND d.seq <= :upto;

-- name: details(after, upto, first)!
INSERT INTO items (
  seq, id, form, tier, kind, type, agent_id, run_id, content, dated, salience, status, origin, parent_id, position,
  created_at, updated_at)
SELECT
  d.seq + :first, d.id, 'statement', 'kept', d.kind, 'factual', e.agent_id, e.conversation_id, d.content, d.dated,
  e.salience, 'active', 'distiller', d.episode_id, d.position, e.created_at, e.created_at
FROM episode_details d JOIN main.episodes e ON e.id = d.episode_id
WHERE d.seq > :after AND d.seq <= :upto AND d.seq NOT IN (SELECT gone FROM temp.same);

-- name: detail_sources(after, upto, first)!
INSERT INTO item_sources (item_seq, position, turn_id, quote)
SELECT d.seq + :first, j.key, j.value, '' FROM episode_details d JOIN json_each(d.turn_ids) j
WHERE d.seq > :after AND d.seq <= :upto AND d.seq NOT IN (SELECT gone FROM temp.same);

-- name: same_sources()!
-- Numbered after all that a fact may have; only their order counts.
INSERT OR IGNORE INTO item_sources (item_seq, position, turn_id, quote)
SELECT s.kept, 1000000 + s.gone * 1000 + j.key, j.value, ''
FROM temp.same s JOIN episode_details d ON d.seq = s.gone JOIN json_each(d.turn_ids) j
WHERE NOT EXISTS (SELECT 1 FROM item_sources k WHERE k.item_seq = s.kept AND k.turn_id = j.value);

-- name: same_parents()!
UPDATE items SET parent_id = (SELECT s.parent_id FROM temp.same s WHERE s.kept = items.seq ORDER BY s.gone LIMIT 1)
WHERE parent_id IS NULL AND seq IN (SELECT kept FROM temp.same);

-- name: same_receipts(kind, kept_kind)!
UPDATE receipt_items SET
  ref_id = (SELECT s.kept_id FROM temp.same s WHERE s.gone_id = receipt_items.ref_id), kind = :kept_kind
WHERE kind = :kind AND ref_id IN (SELECT gone_id FROM temp.same);

-- name: find_same_lines(after, upto)!
-- A line that an agent learned, with the same text as one of its facts, becomes that fact, which then goes with every
-- reply. Handwritten lines stay separate.
INSERT INTO temp.same (gone, gone_id, kept, kept_id)
SELECT i.seq, i.id, f.seq, f.id FROM main.identity i JOIN items f ON f.seq = (
  SELECT g.seq FROM items g INDEXED BY pinned_by_content
  WHERE g.collection = '' AND g.tier = 'pinned' AND g.content = i.content COLLATE NOCASE AND g.status = 'active'
    AND g.agent_id = i.agent_id
  ORDER BY g.seq LIMIT 1)
WHERE i.seq > :after AND i.seq <= :upto AND i.status = 'active' AND i.origin <> 'override';

-- name: identity(after, upto, first)!
INSERT INTO items (
  seq, id, form, tier, kind, type, agent_id, source_agent_id, run_id, content, salience, status, origin, superseded_by,
  created_at, updated_at)
SELECT
  seq + :first, id, 'statement', 'always', 'identity', 'factual', NULL, agent_id, conversation_id, content, 1.0, status,
  CASE origin WHEN 'override' THEN 'user' ELSE 'distiller' END, superseded_by, created_at, updated_at
FROM main.identity WHERE seq > :after AND seq <= :upto AND seq NOT IN (SELECT gone FROM temp.same);

-- name: identity_sources(after, upto, first)!
INSERT INTO item_sources (item_seq, position, turn_id, quote)
SELECT i.seq + :first, j.key, j.value ->> 0, j.value ->> 1 FROM main.identity i JOIN json_each(i.sources) j
WHERE i.seq > :after AND i.seq <= :upto AND i.seq NOT IN (SELECT gone FROM temp.same);

-- name: same_lines()!
UPDATE items SET source_agent_id = agent_id WHERE seq IN (SELECT kept FROM temp.same);

-- name: same_history()!
UPDATE history SET ref_id = (SELECT s.kept_id FROM temp.same s WHERE s.gone_id = history.ref_id)
WHERE kind = 'identity' AND ref_id IN (SELECT gone_id FROM temp.same);

-- name: same_successors()!
UPDATE items SET superseded_by = (SELECT s.kept_id FROM temp.same s WHERE s.gone_id = items.superseded_by)
WHERE superseded_by IN (SELECT gone_id FROM temp.same);

-- name: vectors(kind, first, bound)!
UPDATE embeddings SET kind = 'item', seq = seq + :first
WHERE id IN (SELECT id FROM embeddings WHERE kind = :kind ORDER BY seq LIMIT :bound);

-- name: drop_vectors(bound)!
-- Windows of turns, which are no longer used.
DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings WHERE kind = 'window' LIMIT :bound);

-- name: drop_strays()!
DELETE FROM embeddings WHERE kind = 'item' AND seq NOT IN (SELECT seq FROM items WHERE tier <> 'always');

-- name: gaps(kind, first)!
INSERT OR IGNORE INTO embedding_gaps (kind, seq)
SELECT 'item', seq + :first FROM embedding_gaps WHERE kind = :kind;
