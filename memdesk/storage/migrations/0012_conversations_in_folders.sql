-- The folder of a conversation. Folders themselves are small values (meta, "folder:" and the id); a conversation whose
-- folder does not exist is in none.
ALTER TABLE conversations ADD COLUMN folder_id TEXT;
CREATE INDEX conversations_by_folder ON conversations (folder_id) WHERE folder_id IS NOT NULL;
