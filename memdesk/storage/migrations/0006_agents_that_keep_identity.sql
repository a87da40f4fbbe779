-- Whether an agent sees what others learned of the user, and lets them see what was learned with it.
ALTER TABLE agents ADD COLUMN shares_identity INTEGER NOT NULL DEFAULT 1;
