-- Changes alike that a run made together (a slice of decay, of evictions) share one row: ``block`` holds them,
-- packed (see repositories/change_blocks.py), ``held`` says how many. They are numbers and dates, never text.
-- A row with one change has ``held`` 1, no block, and the change in the columns, as before.

ALTER TABLE run_changes ADD COLUMN held INTEGER NOT NULL DEFAULT 1;
ALTER TABLE run_changes ADD COLUMN block BLOB;

-- What is deleted of an agent is found by reading the now few rows; nothing else asked this index.
DROP INDEX run_changes_by_agent;
