-- name: add*!
INSERT INTO history (id, agent_id, kind, ref_id, action, actor, actor_detail, old, new, reason, at)
VALUES (:id, :agent_id, :kind, :ref_id, :action, :actor, :actor_detail, :old, :new, :reason, :at);

-- name: get(entry_id)^
SELECT h.* FROM history h WHERE h.id = :entry_id;

-- name: alike(kind, action, actor, actor_detail, at, before, bound)
SELECT h.* FROM history h
WHERE +h.kind = :kind AND h.at = :at AND h.action = :action AND h.actor = :actor AND h.actor_detail = :actor_detail
  AND h.old IS NOT NULL AND h.seq < :before
ORDER BY h.seq DESC LIMIT :bound;

-- name: count_alike(kind, action, actor, actor_detail, at)$
SELECT count(*) FROM history h
WHERE +h.kind = :kind AND h.at = :at AND h.action = :action AND h.actor = :actor AND h.actor_detail = :actor_detail
  AND h.old IS NOT NULL;

-- name: since(agent_id, kind, at, bound)
SELECT h.* FROM history h
WHERE agent_id = :agent_id AND kind = :kind AND at > :at AND old IS NOT NULL
  AND (json_type(old, '$.content') IS NOT NULL OR json_type(old, '$.status') IS NOT NULL)
ORDER BY seq LIMIT :bound;

-- name: of_program(detail, begins)
SELECT h.* FROM history h
WHERE h.actor = 'api' AND h.kind <> 'item' AND (h.actor_detail = :detail OR substr(h.actor_detail, 1, length(:begins)) = :begins)
ORDER BY h.seq DESC;

-- name: writers
SELECT h.actor_detail, count(*), max(h.at) FROM history h
WHERE h.actor = 'api' AND h.kind <> 'item' AND h.actor_detail <> '' GROUP BY h.actor_detail;

-- name: scrub(kind, ids)!
UPDATE history SET old = NULL, new = NULL, reason = ''
WHERE kind = :kind AND ref_id IN (SELECT value FROM json_each(:ids));

-- name: where_kind!
h.kind = :kind;

-- name: where_ref_id!
h.ref_id = :ref_id;

-- name: where_agent_id!
h.agent_id = :agent_id;

-- name: forget_items(agent_id)!
DELETE FROM history WHERE kind = 'item' AND agent_id = :agent_id;
