-- The name of the token with which a program sent a message, so that all it sent can be undone together.
ALTER TABLE turns ADD COLUMN program TEXT NOT NULL DEFAULT '';
CREATE INDEX turns_by_program ON turns (program) WHERE program <> '';
