-- A fact shown with every reply names its agent twice. What was stored both as a fact and as a line becomes that fact.
CREATE INDEX facts_with_every_reply ON items (source_agent_id, status)
WHERE collection = '' AND tier = 'pinned' AND source_agent_id = agent_id;

CREATE TEMP TABLE doubles AS
SELECT i.seq AS gone, i.id AS gone_id, f.seq AS kept, f.id AS kept_id FROM items i JOIN items f ON f.seq = (
  SELECT g.seq FROM items g
  WHERE g.collection = '' AND g.tier = 'pinned' AND g.agent_id = i.source_agent_id
    AND g.content = i.content COLLATE NOCASE AND g.status = 'active'
  ORDER BY g.seq LIMIT 1)
WHERE i.collection = '' AND i.tier = 'always' AND i.status = 'active' AND i.origin <> 'user'
  -- What is being forgotten is told by its numbers.
  AND NOT EXISTS (SELECT 1 FROM meta WHERE key GLOB 'being_forgotten:*');
INSERT OR IGNORE INTO item_sources (item_seq, position, turn_id, quote)
SELECT d.kept, 1000000 + s.position, s.turn_id, s.quote FROM doubles d JOIN item_sources s ON s.item_seq = d.gone
WHERE NOT EXISTS (SELECT 1 FROM item_sources k WHERE k.item_seq = d.kept AND k.turn_id = s.turn_id);
UPDATE receipt_items SET ref_id = (SELECT d.kept_id FROM doubles d WHERE d.gone_id = receipt_items.ref_id)
WHERE kind = 'identity' AND ref_id IN (SELECT gone_id FROM doubles);
UPDATE items SET superseded_by = (SELECT d.kept_id FROM doubles d WHERE d.gone_id = items.superseded_by)
WHERE superseded_by IN (SELECT gone_id FROM doubles);
UPDATE items SET source_agent_id = agent_id WHERE seq IN (SELECT kept FROM doubles);
DELETE FROM items WHERE seq IN (SELECT gone FROM doubles);
DROP TABLE doubles;
