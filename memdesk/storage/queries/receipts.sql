-- name: get(receipt_id)^
SELECT r.* FROM receipts r WHERE r.id = :receipt_id;

-- name: items(seqs)
SELECT i.* FROM receipt_items i
WHERE i.receipt_seq IN (SELECT value FROM json_each(:seqs))
ORDER BY i.receipt_seq, i.is_left_out, i.position;

-- name: put<!
INSERT INTO receipts (
  id, agent_id, query, section, rule, tokens, budget_tokens, block, mode, filled_from, conversation_id, turn_id,
  elapsed_ms, created_at)
VALUES (
  :id, :agent_id, :query, :section, :rule, :tokens, :budget_tokens, :block, :mode, :filled_from, :conversation_id,
  :turn_id, :elapsed_ms, :created_at)
ON CONFLICT (id) DO UPDATE SET
  agent_id = excluded.agent_id, query = excluded.query, section = excluded.section, rule = excluded.rule,
  tokens = excluded.tokens, budget_tokens = excluded.budget_tokens, block = excluded.block, mode = excluded.mode,
  filled_from = excluded.filled_from, conversation_id = excluded.conversation_id, turn_id = excluded.turn_id,
  elapsed_ms = excluded.elapsed_ms, created_at = excluded.created_at
RETURNING seq;

-- name: drop_items(receipt_seq)!
DELETE FROM receipt_items WHERE receipt_seq = :receipt_seq;

-- name: add_items(receipt_seq, rows)!
INSERT INTO receipt_items (
  receipt_seq, is_left_out, position, kind, ref_id, line, score, tokens, date, conversation_id, quote, left_out)
SELECT
  :receipt_seq, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
  value ->> 8, value ->> 9, value ->> 10
FROM json_each(:rows);

-- name: scrub_blocks(kind, ids)!
UPDATE receipts SET block = '' WHERE seq IN (
  SELECT i.receipt_seq FROM receipt_items i
  WHERE i.kind = :kind AND i.ref_id IN (SELECT value FROM json_each(:ids)));

-- name: scrub_items(kind, ids)!
UPDATE receipt_items SET line = '', quote = ''
WHERE kind = :kind AND ref_id IN (SELECT value FROM json_each(:ids));

-- name: where_agent_id!
r.agent_id = :agent_id;

-- name: where_conversation_id!
r.conversation_id = :conversation_id;
