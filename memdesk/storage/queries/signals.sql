-- name: add_few!
INSERT INTO signals (
  id, turn_id, agent_id, conversation_id, status, attempts, last_error, next_try_at, created_at)
VALUES;

-- name: pending(agent_id, conversation_id)
SELECT s.* FROM signals s
WHERE s.status = 'pending' AND s.agent_id = :agent_id AND s.conversation_id = :conversation_id
ORDER BY s.seq;

-- name: of_turns(ids)
SELECT DISTINCT turn_id FROM signals WHERE turn_id IN (SELECT value FROM json_each(:ids));

-- name: sessions(status)
SELECT agent_id, conversation_id, count(*) FROM signals
WHERE status = :status
GROUP BY agent_id, conversation_id
ORDER BY min(seq);

-- name: mark(ids, status, attempts, last_error, next_try_at)!
UPDATE signals SET
  status = :status, attempts = coalesce(:attempts, attempts), last_error = :last_error, next_try_at = :next_try_at
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: counts()
SELECT status, count(*) FROM signals GROUP BY status;

-- name: unread(status)
SELECT count(*), min(created_at),
  (SELECT last_error FROM signals WHERE status = :status ORDER BY coalesce(next_try_at, 0) DESC, seq DESC LIMIT 1)
FROM signals WHERE status = :status AND (status = 'parked' OR last_error <> '');

-- name: where_status!
s.status = :status;
