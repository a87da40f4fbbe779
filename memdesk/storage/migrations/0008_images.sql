-- Images in messages, each stored once however often it is sent, and deleted with its last reference.
ALTER TABLE turns ADD COLUMN images TEXT NOT NULL DEFAULT '[]';

CREATE TABLE images (
  -- SHA-256 of the data
  id         TEXT PRIMARY KEY,
  media_type TEXT NOT NULL,
  name       TEXT NOT NULL,
  data       BLOB NOT NULL
) STRICT;

CREATE TABLE image_uses (
  -- the id of a turn, or the key of a former version or of a draft
  owner    TEXT NOT NULL,
  image_id TEXT NOT NULL,
  PRIMARY KEY (owner, image_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX image_uses_by_image ON image_uses (image_id);

CREATE TRIGGER images_of_turns AFTER INSERT ON turns WHEN new.images <> '[]' BEGIN
  INSERT INTO image_uses SELECT DISTINCT new.id, value FROM json_each(new.images);
END;
CREATE TRIGGER images_of_turns_leave AFTER DELETE ON turns WHEN old.images <> '[]' BEGIN
  DELETE FROM image_uses WHERE owner = old.id;
END;

CREATE TRIGGER images_of_meta AFTER INSERT ON meta WHEN new.key GLOB 'version:*' OR new.key GLOB 'draft_images:*' BEGIN
  INSERT INTO image_uses SELECT DISTINCT new.key, atom FROM json_tree(new.value) WHERE path GLOB '*.images';
END;
CREATE TRIGGER images_of_meta_change AFTER UPDATE OF value ON meta
WHEN new.key GLOB 'version:*' OR new.key GLOB 'draft_images:*' BEGIN
  INSERT INTO image_uses SELECT DISTINCT new.key, atom FROM json_tree(new.value) WHERE path GLOB '*.images'
    AND atom NOT IN (SELECT image_id FROM image_uses WHERE owner = new.key);
  DELETE FROM image_uses WHERE owner = new.key
    AND image_id NOT IN (SELECT atom FROM json_tree(new.value) WHERE path GLOB '*.images');
END;
CREATE TRIGGER images_of_meta_leave AFTER DELETE ON meta
WHEN old.key GLOB 'version:*' OR old.key GLOB 'draft_images:*' BEGIN
  DELETE FROM image_uses WHERE owner = old.key;
END;

CREATE TRIGGER images_leave AFTER DELETE ON image_uses BEGIN
  DELETE FROM images WHERE id = old.image_id
    AND NOT EXISTS (SELECT 1 FROM image_uses u WHERE u.image_id = old.image_id);
END;
