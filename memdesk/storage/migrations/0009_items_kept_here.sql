-- What stays on this machine is asked for with each message to a model that is elsewhere.
CREATE INDEX items_private ON items (agent_id, run_id) WHERE collection = '' AND privacy = 'local_only';
