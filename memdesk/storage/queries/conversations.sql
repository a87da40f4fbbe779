-- name: get(agent_id, conversation_id)^
SELECT c.*,
  (SELECT count(*) FROM turns t WHERE t.agent_id = c.agent_id AND t.conversation_id = c.id)
FROM conversations c WHERE c.agent_id = :agent_id AND c.id = :conversation_id;

-- name: instructed
SELECT c.*, (SELECT count(*) FROM turns t WHERE t.agent_id = c.agent_id AND t.conversation_id = c.id)
FROM conversations c WHERE c.overrides ->> 'system_prompt' <> '';

-- name: quiet(agent_id, among)
SELECT c.id FROM json_each(:among) j CROSS JOIN conversations c ON c.agent_id = :agent_id AND c.id = j.value
WHERE c.memory <> 'on';

-- name: columns!
c.*, (SELECT count(*) FROM turns t WHERE t.agent_id = c.agent_id AND t.conversation_id = c.id);

-- name: put!
INSERT INTO conversations (
  agent_id, id, title, memory, pinned, archived, draft, session_date, created_at, updated_at, overrides,
  folder_id)
VALUES (
  :agent_id, :id, :title, :memory, :pinned, :archived, :draft, :session_date, :created_at, :updated_at, :overrides,
  :folder_id)
ON CONFLICT (agent_id, id) DO UPDATE SET
  title = excluded.title, memory = excluded.memory, pinned = excluded.pinned, archived = excluded.archived,
  draft = excluded.draft, session_date = excluded.session_date, created_at = excluded.created_at,
  updated_at = excluded.updated_at, overrides = excluded.overrides, folder_id = excluded.folder_id;

-- name: where_agent_id!
c.agent_id = :agent_id;

-- name: where_archived!
c.archived = :archived;

-- name: where_pinned!
c.pinned = :pinned;

-- name: where_folder!
c.folder_id = :folder;

-- name: where_loose!
NOT EXISTS (SELECT 1 FROM meta m WHERE m.key = 'folder:' || c.folder_id);

-- name: folder_counts
SELECT folder_id, count(*) FROM conversations WHERE folder_id IS NOT NULL GROUP BY folder_id;

-- name: leave_folder(folder_id)!
UPDATE conversations SET folder_id = NULL WHERE folder_id = :folder_id;

-- name: where_match!
c.title LIKE :pattern ESCAPE '\' OR (c.agent_id, c.id) IN (
  SELECT t.agent_id, t.conversation_id FROM turns_fts h JOIN turns t ON t.seq = h.rowid WHERE turns_fts MATCH :match);

-- name: where_like!
c.title LIKE :pattern ESCAPE '\' OR (c.agent_id, c.id) IN (
  SELECT t.agent_id, t.conversation_id FROM turns t WHERE t.content LIKE :pattern ESCAPE '\');

-- name: hits(match, among)
-- The latest message of each thread that matches; the marks say which words of the excerpt do.
SELECT t.agent_id, t.conversation_id, t.id, snippet(turns_fts, 0, char(2), char(3), '…', 16)
FROM turns_fts h JOIN turns t ON t.seq = h.rowid
WHERE turns_fts MATCH :match AND h.rowid IN (
  SELECT max(u.seq) FROM json_each(:among) j
  JOIN turns u ON u.agent_id = j.value ->> 0 AND u.conversation_id = j.value ->> 1
  WHERE u.seq IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH :match)
  GROUP BY u.agent_id, u.conversation_id);

-- name: hits_like(pattern, among)
SELECT u.agent_id, u.conversation_id, u.id, u.content, max(u.seq) FROM json_each(:among) j
JOIN turns u ON u.agent_id = j.value ->> 0 AND u.conversation_id = j.value ->> 1
WHERE u.content LIKE :pattern ESCAPE '\' GROUP BY u.agent_id, u.conversation_id;
