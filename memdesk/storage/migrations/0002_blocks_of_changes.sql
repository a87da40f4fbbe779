-- Similar changes in one run (a slice of decay, of evictions) share one row: ``block`` contains them, packed (see
-- repositories/change_blocks.py), ``held`` their number. They are numbers and dates, never text. A row with one
-- change has ``held`` 1, no block, and the change in the columns, as before.

ALTER TABLE run_changes ADD COLUMN held INTEGER NOT NULL DEFAULT 1;
ALTER TABLE run_changes ADD COLUMN block BLOB;

-- An agent's rows to delete are found by scanning the now few rows; nothing else used this index.
DROP INDEX run_changes_by_agent;
