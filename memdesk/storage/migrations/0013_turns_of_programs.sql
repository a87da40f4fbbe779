-- The name of the token by which a program sent a message: what it sent can be taken back together.
ALTER TABLE turns ADD COLUMN program TEXT NOT NULL DEFAULT '';
CREATE INDEX turns_by_program ON turns (program) WHERE program <> '';
