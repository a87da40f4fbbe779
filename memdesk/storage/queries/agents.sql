-- name: get(agent_id)^
SELECT * FROM agents WHERE id = :agent_id;

-- name: all()
SELECT * FROM agents ORDER BY is_built_in DESC, name COLLATE NOCASE, id;

-- name: put!
INSERT INTO agents (
  id, name, description, system_prompt, model, color, sampling, memory, search_tool, is_built_in, created_at, updated_at,
  shares_identity)
VALUES (
  :id, :name, :description, :system_prompt, :model, :color, :sampling, :memory, :search_tool, :is_built_in,
  :created_at, :updated_at, :shares_identity)
ON CONFLICT (id) DO UPDATE SET
  name = excluded.name, description = excluded.description, system_prompt = excluded.system_prompt,
  model = excluded.model, color = excluded.color, sampling = excluded.sampling, memory = excluded.memory,
  search_tool = excluded.search_tool, is_built_in = excluded.is_built_in, created_at = excluded.created_at,
  updated_at = excluded.updated_at, shares_identity = excluded.shares_identity;

-- name: delete(agent_id)!
DELETE FROM agents WHERE id = :agent_id;

-- name: turns(agent_id)$
SELECT count(*) FROM turns WHERE agent_id = :agent_id;

-- name: fact_counts()
SELECT agent_id, count(*) FROM facts WHERE +status = 'active' GROUP BY agent_id;
