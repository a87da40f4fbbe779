-- Items of all forms; of one collection unless noted.

-- name: many(collection, ids)
SELECT i.* FROM json_each(:ids) wanted JOIN items i ON i.id = wanted.value
WHERE i.collection = :collection ORDER BY wanted.key;

-- name: keyed(collection, user_id, agent_id, run_id, key)^
SELECT i.* FROM items i
WHERE i.collection = :collection AND i.user_id = :user_id AND coalesce(i.agent_id, '') = :agent_id
  AND coalesce(i.run_id, '') = :run_id AND i.key = :key AND i.key <> '';

-- name: by_seq(seqs)
SELECT i.* FROM items i WHERE i.seq IN (SELECT value FROM json_each(:seqs));

-- name: sources(seqs)$
SELECT json_group_array(json_array(s.item_seq, s.turn_id, s.quote) ORDER BY s.item_seq, s.position) FROM item_sources s
WHERE s.item_seq IN (SELECT value FROM json_each(:seqs));

-- name: seq_of(collection, id)$
SELECT seq FROM items WHERE collection = :collection AND id = :id;

-- name: drop_sources(item_seq)!
DELETE FROM item_sources WHERE item_seq = :item_seq;

-- name: add_sources*!
INSERT INTO item_sources (item_seq, position, turn_id, quote) VALUES (:item_seq, :position, :turn_id, :quote);

-- name: drop_tags(item_seq)!
DELETE FROM item_tags WHERE item_seq = :item_seq;

-- name: add_tags*!
INSERT OR IGNORE INTO item_tags (tag, item_seq) VALUES (:tag, :item_seq);

-- name: delete(collection, ids)!
DELETE FROM items WHERE collection = :collection AND id IN (SELECT value FROM json_each(:ids));

-- name: active(agent_id)
-- Facts, and statements that are kept without an episode.
SELECT i.* FROM items i WHERE i.seq IN (
  SELECT seq FROM items WHERE collection = '' AND tier = 'pinned' AND agent_id = :agent_id AND status = 'active'
  UNION ALL
  SELECT seq FROM items
  WHERE collection = '' AND tier = 'kept' AND agent_id = :agent_id AND status = 'active' AND form = 'statement'
    AND parent_id IS NULL)
ORDER BY i.seq;

-- name: active_episodes(agent_id)
SELECT i.* FROM items i
WHERE i.collection = '' AND i.form = 'episode' AND i.agent_id = :agent_id AND i.status = 'active'
ORDER BY i.ended_at, i.seq;

-- name: episodes_of(agent_id, conversation_ids)
SELECT i.* FROM items i
WHERE i.collection = '' AND i.form = 'episode' AND i.agent_id = :agent_id
  AND i.run_id IN (SELECT value FROM json_each(:conversation_ids))
ORDER BY i.started_at, i.seq;

-- name: details(ids)
-- Statements of an episode: its details, and the facts first stated in it.
SELECT i.* FROM items i
WHERE i.form = 'statement' AND i.parent_id IN (SELECT value FROM json_each(:ids))
  AND (i.tier = 'kept' OR (i.tier = 'pinned' AND i.status IN ('active', 'superseded')))
ORDER BY i.parent_id, i.position, i.seq;

-- name: of_attributes(agent_id, attributes)
-- The index has the attribute, so that no other row is read.
SELECT i.* FROM items i INDEXED BY items_by_attribute
WHERE i.collection = '' AND i.tier = 'pinned' AND i.agent_id = :agent_id AND i.attribute <> '' AND i.status = 'active'
  AND i.attribute IN (SELECT value FROM json_each(:attributes))
ORDER BY i.seq;

-- name: named(agent_id)
SELECT DISTINCT subject, CASE attribute WHEN 'name' THEN object ELSE '' END FROM items
WHERE collection = '' AND tier = 'pinned' AND agent_id = :agent_id AND status = 'active' AND (attribute = 'name' OR subject GLOB '* [A-Z]*')
ORDER BY seq;

-- name: spoken(agent_id)
SELECT language FROM items
WHERE collection = '' AND tier = 'pinned' AND agent_id = :agent_id AND language <> ''
ORDER BY created_at DESC, seq DESC LIMIT 1;

