-- name: last_seq()$
SELECT seq FROM sqlite_sequence WHERE name = 'turns';

-- name: add(rows)!
-- One statement for all rows: FTS5 starts a new segment of its index with every statement that fires its
-- trigger, and then merges them; this way thousands of turns make one segment.
INSERT INTO turns (
  seq, id, agent_id, conversation_id, position, role, speaker, content, said_at, created_at, model, receipt_id, usage,
  dated, images, program)
SELECT
  value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15
FROM json_each(:rows)
ORDER BY key;

-- name: add_few!
-- The same for an exchange: binding its values directly takes two thirds of the time.
INSERT INTO turns (
  seq, id, agent_id, conversation_id, position, role, speaker, content, said_at, created_at, model, receipt_id, usage,
  dated, images, program)
VALUES;

-- name: get(turn_id)^
SELECT t.* FROM turns t WHERE t.id = :turn_id;

-- name: many(ids)
SELECT t.* FROM json_each(:ids) wanted JOIN turns t ON t.id = wanted.value ORDER BY wanted.key;

-- name: by_seq(seqs)
SELECT t.* FROM turns t WHERE t.seq IN (SELECT value FROM json_each(:seqs));

-- name: said(seqs)$
-- A single value: each row would release the GIL, and a busy thread would hold it for its whole time slice.
SELECT json_group_array(json_array(
  t.seq, t.id, t.agent_id, t.conversation_id, t.position, t.role, t.speaker, t.content, t.said_at, t.model))
FROM turns t WHERE t.seq IN (SELECT value FROM json_each(:seqs));

-- name: of_conversation(agent_id, conversation_id)
SELECT t.* FROM turns t
WHERE t.agent_id = :agent_id AND t.conversation_id = :conversation_id
ORDER BY t.position, t.seq;

-- name: of_program(detail, begins)
SELECT t.* FROM turns t
WHERE t.program <> '' AND (t.program = :detail OR substr(t.program, 1, length(:begins)) = :begins)
ORDER BY t.seq;

-- name: senders
SELECT t.program, count(*), max(t.created_at) FROM turns t WHERE t.program <> '' GROUP BY t.program;

-- name: next_position(agent_id, conversation_id)$
SELECT coalesce(max(position) + 1, 0) FROM turns
WHERE agent_id = :agent_id AND conversation_id = :conversation_id;

-- name: count_all()$
SELECT count(*) FROM turns;

-- name: count_of(agent_id)$
SELECT count(*) FROM turns WHERE agent_id = :agent_id;

-- name: usage(since)
SELECT date(t.said_at / 1000, 'unixepoch', 'localtime') AS day, t.model, count(*),
  coalesce(sum(t.usage ->> 'prompt_tokens'), 0), coalesce(sum(t.usage ->> 'completion_tokens'), 0),
  coalesce(sum(r.tokens), 0),
  coalesce(sum((t.usage ->> 'prompt_seconds') + (t.usage ->> 'completion_seconds')), 0.0)
FROM turns t LEFT JOIN receipts r ON r.id = t.receipt_id
WHERE t.said_at >= :since AND t.role = 'assistant' AND t.usage <> '{}'
GROUP BY day, t.model ORDER BY day DESC, count(*) DESC, t.model;

-- name: where_agent_id!
t.agent_id = :agent_id;

-- name: where_conversation_id!
t.conversation_id = :conversation_id;

-- name: where_match!
t.seq IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH :match);

-- name: where_like!
t.content LIKE :pattern ESCAPE '\';
