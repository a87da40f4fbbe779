-- Local-only items are queried for each message to a remote model.
CREATE INDEX items_private ON items (agent_id, run_id) WHERE collection = '' AND privacy = 'local_only';
