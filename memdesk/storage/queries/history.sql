-- name: add*!
INSERT INTO history (id, agent_id, kind, ref_id, action, actor, actor_detail, old, new, reason, at)
VALUES (:id, :agent_id, :kind, :ref_id, :action, :actor, :actor_detail, :old, :new, :reason, :at);

-- name: scrub(kind, ids)!
UPDATE history SET old = NULL, new = NULL, reason = ''
WHERE kind = :kind AND ref_id IN (SELECT value FROM json_each(:ids));

-- name: scrub_joined(agents, texts)!
UPDATE history SET old = NULL, new = NULL, reason = ''
WHERE agent_id IN (SELECT value FROM json_each(:agents)) AND action IN ('merge', 'undo')
  AND EXISTS (SELECT 1 FROM json_each(:texts) AS text WHERE instr(old, text.value) OR instr(new, text.value));

-- name: scrub_agent(agent_id)!
UPDATE history SET old = NULL, new = NULL, reason = '' WHERE agent_id = :agent_id;

-- name: where_kind!
h.kind = :kind;

-- name: where_ref!
h.ref_id = :ref_id;

-- name: where_agent!
h.agent_id = :agent_id;
