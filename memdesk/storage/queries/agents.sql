-- name: get(agent_id)^
SELECT * FROM agents WHERE id = :agent_id;

-- name: all()
SELECT * FROM agents ORDER BY is_built_in DESC, name COLLATE NOCASE, id;

-- name: put!
INSERT INTO agents (
  id, name, description, system_prompt, model, color, sampling, memory, search_tool, is_built_in, created_at, updated_at)
VALUES (
  :id, :name, :description, :system_prompt, :model, :color, :sampling, :memory, :search_tool, :is_built_in,
  :created_at, :updated_at)
ON CONFLICT (id) DO UPDATE SET
  name = excluded.name, description = excluded.description, system_prompt = excluded.system_prompt,
  model = excluded.model, color = excluded.color, sampling = excluded.sampling, memory = excluded.memory,
  search_tool = excluded.search_tool, is_built_in = excluded.is_built_in, created_at = excluded.created_at,
  updated_at = excluded.updated_at;

-- name: delete(agent_id)!
DELETE FROM agents WHERE id = :agent_id;

-- Emptying an agent bit by bit: each statement takes up to ``bound`` rows, with all that hangs on them. What the
-- rows of one table would drag along at once (snapshots, receipts, windows of vectors) goes before them.

-- name: drain_snapshots(agent_id, bound)!
DELETE FROM index_snapshots WHERE id IN (SELECT id FROM index_snapshots WHERE agent_id = :agent_id LIMIT min(1, :bound));

-- name: drain_embeddings(agent_id, bound)!
DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_receipts(agent_id, bound)!
DELETE FROM receipts WHERE seq IN (SELECT seq FROM receipts WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_turns(agent_id, bound)!
DELETE FROM turns WHERE seq IN (SELECT seq FROM turns WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_conversations(agent_id, bound)!
DELETE FROM conversations WHERE seq IN (SELECT seq FROM conversations WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_facts(agent_id, bound)!
DELETE FROM facts WHERE seq IN (SELECT seq FROM facts WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_episodes(agent_id, bound)!
DELETE FROM episodes WHERE seq IN (SELECT seq FROM episodes WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_entities(agent_id, bound)!
DELETE FROM entities WHERE seq IN (SELECT seq FROM entities WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_bin(agent_id, bound)!
DELETE FROM bin WHERE seq IN (SELECT seq FROM bin WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_changes(agent_id, bound)!
DELETE FROM run_changes WHERE seq IN (SELECT seq FROM run_changes WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_history(agent_id, bound)!
UPDATE history SET old = NULL, new = NULL, reason = '' WHERE seq IN (
  SELECT seq FROM history
  WHERE agent_id = :agent_id AND (old IS NOT NULL OR new IS NOT NULL OR reason <> '') LIMIT :bound);

-- name: turns(agent_id)$
SELECT count(*) FROM turns WHERE agent_id = :agent_id;

-- name: fact_counts()
SELECT agent_id, count(*) FROM facts WHERE +status = 'active' GROUP BY agent_id;
