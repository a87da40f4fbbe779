-- Other names of people and things: what is distilled under one of them belongs to the entity.
CREATE TABLE entity_aliases (
  agent_id  TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  -- the name without case and diacritics
  folded    TEXT NOT NULL,
  name      TEXT NOT NULL,
  entity_id TEXT NOT NULL REFERENCES entities (id) ON DELETE CASCADE,
  PRIMARY KEY (agent_id, folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_aliases_by_entity ON entity_aliases (entity_id);

-- The messages of all agents, newest first.
CREATE INDEX turns_by_moment ON turns (said_at);
