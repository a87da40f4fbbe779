-- name: get(line_id)^
SELECT i.* FROM identity i WHERE i.id = :line_id;

-- name: all()
SELECT i.* FROM identity i ORDER BY i.origin <> 'override', i.seq;

-- name: active()
SELECT i.* FROM identity i WHERE i.status = 'active' ORDER BY i.origin <> 'override', i.seq;

-- name: put!
INSERT INTO identity (
  id, content, origin, status, agent_id, conversation_id, sources, superseded_by, created_at, updated_at)
VALUES (
  :id, :content, :origin, :status, :agent_id, :conversation_id, :sources, :superseded_by, :created_at, :updated_at)
ON CONFLICT (id) DO UPDATE SET
  content = excluded.content, origin = excluded.origin, status = excluded.status, agent_id = excluded.agent_id,
  conversation_id = excluded.conversation_id, sources = excluded.sources, superseded_by = excluded.superseded_by,
  created_at = excluded.created_at, updated_at = excluded.updated_at;
