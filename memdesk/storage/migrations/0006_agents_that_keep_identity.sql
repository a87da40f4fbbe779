-- Whether an agent sees what others learned about the user, and shares what it learned.
ALTER TABLE agents ADD COLUMN shares_identity INTEGER NOT NULL DEFAULT 1;
