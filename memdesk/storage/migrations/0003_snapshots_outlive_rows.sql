-- A snapshot of a vector index is no longer dropped when one of its rows is deleted: it contains the edges between
-- rows, not their vectors, and deleted rows are skipped on loading. Dropping it meant overwriting megabytes in the
-- transaction that deleted one line, and rebuilding the index at the next start. A row whose text changes still
-- drops it: its vector then belongs elsewhere.

-- Snapshots of former releases may contain vectors. They are rebuilt.
DELETE FROM index_snapshots;

DROP TRIGGER turns_leave;
CREATE TRIGGER turns_leave AFTER DELETE ON turns BEGIN
  DELETE FROM fact_sources WHERE turn_id = old.id;
  DELETE FROM entity_links WHERE kind = 'turn' AND ref_id = old.id;
  INSERT INTO embedding_gaps (kind, seq)
  SELECT 'window', seq FROM turns
  WHERE agent_id = old.agent_id AND conversation_id = old.conversation_id
    AND position BETWEEN old.position - 8 AND old.position + 8
  ON CONFLICT DO NOTHING;
  DELETE FROM embeddings WHERE kind = 'window' AND seq IN (
    SELECT seq FROM turns
    WHERE agent_id = old.agent_id AND conversation_id = old.conversation_id
      AND position BETWEEN old.position - 8 AND old.position + 8);
  DELETE FROM embeddings WHERE kind IN ('turn', 'window') AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind IN ('turn', 'window') AND seq = old.seq;
END;

DROP TRIGGER episodes_leave;
CREATE TRIGGER episodes_leave AFTER DELETE ON episodes BEGIN
  DELETE FROM entity_links WHERE kind = 'episode' AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'episode' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'episode' AND seq = old.seq;
END;

DROP TRIGGER details_leave;
CREATE TRIGGER details_leave AFTER DELETE ON episode_details BEGIN
  DELETE FROM embeddings WHERE kind = 'detail' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'detail' AND seq = old.seq;
END;

DROP TRIGGER facts_leave;
CREATE TRIGGER facts_leave AFTER DELETE ON facts BEGIN
  DELETE FROM entity_links WHERE kind = 'fact' AND ref_id = old.id;
  DELETE FROM embeddings WHERE kind = 'fact' AND seq = old.seq;
  DELETE FROM embedding_gaps WHERE kind = 'fact' AND seq = old.seq;
END;
