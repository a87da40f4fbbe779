-- A conversation's overrides of its agent's prompt, model and parameters.
ALTER TABLE conversations ADD COLUMN overrides TEXT NOT NULL DEFAULT '{}';
