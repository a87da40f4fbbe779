-- Deleting thousands of rows word by word takes half a millisecond each; writing the index anew without them
-- costs about 20 microseconds a row that stays, and leaves nothing of them behind either.

-- The same bit by bit: a merge works on about as many pages as it is told. One of a negative number first takes all
-- parts of the index for parts of one whole, as ``optimize`` does.

-- name: merge_turns(pages)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('merge', :pages);

-- name: merge_episodes(pages)!
INSERT INTO episodes_fts (episodes_fts, rank) VALUES ('merge', :pages);

-- name: merge_details(pages)!
INSERT INTO details_fts (details_fts, rank) VALUES ('merge', :pages);

-- name: merge_facts(pages)!
INSERT INTO facts_fts (facts_fts, rank) VALUES ('merge', :pages);

-- name: secure_turns(on)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('secure-delete', :on);

-- name: rewrite_turns()!
INSERT INTO turns_fts (turns_fts) VALUES ('optimize');

-- name: secure_episodes(on)!
INSERT INTO episodes_fts (episodes_fts, rank) VALUES ('secure-delete', :on);

-- name: rewrite_episodes()!
INSERT INTO episodes_fts (episodes_fts) VALUES ('optimize');

-- name: secure_details(on)!
INSERT INTO details_fts (details_fts, rank) VALUES ('secure-delete', :on);

-- name: rewrite_details()!
INSERT INTO details_fts (details_fts) VALUES ('optimize');

-- name: secure_facts(on)!
INSERT INTO facts_fts (facts_fts, rank) VALUES ('secure-delete', :on);

-- name: rewrite_facts()!
INSERT INTO facts_fts (facts_fts) VALUES ('optimize');

-- How many pieces of an index FTS5 leaves before it merges some by itself, a little with every write or all at once.

-- name: automerge_turns(segments)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_turns(segments)!
INSERT INTO turns_fts (turns_fts, rank) VALUES ('crisismerge', :segments);

-- name: automerge_episodes(segments)!
INSERT INTO episodes_fts (episodes_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_episodes(segments)!
INSERT INTO episodes_fts (episodes_fts, rank) VALUES ('crisismerge', :segments);

-- name: automerge_details(segments)!
INSERT INTO details_fts (details_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_details(segments)!
INSERT INTO details_fts (details_fts, rank) VALUES ('crisismerge', :segments);

-- name: automerge_facts(segments)!
INSERT INTO facts_fts (facts_fts, rank) VALUES ('automerge', :segments);

-- name: crisismerge_facts(segments)!
INSERT INTO facts_fts (facts_fts, rank) VALUES ('crisismerge', :segments);
