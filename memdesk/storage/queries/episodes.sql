-- Episodes are items of form "episode". A detail is a statement kept with its episode.

-- name: holding(agent_id, match)
-- CROSS JOIN keeps SQLite from walking all items of the agent to look for hits among them.
SELECT i.id FROM items_fts h CROSS JOIN items i ON i.seq = h.rowid
WHERE items_fts MATCH :match AND i.collection = '' AND i.form = 'episode' AND i.agent_id = :agent_id
UNION
SELECT i.id FROM items_fts h CROSS JOIN items d ON d.seq = h.rowid CROSS JOIN items i ON i.id = d.parent_id
WHERE items_fts MATCH :match AND d.form = 'statement' AND d.tier = 'kept'
  AND i.collection = '' AND i.form = 'episode' AND i.agent_id = :agent_id;

-- name: holding_like(agent_id, pattern)
SELECT i.id FROM items i INDEXED BY episodes_by_agent_end
WHERE i.collection = '' AND i.form = 'episode' AND i.agent_id = :agent_id AND (
  i.content LIKE :pattern ESCAPE '\' OR i.tags LIKE :pattern ESCAPE '\' OR i.entities LIKE :pattern ESCAPE '\'
  OR i.decisions LIKE :pattern ESCAPE '\' OR i.action_items LIKE :pattern ESCAPE '\'
  OR EXISTS (
    SELECT 1 FROM items d
    WHERE d.parent_id = i.id AND d.form = 'statement' AND d.tier = 'kept' AND d.content LIKE :pattern ESCAPE '\'));

-- name: detail_days(episode_id)
SELECT id, dated FROM items WHERE parent_id = :episode_id AND form = 'statement' AND tier = 'kept';

-- name: drop_details(ids)!
DELETE FROM items WHERE id IN (SELECT value FROM json_each(:ids));

-- name: put_details(rows)!
-- One statement for all of them, see ``add`` of turns; unchanged rows are not written, and what has become a fact
-- stays one.
INSERT INTO items (
  form, tier, type, status, origin, id, agent_id, run_id, kind, content, dated, salience, parent_id, position,
  created_at, updated_at, subject, predicate, object, attribute, holds, ended, modality, tense, qualifiers, speaker,
  said_at, quote, language, replaces, provenance)
SELECT 'statement', 'kept', 'factual', 'active', 'distiller',
  value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->>
  8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16,
  value ->> 17, value ->> 18, value ->> 19, value ->> 20, value ->> 21, value ->> 22, value ->> 23, value ->> 24,
  value ->> 25
FROM json_each(:rows)
WHERE true
ORDER BY key
ON CONFLICT (id) DO UPDATE SET
  parent_id = excluded.parent_id, position = excluded.position, content = excluded.content, kind = excluded.kind,
  dated = excluded.dated, subject = excluded.subject, predicate = excluded.predicate, object = excluded.object,
  attribute = excluded.attribute, holds = excluded.holds, ended = excluded.ended, modality = excluded.modality,
  tense = excluded.tense, qualifiers = excluded.qualifiers, speaker = excluded.speaker, said_at = excluded.said_at,
  quote = excluded.quote, language = excluded.language, replaces = excluded.replaces
WHERE items.tier = 'kept' AND
  (items.parent_id, items.position, items.content, items.kind, items.dated, items.subject, items.predicate,
  items.object, items.qualifiers)
  IS NOT (
  excluded.parent_id, excluded.position, excluded.content, excluded.kind, excluded.dated, excluded.subject,
  excluded.predicate, excluded.object, excluded.qualifiers);

-- name: place_facts(rows)!
-- Facts stated in an episode follow it when it is merged into another; their text stays.
UPDATE items SET
  parent_id = (SELECT r.value ->> 1 FROM json_each(:rows) r WHERE r.value ->> 0 = items.id),
  position = (SELECT r.value ->> 2 FROM json_each(:rows) r WHERE r.value ->> 0 = items.id)
WHERE tier = 'pinned' AND id IN (SELECT r.value ->> 0 FROM json_each(:rows) r);

-- name: drop_detail_sources(episode_id)!
DELETE FROM item_sources WHERE item_seq IN (
  SELECT seq FROM items WHERE parent_id = :episode_id AND form = 'statement' AND tier = 'kept');

-- name: add_detail_sources(rows)!
INSERT INTO item_sources (item_seq, position, turn_id, quote)
SELECT d.seq, t.key, t.value, ''
FROM json_each(:rows) r JOIN items d ON d.id = r.value ->> 0 AND d.form = 'statement' AND d.tier = 'kept'
JOIN json_each(r.value ->> 1) t;

-- name: where_agent_id!
i.agent_id = :agent_id;

-- name: where_status!
i.status = :status;

-- name: where_since!
i.ended_at >= :since;

-- name: where_until!
i.started_at < :until;

-- name: where_entity_id!
i.id IN (SELECT ref_id FROM entity_links WHERE entity_id = :entity_id AND kind = 'episode');

-- name: where_match!
i.seq IN (SELECT rowid FROM items_fts WHERE items_fts MATCH :match) OR i.id IN (
  SELECT d.parent_id FROM items_fts h JOIN items d ON d.seq = h.rowid
  WHERE items_fts MATCH :match AND d.form = 'statement' AND d.tier = 'kept');

-- name: where_like!
i.content LIKE :pattern ESCAPE '\';
