-- The hits of an index are ranked, then joined with a target's rows; filters are separate.
-- CROSS JOIN keeps SQLite from walking all rows of the agent to look for hits among them.

-- name: ranked_turn!
SELECT rowid, rank FROM turns_fts WHERE turns_fts MATCH :match AND rowid >= :lowest ORDER BY rank LIMIT :considered;

-- name: ranked_item!
SELECT rowid, rank FROM items_fts WHERE items_fts MATCH :match AND rowid >= :lowest ORDER BY rank LIMIT :considered;

-- name: ranked_among!
-- Scores these rows only. The unary plus keeps FTS5 from running the query once for each of them.
SELECT rowid, bm25(items_fts) AS rank FROM items_fts
WHERE items_fts MATCH :match AND +rowid IN (SELECT value FROM json_each(:among)) ORDER BY rank;

-- name: joined_turn!
CROSS JOIN turns t ON t.seq = h.rowid;

-- name: joined_episode!
CROSS JOIN episodes t ON t.seq = h.rowid;

-- name: joined_detail!
CROSS JOIN episode_details t ON t.seq = h.rowid CROSS JOIN episodes e ON e.id = t.episode_id;

-- name: joined_fact!
CROSS JOIN stated t ON t.seq = h.rowid;

-- name: having_turn(agent_id, words)
SELECT t.seq FROM (
  SELECT DISTINCT f.rowid AS seq FROM json_each(:words) w CROSS JOIN turns_fts f WHERE f.turns_fts MATCH w.value) h
CROSS JOIN turns t ON t.seq = h.seq WHERE t.agent_id = :agent_id;

-- name: having_fact(agent_id, words)
SELECT i.seq FROM (
  SELECT DISTINCT f.rowid AS seq FROM json_each(:words) w CROSS JOIN items_fts f WHERE f.items_fts MATCH w.value) h
CROSS JOIN items i ON i.seq = h.seq WHERE i.collection = '' AND i.tier = 'pinned' AND i.agent_id = :agent_id;

-- name: having_episode(agent_id, words)
SELECT DISTINCT e.seq FROM (
  SELECT DISTINCT f.rowid AS seq FROM json_each(:words) w CROSS JOIN items_fts f WHERE f.items_fts MATCH w.value) h
CROSS JOIN items i ON i.seq = h.seq CROSS JOIN items e ON e.id = iif(i.form = 'episode', i.id, i.parent_id)
WHERE e.collection = '' AND e.form = 'episode' AND e.agent_id = :agent_id;

-- name: like_turn!
SELECT t.seq FROM turns t;

-- name: like_episode!
SELECT t.seq FROM episodes t;

-- name: like_detail!
SELECT t.seq FROM episode_details t JOIN episodes e ON e.id = t.episode_id;

-- name: like_fact!
SELECT t.seq FROM stated t;

-- name: text_turn!
t.content LIKE :pattern ESCAPE '\' OR t.speaker LIKE :pattern ESCAPE '\';

-- name: text_episode!
t.summary LIKE :pattern ESCAPE '\' OR t.topics LIKE :pattern ESCAPE '\' OR t.entities LIKE :pattern ESCAPE '\'
OR t.decisions LIKE :pattern ESCAPE '\' OR t.action_items LIKE :pattern ESCAPE '\';

-- name: text_detail!
t.content LIKE :pattern ESCAPE '\';

-- name: text_fact!
t.content LIKE :pattern ESCAPE '\' OR t.tags LIKE :pattern ESCAPE '\';

-- name: last_turn()$
SELECT max(seq) FROM turns;

-- name: last_item()$
SELECT max(seq) FROM items;

-- name: frequencies_turn(words)
SELECT w.value ->> 0, (SELECT count(*) FROM turns_fts WHERE turns_fts MATCH w.value ->> 1) FROM json_each(:words) w;

-- name: frequencies_item(words)
SELECT w.value ->> 0, (SELECT count(*) FROM items_fts WHERE items_fts MATCH w.value ->> 1) FROM json_each(:words) w;

-- name: own_frequencies_turn(words, agent_id)
SELECT w.value ->> 0, (
  SELECT count(*) FROM turns_fts f CROSS JOIN turns t ON t.seq = f.rowid
  WHERE f.turns_fts MATCH w.value ->> 1 AND t.agent_id = :agent_id) FROM json_each(:words) w;

