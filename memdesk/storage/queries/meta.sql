-- name: get(key)$
SELECT value FROM meta WHERE key = :key;

-- name: put(key, value)!
INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: delete(key)!
DELETE FROM meta WHERE key = :key;

-- name: prefix(prefix)
SELECT key, value FROM meta
WHERE key >= :prefix AND key < :prefix || char(0x10ffff) AND substr(key, 1, length(:prefix)) = :prefix ORDER BY key;

-- name: drop(prefix, bound)!
DELETE FROM meta WHERE key IN (
  SELECT key FROM meta WHERE key >= :prefix AND key < :prefix || char(0x10ffff)
    AND substr(key, 1, length(:prefix)) = :prefix LIMIT :bound);

-- name: add_activity*!
INSERT INTO activity (at, token_name, method, route, agent_id, status, ms)
VALUES (:at, :token_name, :method, :route, :agent_id, :status, :ms);

-- name: trim_activity(keep)!
DELETE FROM activity WHERE seq <= (SELECT max(seq) FROM activity) - :keep;

-- name: asked
SELECT token_name, method, route, count(*), max(at) FROM activity WHERE token_name <> '' AND status < 400
GROUP BY token_name, method, route ORDER BY max(at) DESC;

-- name: activity(limit)
SELECT at, token_name, method, route, agent_id, status, ms FROM activity ORDER BY seq DESC LIMIT :limit;
