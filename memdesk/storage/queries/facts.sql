-- Filters of a list of facts.

-- name: where_agent!
i.agent_id = :agent_id;

-- name: where_match!
i.seq IN (SELECT rowid FROM items_fts WHERE items_fts MATCH :match);

-- name: where_like!
i.content LIKE :pattern ESCAPE '\';

-- name: where_status!
i.status IN (SELECT value FROM json_each(:statuses));

-- name: where_one_status!
i.status = :status;

-- name: where_kind!
i.kind = :kind;

-- name: where_type!
i.type = :type;

-- name: where_tag!
i.seq IN (SELECT item_seq FROM item_tags WHERE tag = :tag);

-- name: where_pinned!
i.user_pinned;

-- name: where_not_pinned!
NOT i.user_pinned;

-- name: where_min_salience!
i.salience >= :min_salience;

-- name: where_max_salience!
i.salience < :max_salience;

-- name: where_since!
i.created_at >= :since;

-- name: where_until!
i.created_at < :until;

-- name: where_as_of!
coalesce(i.valid_from, i.created_at) <= :as_of AND (i.valid_until IS NULL OR i.valid_until > :as_of)
  AND (i.expires_at IS NULL OR i.expires_at > :as_of);

-- name: where_entity!
i.id IN (SELECT ref_id FROM entity_links WHERE entity_id = :entity_id AND kind = 'fact');

-- name: where_conversation!
i.run_id = :conversation_id OR i.seq IN (
  SELECT s.item_seq FROM item_sources s JOIN turns t ON t.id = s.turn_id
  WHERE t.agent_id = i.agent_id AND t.conversation_id = :conversation_id);

-- The same conditions on rows from another index: the plus sign hides the column.

-- name: test_one_status!
+i.status = :status;

-- name: test_status!
+i.status IN (SELECT value FROM json_each(:statuses));

-- name: test_kind!
+i.kind = :kind;

-- name: test_tag!
EXISTS (SELECT 1 FROM item_tags g WHERE g.tag = :tag AND g.item_seq = i.seq);

-- name: test_min_salience!
+i.salience >= :min_salience;

-- name: test_max_salience!
+i.salience < :max_salience;

-- name: test_since!
+i.created_at >= :since;

-- name: test_until!
+i.created_at < :until;