-- name: of_conversation(agent_id, conversation_id)
SELECT i.* FROM items i
WHERE i.collection = '' AND i.tier = 'pinned' AND i.agent_id = :agent_id AND i.seq IN (
  SELECT seq FROM items WHERE agent_id = :agent_id AND run_id = :conversation_id
  UNION
  SELECT s.item_seq FROM item_sources s JOIN turns t ON t.id = s.turn_id
  WHERE t.agent_id = :agent_id AND t.conversation_id = :conversation_id)
ORDER BY i.seq;

-- name: absorbed(ids)
SELECT i.* FROM items i WHERE i.superseded_by IN (SELECT value FROM json_each(:ids)) ORDER BY i.seq;

-- name: touch(ids, at)!
UPDATE items SET use_count = use_count + 1, last_used = :at
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: set_salience*!
UPDATE items SET
  salience = :salience, decayed_at = :decayed_at,
  promoted_at = CASE WHEN :keep_promoted THEN promoted_at ELSE :promoted_at END
WHERE id = :id AND (:expected IS NULL OR salience = :expected);

-- name: set_status*!
UPDATE items SET status = :status, reason = :reason, updated_at = :updated_at
WHERE id = :id AND status = :expected_status AND updated_at = :expected_updated_at;

-- name: lines()
-- Lines of every agent, and facts that go with every reply.
SELECT i.* FROM items i WHERE i.seq IN (
  SELECT seq FROM items WHERE collection = '' AND tier = 'always'
  UNION ALL
  SELECT seq FROM items WHERE collection = '' AND tier = 'pinned' AND source_agent_id = agent_id)
ORDER BY i.origin <> 'user', i.seq;

-- name: active_lines()
SELECT i.* FROM items i WHERE i.seq IN (
  SELECT seq FROM items WHERE collection = '' AND tier = 'always' AND status = 'active'
  UNION ALL
  SELECT seq FROM items WHERE collection = '' AND tier = 'pinned' AND source_agent_id = agent_id AND status = 'active')
ORDER BY i.origin <> 'user', i.seq;

-- name: tags(agent_id, most)
SELECT t.tag FROM items i JOIN item_tags t ON t.item_seq = i.seq
WHERE i.collection = '' AND i.tier = 'pinned' AND i.status = 'active' AND (:agent_id IS NULL OR i.agent_id = :agent_id)
GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT :most;

-- name: hidden(seqs, now)
-- Items that are another user's, have expired, or are outside their period of validity.
SELECT i.seq FROM items i
WHERE i.seq IN (SELECT value FROM json_each(:seqs))
  AND (i.user_id <> 'me' OR i.expires_at <= :now OR i.valid_until <= :now OR i.valid_from > :now);

-- name: outdated(turn_ids)
-- Replaced statements in messages, as quoted there, each with the current one after any number of changes.
WITH RECURSIVE later (turn_id, quote, heir, user_id) AS (
  SELECT s.turn_id, s.quote, i.superseded_by, i.user_id FROM item_sources s JOIN items i ON i.seq = s.item_seq
  WHERE s.turn_id IN (SELECT value FROM json_each(:turn_ids)) AND i.collection = '' AND i.status = 'superseded'
  UNION
  SELECT l.turn_id, l.quote, i.superseded_by, l.user_id FROM later l JOIN items i ON i.collection = '' AND i.id = l.heir
  WHERE i.status = 'superseded')
SELECT l.turn_id, l.quote, i.content FROM later l JOIN items i ON i.collection = '' AND i.id = l.heir
WHERE i.status = 'active' AND i.privacy = 'normal' AND i.user_id = l.user_id
ORDER BY l.turn_id, i.seq;

-- name: corrected(agent_id, conversation_ids)
-- What facts said in conversations have said before, each with what the fact, or the one that replaced it, says now.
WITH RECURSIVE said (conversation_id, former, id, user_id, status) AS (
  SELECT run_id, content, id, user_id, status FROM items
  WHERE agent_id = :agent_id AND run_id IN (SELECT value FROM json_each(:conversation_ids)) AND collection = ''),
