-- Deleting thousands of rows word by word takes half a millisecond each; writing the index anew without them
-- costs about 20 microseconds a row that stays, and leaves nothing of them behind either.

-- The same bit by bit: a merge works on about as many pages as it is told. One of a negative number first takes all
-- parts of the index for parts of one whole, as ``optimize`` does.

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

-- How many pieces of an index FTS5 leaves before it merges some by itself, a little with every write or all at once.

-- name: automerge_turns(segments)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_turns(segments)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('crisismerge', :segments);

-- name: automerge_items(segments)!
INSERT INTO items_fts (items_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_items(segments)!
INSERT INTO items_fts (items_fts, rank) VALUES ('crisismerge', :segments);
