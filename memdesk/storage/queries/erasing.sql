-- Rows by number, with all that depends on them.

-- name: rows_receipts(seqs)
DELETE FROM receipts WHERE seq IN (SELECT value FROM json_each(:seqs)) RETURNING agent_id, id;

-- name: rows_facts(seqs)
DELETE FROM items WHERE seq IN (SELECT value FROM json_each(:seqs)) RETURNING agent_id, id;

-- name: rows_episodes(seqs)
DELETE FROM items WHERE seq IN (SELECT value FROM json_each(:seqs)) RETURNING agent_id, id;

-- name: rows_turns(seqs)
DELETE FROM turns WHERE seq IN (SELECT value FROM json_each(:seqs)) RETURNING agent_id, id;

-- name: rows_entities(seqs)
DELETE FROM entities WHERE seq IN (SELECT value FROM json_each(:seqs)) RETURNING agent_id, id;

-- name: rows_identity(seqs)
DELETE FROM items WHERE seq IN (SELECT value FROM json_each(:seqs)) RETURNING coalesce(source_agent_id, ''), id;

-- name: rows_conversations(seqs)
DELETE FROM conversations WHERE seq IN (SELECT value FROM json_each(:seqs)) AND NOT EXISTS (
  SELECT 1 FROM turns t WHERE t.agent_id = conversations.agent_id AND t.conversation_id = conversations.id)
RETURNING agent_id, id;

-- name: drain_links(seqs, bound)!
DELETE FROM entity_links WHERE (entity_id, kind, ref_id) IN (
  SELECT entity_id, kind, ref_id FROM entity_links
  WHERE entity_id IN (SELECT id FROM entities WHERE seq IN (SELECT value FROM json_each(:seqs))) LIMIT :bound);

-- name: drain_relations(seqs, bound)!
DELETE FROM relations WHERE seq IN (
  SELECT r.seq FROM entities n JOIN relations r ON r.subject_id = n.id OR r.object_id = n.id
  WHERE n.seq IN (SELECT value FROM json_each(:seqs)) LIMIT :bound);

-- Texts that may have been copied, by row: number, kind and id of their subject, and the texts.

-- name: texts_history(agents, after, bound)
SELECT seq, kind, ref_id, old, new, reason FROM history
WHERE agent_id IN (SELECT value FROM json_each(:agents)) AND seq > :after
  AND (old IS NOT NULL OR new IS NOT NULL OR reason <> '')
ORDER BY seq LIMIT :bound;

-- name: texts_changes(agents, after, bound)
SELECT seq, kind, ref_id, before, after, reason FROM run_changes
WHERE seq > :after AND agent_id IN (SELECT value FROM json_each(:agents)) AND block IS NULL
ORDER BY seq LIMIT :bound;

-- name: texts_bin(agents, after, bound)
SELECT seq, kind, ref_id, payload, NULL, '' FROM bin
WHERE seq > :after AND agent_id IN (SELECT value FROM json_each(:agents))
ORDER BY seq LIMIT :bound;

-- name: texts_reasons(agents, after, bound)
SELECT seq, 'fact', id, NULL, NULL, reason FROM facts
WHERE seq > :after AND agent_id IN (SELECT value FROM json_each(:agents)) AND reason <> ''
ORDER BY seq LIMIT :bound;

-- name: blank_history(seqs)!
UPDATE history SET old = NULL, new = NULL, reason = '' WHERE seq IN (SELECT value FROM json_each(:seqs));

-- name: blank_changes(seqs)!
DELETE FROM run_changes WHERE seq IN (SELECT value FROM json_each(:seqs));

-- name: blank_bin(seqs)!
DELETE FROM bin WHERE seq IN (SELECT value FROM json_each(:seqs));

-- name: blank_reasons(seqs)!
UPDATE items SET reason = '' WHERE seq IN (SELECT value FROM json_each(:seqs));

-- name: receipts_of(agent_id, conversation_id)
SELECT seq FROM receipts WHERE agent_id = :agent_id AND conversation_id = :conversation_id;

-- name: asked(agents)
SELECT id, query FROM receipts WHERE agent_id IN (SELECT value FROM json_each(:agents)) AND query <> '';

-- name: shown(agents)
SELECT DISTINCT i.kind, i.ref_id, i.line, i.quote FROM receipts r JOIN receipt_items i ON i.receipt_seq = r.seq
WHERE r.agent_id IN (SELECT value FROM json_each(:agents));

-- name: showing(kind, ref_id)
SELECT DISTINCT r.id FROM receipt_items i JOIN receipts r ON r.seq = i.receipt_seq
WHERE i.kind = :kind AND i.ref_id = :ref_id;

-- name: thread(agent_id, conversation_id)$
SELECT seq FROM conversations WHERE agent_id = :agent_id AND id = :conversation_id;

-- name: seqs_receipts(ids)
SELECT seq FROM receipts WHERE id IN (SELECT value FROM json_each(:ids));

-- name: seqs_identity(ids)
SELECT seq FROM identity WHERE id IN (SELECT value FROM json_each(:ids));

-- name: seqs_entities(ids)
SELECT seq FROM entities WHERE id IN (SELECT value FROM json_each(:ids));

-- name: all_turns(agent_id)
SELECT seq FROM turns WHERE agent_id = :agent_id;

-- name: all_items(agent_id)
SELECT seq FROM items WHERE agent_id = :agent_id AND collection = '';

-- Empty an agent in steps: each statement deletes up to ``bound`` rows, with all that depends on them. Large
-- dependents (snapshots, receipts, windows of vectors) are deleted first.

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
DELETE FROM items WHERE seq IN (SELECT seq FROM facts WHERE agent_id = :agent_id LIMIT :bound);

-- name: drain_episodes(agent_id, bound)!
DELETE FROM items WHERE seq IN (SELECT seq FROM episodes WHERE agent_id = :agent_id LIMIT :bound);

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