-- name: own_frequencies_item(words, agent_id)
SELECT w.value ->> 0, (
  SELECT count(*) FROM items_fts f CROSS JOIN items t ON t.seq = f.rowid
  WHERE f.items_fts MATCH w.value ->> 1 AND t.agent_id = :agent_id) FROM json_each(:words) w;

-- name: text_columns()
-- Every text column of every table of ours: those of the full-text indexes have no type.
SELECT m.name, c.name FROM main.sqlite_schema m JOIN pragma_table_info(m.name) c
WHERE m.type = 'table' AND c.type = 'TEXT' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY m.name, c.cid;

-- name: rows_turn()$
SELECT coalesce(max(seq), 0) FROM turns;

-- name: rows_item()$
SELECT coalesce(max(seq), 0) FROM items;

-- name: own_rows_turn(agent_id)$
SELECT count(*) FROM turns WHERE agent_id = :agent_id;

-- name: own_rows_item(agent_id)$
SELECT count(*) FROM items WHERE agent_id = :agent_id;

-- name: shared_turn(agent_id)$
-- Ranges of an index: two look-ups, however many rows there are.
SELECT EXISTS (SELECT 1 FROM turns WHERE agent_id < :agent_id) OR EXISTS (SELECT 1 FROM turns WHERE agent_id > :agent_id);

-- name: shared_item(agent_id)$
SELECT EXISTS (SELECT 1 FROM items WHERE agent_id < :agent_id) OR EXISTS (SELECT 1 FROM items WHERE agent_id > :agent_id);

-- name: agent_turn!
t.agent_id = :agent_id;

-- name: agent_detail!
e.agent_id = :agent_id;

-- name: live_episode!
t.status = 'active';

-- name: live_detail!
e.status = 'active';

-- name: live_fact!
t.status = 'active';

-- name: live_fact_as_of!
t.status IN ('active', 'superseded');

-- name: conversation_turn!
t.conversation_id = :conversation_id;

-- name: conversation_detail!
e.conversation_id = :conversation_id;

-- name: conversation_fact!
t.conversation_id = :conversation_id OR t.seq IN (
  SELECT s.item_seq FROM item_sources s JOIN turns u ON u.id = s.turn_id
  WHERE u.agent_id = :agent_id AND u.conversation_id = :conversation_id);

-- name: since_turn!
t.said_at >= :since;

-- name: since_episode!
t.ended_at >= :since;

-- name: since_detail!
e.ended_at >= :since;

-- name: since_fact!
coalesce(t.valid_from, t.created_at) >= :since;

-- name: until_turn!
t.said_at < :until;

-- name: until_episode!
t.started_at < :until;

-- name: until_detail!
e.started_at < :until;

-- name: until_fact!
coalesce(t.valid_from, t.created_at) < :until;

-- name: as_of_turn!
t.said_at <= :as_of;

-- name: as_of_episode!
t.ended_at <= :as_of;

-- name: as_of_detail!
e.ended_at <= :as_of;

-- name: as_of_fact!
coalesce(t.valid_from, t.created_at) <= :as_of AND (t.valid_until IS NULL OR t.valid_until > :as_of);

-- name: speaker_turn!
t.speaker = :speaker COLLATE NOCASE OR (t.speaker = '' AND t.role = lower(:speaker));

-- name: speaker_episode!
EXISTS (
  SELECT 1 FROM turns u WHERE u.agent_id = t.agent_id AND u.conversation_id = t.conversation_id
    AND (u.speaker = :speaker COLLATE NOCASE OR (u.speaker = '' AND u.role = lower(:speaker))));

-- name: speaker_detail!
EXISTS (
  SELECT 1 FROM json_each(t.turn_ids) j JOIN turns u ON u.id = j.value
  WHERE u.speaker = :speaker COLLATE NOCASE OR (u.speaker = '' AND u.role = lower(:speaker)));

-- name: speaker_fact!
EXISTS (
  SELECT 1 FROM item_sources s JOIN turns u ON u.id = s.turn_id
  WHERE s.item_seq = t.seq
    AND (u.speaker = :speaker COLLATE NOCASE OR (u.speaker = '' AND u.role = lower(:speaker))));

-- name: kind_fact!
t.kind = :kind;

-- name: tag_episode!
EXISTS (SELECT 1 FROM json_each(t.topics) j WHERE j.value = :tag COLLATE NOCASE);

-- name: tag_detail!
EXISTS (SELECT 1 FROM json_each(e.topics) j WHERE j.value = :tag COLLATE NOCASE);

-- name: tag_fact!
t.seq IN (SELECT item_seq FROM item_tags WHERE tag = :tag);
