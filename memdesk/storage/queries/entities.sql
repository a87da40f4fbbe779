-- name: get(entity_id)^
SELECT n.* FROM entities n WHERE n.id = :entity_id;

-- name: find(agent_id, folded)^
SELECT n.* FROM entities n WHERE n.agent_id = :agent_id AND n.folded = :folded ORDER BY n.seq LIMIT 1;

-- name: find_alias(agent_id, folded)^
SELECT n.* FROM entity_aliases a JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent_id AND a.folded = :folded;

-- name: names(agent_id)
SELECT n.id, n.name, n.seq FROM entities n WHERE n.agent_id = :agent_id
UNION ALL
SELECT n.id, a.name, n.seq FROM entity_aliases a JOIN entities n ON n.id = a.entity_id WHERE a.agent_id = :agent_id
ORDER BY 3;

-- name: persons(agent_id)
SELECT n.name FROM entities n WHERE n.agent_id = :agent_id AND n.type = 'person'
UNION
SELECT a.name FROM entity_aliases a JOIN entities n ON n.id = a.entity_id
WHERE a.agent_id = :agent_id AND n.type = 'person';

-- name: aliases(entity_id)
SELECT a.name FROM entity_aliases a WHERE a.entity_id = :entity_id ORDER BY a.name;

-- name: drop_aliases(entity_id)!
DELETE FROM entity_aliases WHERE entity_id = :entity_id;

-- name: add_alias*!
INSERT INTO entity_aliases (agent_id, folded, name, entity_id) VALUES (:agent_id, :folded, :name, :entity_id)
ON CONFLICT (agent_id, folded) DO UPDATE SET name = excluded.name, entity_id = excluded.entity_id;

-- name: move_links(gone, into)!
INSERT OR IGNORE INTO entity_links (entity_id, kind, ref_id)
SELECT :into, kind, ref_id FROM entity_links WHERE entity_id = :gone;

-- name: move_subjects(gone, into)!
UPDATE relations SET subject_id = :into WHERE subject_id = :gone;

-- name: move_objects(gone, into)!
UPDATE relations SET object_id = :into WHERE object_id = :gone;

-- name: part_links(gone, into, links)!
INSERT OR IGNORE INTO entity_links (entity_id, kind, ref_id)
SELECT :gone, l.kind, l.ref_id FROM json_each(:links) wanted
JOIN entity_links l ON l.entity_id = :into AND l.kind = wanted.value ->> 0 AND l.ref_id = wanted.value ->> 1;

-- name: drop_links(into, links)!
DELETE FROM entity_links
WHERE entity_id = :into AND (kind, ref_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:links));

-- name: part_subjects(gone, into, ids)!
UPDATE relations SET subject_id = :gone WHERE subject_id = :into AND id IN (SELECT value FROM json_each(:ids));

-- name: part_objects(gone, into, ids)!
UPDATE relations SET object_id = :gone WHERE object_id = :into AND id IN (SELECT value FROM json_each(:ids));

-- name: put!
INSERT INTO entities (id, agent_id, name, type, mention_count, created_at, updated_at, folded)
VALUES (:id, :agent_id, :name, :type, :mention_count, :created_at, :updated_at, :folded)
ON CONFLICT (id) DO UPDATE SET
  agent_id = excluded.agent_id, name = excluded.name, type = excluded.type, mention_count = excluded.mention_count,
  created_at = excluded.created_at, updated_at = excluded.updated_at, folded = excluded.folded;

-- name: delete(ids)!
DELETE FROM entities WHERE id IN (SELECT value FROM json_each(:ids));

-- name: link(entity_id, kind, ref_id)!
INSERT OR IGNORE INTO entity_links (entity_id, kind, ref_id) VALUES (:entity_id, :kind, :ref_id);

-- name: unlink(fact_id, ids)!
DELETE FROM entity_links
WHERE kind = 'fact' AND ref_id = :fact_id AND entity_id IN (SELECT value FROM json_each(:ids));

-- name: untell(fact_id)!
DELETE FROM relations WHERE fact_id = :fact_id;

-- name: links(entity_id)
SELECT kind, ref_id FROM entity_links WHERE entity_id = :entity_id ORDER BY kind, ref_id;

-- name: of(kind, ref_id)
SELECT n.* FROM entity_links l JOIN entities n ON n.id = l.entity_id
WHERE l.kind = :kind AND l.ref_id = :ref_id
ORDER BY n.seq;

-- name: named_by(kind, ids)
SELECT n.* FROM entities n WHERE n.id IN (
  SELECT l.entity_id FROM json_each(:ids) wanted
  CROSS JOIN entity_links l INDEXED BY entity_links_by_ref ON l.kind = :kind AND l.ref_id = wanted.value)
ORDER BY n.seq;

-- name: relate!
INSERT INTO relations (id, agent_id, subject_id, predicate, object_id, fact_id, created_at)
VALUES (:id, :agent_id, :subject_id, :predicate, :object_id, :fact_id, :created_at)
ON CONFLICT (id) DO UPDATE SET
  agent_id = excluded.agent_id, subject_id = excluded.subject_id, predicate = excluded.predicate,
  object_id = excluded.object_id, fact_id = excluded.fact_id, created_at = excluded.created_at;

-- name: unrelate(ids)!
DELETE FROM relations WHERE id IN (SELECT value FROM json_each(:ids));

-- name: relations(entity_id)
-- Without relations from facts that no longer count.
SELECT r.* FROM relations r LEFT JOIN items i ON i.id = r.fact_id
WHERE (r.subject_id = :entity_id OR r.object_id = :entity_id) AND coalesce(i.status, 'active') = 'active'
ORDER BY r.id;

-- name: where_agent_id!
n.agent_id = :agent_id;

-- name: where_type!
n.type = :type;

-- name: where_like!
n.folded LIKE :like ESCAPE '\'
OR n.id IN (SELECT a.entity_id FROM entity_aliases a WHERE a.folded LIKE :like ESCAPE '\');