later (conversation_id, former, heir, user_id) AS (
  SELECT conversation_id, former, id, user_id FROM said WHERE status = 'superseded'
  UNION
  SELECT d.conversation_id, json_extract(h.old, '$.content'), d.id, d.user_id FROM said d
  JOIN history h ON h.kind = 'fact' AND h.ref_id = d.id AND h.action = 'edit'
  WHERE json_extract(h.old, '$.content') IS NOT NULL
  UNION
  SELECT l.conversation_id, l.former, i.superseded_by, l.user_id FROM later l
  JOIN items i ON i.collection = '' AND i.id = l.heir
  WHERE i.status = 'superseded')
SELECT l.conversation_id, l.former, i.content FROM later l JOIN items i ON i.collection = '' AND i.id = l.heir
WHERE i.status = 'active' AND i.privacy = 'normal' AND i.user_id = l.user_id AND i.content <> l.former
ORDER BY l.conversation_id, i.seq;

-- name: private(agent_id)
-- Items marked local-only by hand, and their messages.
SELECT i.id FROM items i INDEXED BY items_private
WHERE i.collection = '' AND i.privacy = 'local_only'
  AND (i.agent_id IS NULL OR i.agent_id = :agent_id OR i.source_agent_id = i.agent_id)
UNION
SELECT s.turn_id FROM items i INDEXED BY items_private CROSS JOIN item_sources s ON s.item_seq = i.seq
WHERE i.collection = '' AND i.privacy = 'local_only'
  AND (i.agent_id IS NULL OR i.agent_id = :agent_id OR i.source_agent_id = i.agent_id);

-- name: private_conversations(agent_id)
-- Conversations whose digests may repeat them.
SELECT DISTINCT i.run_id FROM items i INDEXED BY items_private
WHERE i.collection = '' AND i.privacy = 'local_only' AND i.agent_id = :agent_id AND i.run_id IS NOT NULL
UNION
SELECT t.conversation_id FROM items i INDEXED BY items_private
CROSS JOIN item_sources s ON s.item_seq = i.seq CROSS JOIN turns t ON t.id = s.turn_id
WHERE i.collection = '' AND i.privacy = 'local_only' AND t.agent_id = :agent_id;

-- name: where_collection!
i.collection = :collection;

-- name: where_tag!
i.seq IN (SELECT item_seq FROM item_tags WHERE tag = :tag);

-- name: with_vectors!
SELECT i.seq, i.parent_id IS NOT NULL, i.expires_at, v.vector FROM items i LEFT JOIN item_vectors v ON v.item_seq = i.seq;

-- name: without_vectors!
SELECT i.seq, i.parent_id IS NOT NULL, i.expires_at, NULL FROM items i;

-- name: words(match, lowest, seqs, wanted)
-- "+": matches are looked up among the rows. Without it, full text would be queried for each row.
SELECT rowid, -rank FROM items_fts
WHERE items_fts MATCH :match AND rowid >= :lowest AND +rowid IN (SELECT value FROM json_each(:seqs))
ORDER BY +rank LIMIT :wanted;

-- name: put_vector(item_seq, vector)!
INSERT INTO item_vectors (item_seq, vector) VALUES (:item_seq, :vector)
ON CONFLICT (item_seq) DO UPDATE SET vector = excluded.vector;

-- name: gaps(collection, after, most)
-- Items without a vector.
SELECT i.seq, i.content FROM items i
WHERE i.collection = :collection AND i.seq > :after AND i.seq NOT IN (SELECT item_seq FROM item_vectors)
ORDER BY i.seq LIMIT :most;

-- name: fill(item_seq, content, vector)!
-- Unless it is gone, has another text now, or already has a vector.
INSERT OR IGNORE INTO item_vectors (item_seq, vector)
SELECT seq, :vector FROM items WHERE seq = :item_seq AND content = :content;

-- name: collections()
SELECT name FROM collections ORDER BY name;

-- name: dimensions(name)$
SELECT dimensions FROM collections WHERE name = :name;

-- name: add_collection(name, dimensions)!
INSERT INTO collections (name, dimensions) VALUES (:name, :dimensions) ON CONFLICT DO NOTHING;

-- name: drop_items(name)!
DELETE FROM items WHERE collection = :name;

-- name: drop_collection(name)!
DELETE FROM collections WHERE name = :name;
