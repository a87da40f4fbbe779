-- name: space(model)$
SELECT id FROM spaces WHERE model = :model;

-- name: add_space(model)!
INSERT OR IGNORE INTO spaces (model) VALUES (:model);

-- name: put*!
INSERT INTO embeddings (kind, seq, space_id, agent_id, content_hash, vector)
VALUES (:kind, :seq, :space_id, :agent_id, :content_hash, :vector)
ON CONFLICT (kind, seq, space_id) DO UPDATE SET
  agent_id = excluded.agent_id, content_hash = excluded.content_hash, vector = excluded.vector;

-- name: close_gaps(kind, seqs)!
DELETE FROM embedding_gaps WHERE kind = :kind AND seq IN (SELECT value FROM json_each(:seqs));

-- name: load(agent_id, kind, space_id, after_seq, wanted)
SELECT m.seq, m.vector FROM embeddings m
WHERE m.agent_id = :agent_id AND m.kind = :kind AND m.space_id = :space_id AND m.seq > :after_seq
ORDER BY m.seq
LIMIT :wanted;

-- name: models()
SELECT model FROM spaces;

-- name: cached(space_id, hashes)
SELECT m.content_hash, m.vector FROM embeddings m
WHERE m.space_id = :space_id AND m.content_hash IN (SELECT value FROM json_each(:hashes));

-- name: drop_other_models(model)!
DELETE FROM embeddings WHERE space_id IN (SELECT id FROM spaces WHERE model <> :model);

-- name: drop_other_spaces(model)!
DELETE FROM spaces WHERE model <> :model;

-- name: drop_other_snapshots(model)!
DELETE FROM index_snapshots WHERE model <> :model;

-- name: counts()
SELECT m.kind, p.model, count(*) FROM embeddings m JOIN spaces p ON p.id = m.space_id GROUP BY m.kind, p.model;

-- name: count(agent_id, kind, space_id)$
SELECT count(*) FROM embeddings m WHERE m.agent_id = :agent_id AND m.kind = :kind AND m.space_id = :space_id;

-- name: gaps_turn!
SELECT t.agent_id, t.seq FROM embedding_gaps g JOIN turns t ON t.seq = g.seq WHERE g.kind = :kind;

-- name: gaps_episode!
SELECT t.agent_id, t.seq FROM embedding_gaps g JOIN episodes t ON t.seq = g.seq WHERE g.kind = :kind;

-- name: gaps_detail!
SELECT e.agent_id, t.seq FROM embedding_gaps g JOIN episode_details t ON t.seq = g.seq
JOIN episodes e ON e.id = t.episode_id WHERE g.kind = :kind;

-- name: gaps_fact!
SELECT t.agent_id, t.seq FROM embedding_gaps g JOIN facts t ON t.seq = g.seq WHERE g.kind = :kind;

-- name: rows_turn!
SELECT t.agent_id, t.seq FROM turns t WHERE t.seq > :floor;

-- name: rows_episode!
SELECT t.agent_id, t.seq FROM episodes t WHERE t.seq > :floor;

-- name: rows_detail!
SELECT e.agent_id, t.seq FROM episode_details t JOIN episodes e ON e.id = t.episode_id WHERE t.seq > :floor;

-- name: rows_fact!
SELECT t.agent_id, t.seq FROM facts t WHERE t.seq > :floor;

-- name: without_vector!
NOT EXISTS (SELECT 1 FROM embeddings m WHERE m.kind = :kind AND m.seq = t.seq AND m.space_id = :space_id);

-- name: last_seq(table)$
SELECT seq FROM sqlite_sequence WHERE name = :table;

-- name: put_snapshot_part(agent_id, kind, model, part, edition, size, data)!
INSERT INTO index_snapshots (agent_id, kind, model, part, edition, size, data)
VALUES (:agent_id, :kind, :model, :part, :edition, :size, :data)
ON CONFLICT (agent_id, kind, model, part) DO UPDATE SET
  edition = excluded.edition, size = excluded.size, data = excluded.data;

-- name: drop_later_parts(agent_id, kind, model, part)!
DELETE FROM index_snapshots
WHERE agent_id = :agent_id AND kind = :kind AND model = :model AND part > :part;

-- name: snapshot(agent_id, kind, model)
SELECT edition, size, data FROM index_snapshots
WHERE agent_id = :agent_id AND kind = :kind AND model = :model
ORDER BY part;

-- name: strays()$
SELECT count(*) FROM embeddings e WHERE NOT CASE e.kind
  WHEN 'fact' THEN EXISTS (SELECT 1 FROM facts r WHERE r.seq = e.seq)
  WHEN 'episode' THEN EXISTS (SELECT 1 FROM episodes r WHERE r.seq = e.seq)
  WHEN 'detail' THEN EXISTS (SELECT 1 FROM episode_details r WHERE r.seq = e.seq)
  ELSE EXISTS (SELECT 1 FROM turns r WHERE r.seq = e.seq) END;
