-- name: get(run_id)^
SELECT r.* FROM runs r WHERE r.id = :run_id;

-- name: put!
INSERT INTO runs (id, kind, trigger, status, dry_run, counts, message, started_at, finished_at, undone_at)
VALUES (:id, :kind, :trigger, :status, :dry_run, :counts, :message, :started_at, :finished_at, :undone_at)
ON CONFLICT (id) DO UPDATE SET
  kind = excluded.kind, trigger = excluded.trigger, status = excluded.status, dry_run = excluded.dry_run,
  counts = excluded.counts, message = excluded.message, started_at = excluded.started_at,
  finished_at = excluded.finished_at, undone_at = excluded.undone_at;

-- name: add_changes*!
INSERT INTO run_changes (run_id, action, kind, ref_id, agent_id, before, after, reason)
VALUES (:run_id, :action, :kind, :ref_id, :agent_id, :before, :after, :reason);

-- name: add_blocks*!
INSERT INTO run_changes (run_id, action, kind, ref_id, agent_id, reason, held, block)
VALUES (:run_id, :action, :kind, '', :agent_id, '', :held, :block);

-- name: changes_from(run_id, seq, limit)
SELECT c.* FROM run_changes c WHERE c.run_id = :run_id AND c.seq >= :seq ORDER BY c.seq LIMIT :limit;

-- name: changes_held(run_id)$
SELECT coalesce(sum(held), 0) FROM run_changes WHERE run_id = :run_id;

-- name: purge_changes(before, limit)!
DELETE FROM run_changes WHERE seq IN (
  SELECT c.seq FROM runs r JOIN run_changes c ON c.run_id = r.id WHERE r.finished_at < :before LIMIT :limit);

-- name: forget_changes(kind, ids)!
DELETE FROM run_changes WHERE kind = :kind AND ref_id IN (SELECT value FROM json_each(:ids));

-- name: forget_bin(kind, ids)!
DELETE FROM bin WHERE kind = :kind AND ref_id IN (SELECT value FROM json_each(:ids));

-- name: bin_add*!
INSERT INTO bin (kind, ref_id, run_id, agent_id, payload, expires_at)
VALUES (:kind, :ref_id, :run_id, :agent_id, :payload, :expires_at)
ON CONFLICT (kind, ref_id) DO UPDATE SET
  run_id = excluded.run_id, agent_id = excluded.agent_id, payload = excluded.payload,
  expires_at = excluded.expires_at;

-- name: bin_delete*!
DELETE FROM bin WHERE kind = :kind AND ref_id = :ref_id;

-- name: bin_expired(before)
SELECT kind, ref_id FROM bin WHERE expires_at <= :before ORDER BY expires_at, seq;

-- name: where_kind!
r.kind = :kind;

-- name: where_agent_id!
b.agent_id = :agent_id;
