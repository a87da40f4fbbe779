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

-- name: drop_blank(space_id)!
DELETE FROM embeddings WHERE space_id = :space_id AND vector = zeroblob(length(vector));

-- name: counts()
SELECT m.kind, p.model, count(*) FROM embeddings m JOIN spaces p ON p.id = m.space_id GROUP BY m.kind, p.model;

-- name: count(agent_id, kind, space_id)$
SELECT count(*) FROM embeddings m WHERE m.agent_id = :agent_id AND m.kind = :kind AND m.space_id = :space_id;

-- name: among_fact(seqs)$
SELECT json_group_array(t.seq) FROM stated t WHERE t.seq IN (SELECT value FROM json_each(:seqs));

-- name: target_fact(agent_id)$
SELECT count(*) FROM facts t WHERE t.agent_id = :agent_id;

-- name: among_episode(seqs)$
SELECT json_group_array(t.seq) FROM episodes t WHERE t.seq IN (SELECT value FROM json_each(:seqs));

-- name: few_episode(agent_id, wanted)$
SELECT json_group_array(seq) FROM (
  SELECT t.seq FROM items t INDEXED BY episodes_by_state
  WHERE t.collection = '' AND t.form = 'episode' AND t.agent_id = :agent_id LIMIT :wanted);

-- name: few_detail(agent_id, wanted)$
-- With facts first stated in an episode: telling them apart would read each row.
SELECT json_group_array(seq) FROM (
  SELECT d.seq FROM items e INDEXED BY episodes_by_state CROSS JOIN items d ON d.parent_id = e.id
  WHERE e.collection = '' AND e.form = 'episode' AND e.agent_id = :agent_id LIMIT :wanted);

-- name: target_episode(agent_id)$
SELECT count(*) FROM episodes t WHERE t.agent_id = :agent_id;

-- name: among_detail(seqs)$
SELECT json_group_array(t.seq) FROM episode_details t WHERE t.seq IN (SELECT value FROM json_each(:seqs));

-- name: target_detail(agent_id)$
SELECT count(*) FROM episode_details t WHERE t.agent_id = :agent_id;

-- name: gaps_turn!
SELECT t.agent_id, t.seq FROM embedding_gaps g JOIN turns t ON t.seq = g.seq WHERE g.kind = :kind;

-- name: gaps_item!
SELECT t.agent_id, t.seq FROM embedding_gaps g JOIN items t ON t.seq = g.seq
WHERE g.kind = :kind AND t.agent_id IS NOT NULL AND t.collection = '';

-- name: rows_turn!
SELECT t.agent_id, t.seq FROM turns t WHERE t.seq > :floor;

-- name: rows_item!
SELECT t.agent_id, t.seq FROM items t WHERE t.seq > :floor AND t.agent_id IS NOT NULL AND t.collection = '';

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
  WHEN 'item' THEN EXISTS (SELECT 1 FROM items r WHERE r.seq = e.seq)
  ELSE EXISTS (SELECT 1 FROM turns r WHERE r.seq = e.seq) END;
