-- Deleting thousands of rows word by word takes half a millisecond each; rebuilding the index without them
-- costs about 20 microseconds per remaining row, and leaves nothing of them behind either.

-- The same in steps: a merge processes about the given number of pages. A negative number first treats all
-- segments of the index as one level, as ``optimize`` does.

-- name: merge_turns(pages)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('merge', :pages);

-- name: merge_items(pages)!
INSERT INTO items_fts (items_fts, rank) VALUES ('merge', :pages);

-- name: secure_turns(on)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('secure-delete', :on);

-- name: rewrite_turns()!
INSERT INTO turns_fts (turns_fts) VALUES ('optimize');

-- name: secure_items(on)!
INSERT INTO items_fts (items_fts, rank) VALUES ('secure-delete', :on);

-- name: rewrite_items()!
INSERT INTO items_fts (items_fts) VALUES ('optimize');

-- The number of segments from which FTS5 merges some by itself, a little with every write or all at once.

-- name: automerge_turns(segments)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_turns(segments)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('crisismerge', :segments);

-- name: automerge_items(segments)!
INSERT INTO items_fts (items_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_items(segments)!
INSERT INTO items_fts (items_fts, rank) VALUES ('crisismerge', :segments);
