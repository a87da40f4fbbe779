-- name: put(id, media_type, name, data)!
INSERT OR IGNORE INTO images (id, media_type, name, data) VALUES (:id, :media_type, :name, :data);

-- name: many(ids)
SELECT i.id, i.media_type, i.name, i.data FROM images i WHERE i.id IN (SELECT value FROM json_each(:ids));

-- name: has(id)$
SELECT 1 FROM images WHERE id = :id;

-- name: all_ids
SELECT i.id FROM images i WHERE EXISTS (
  SELECT 1 FROM image_uses u JOIN turns t ON t.id = u.owner WHERE u.image_id = i.id) ORDER BY i.rowid;
