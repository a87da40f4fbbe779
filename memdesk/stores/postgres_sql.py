"""The statements of :class:`memdesk.stores.postgres.PostgresStore`; ``{table}`` is a collection's table."""

from typing import Final

SCHEMA: Final = """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS memdesk_collections (name text PRIMARY KEY, dimensions integer NOT NULL);
CREATE TABLE IF NOT EXISTS memdesk_history (
  seq bigserial PRIMARY KEY, id text NOT NULL UNIQUE, collection text NOT NULL, memory_id text NOT NULL,
  event text NOT NULL, old_value text, new_value text, at bigint NOT NULL, is_deleted boolean NOT NULL);
CREATE INDEX IF NOT EXISTS memdesk_history_of ON memdesk_history (collection, memory_id, seq);
"""
COLLECTION: Final = """
CREATE TABLE IF NOT EXISTS {table} (
  id text PRIMARY KEY, user_id text, agent_id text, run_id text,
  created_at bigint NOT NULL, updated_at bigint NOT NULL,
  content text NOT NULL, fields jsonb NOT NULL, item jsonb NOT NULL, embedding vector({dimensions}),
  words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED);
CREATE INDEX IF NOT EXISTS {table}_scope ON {table} (user_id, agent_id, run_id);
CREATE INDEX IF NOT EXISTS {table}_agent ON {table} (agent_id);
CREATE INDEX IF NOT EXISTS {table}_run ON {table} (run_id);
CREATE INDEX IF NOT EXISTS {table}_fields ON {table} USING gin (fields jsonb_path_ops);
CREATE INDEX IF NOT EXISTS {table}_words ON {table} USING gin (words);
"""
#: Maximum vector width of pgvector's graphs.
HNSW_DIMENSIONS: Final = 2000
GRAPH: Final = """
CREATE INDEX IF NOT EXISTS {table}_near ON {table} USING hnsw (embedding vector_cosine_ops);
"""
COLUMNS: Final = "id, user_id, agent_id, run_id, created_at, updated_at, content, fields, item, embedding"
INSERT: Final = f"INSERT INTO {{table}} ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s::vector)"
UPDATE: Final = """
UPDATE {table} SET user_id = %s, agent_id = %s, run_id = %s, created_at = %s, updated_at = %s, content = %s, fields = %s,
  item = %s, embedding = coalesce(%s::vector, embedding) WHERE id = %s
"""
#: "+ 0" keeps the planner from using the graph, which ignores the filter.
NEAR_EXACT: Final = """
SELECT id FROM {table} WHERE {where} AND embedding IS NOT NULL ORDER BY (embedding <=> %(vector)s::vector) + 0 LIMIT %(limit)s
"""
NEAR_GRAPH: Final = """
SELECT id FROM {table} WHERE {where} AND embedding IS NOT NULL ORDER BY embedding <=> %(vector)s::vector LIMIT %(limit)s
"""
#: Until the end of the transaction. The vector loads pgvector, which defines the settings.
WIDE: Final = "SELECT set_config('hnsw.ef_search', %s, true), '[1]'::vector"
#: Since pgvector 0.8, its graph continues until enough rows pass.
FURTHER: Final = "SELECT set_config(name, 'strict_order', true) FROM pg_settings WHERE name = 'hnsw.iterative_scan'"
#: In a narrow scope each row is read, whatever the text index would say: PostgreSQL cannot tell beforehand how many
#: rows contain a word of the question, and usually most do.
HELD_NARROW: Final = "(words @@ q.asked) IS TRUE"
HELD_WIDE: Final = "words @@ q.asked"
WORDED: Final = """
SELECT id FROM {table} WHERE {where} AND {held} ORDER BY ts_rank_cd(words, q.asked, 1) DESC LIMIT %(limit)s
"""
LEXEMES: Final = "SELECT lexeme FROM unnest(to_tsvector('english', %(text)s))"
#: Any of the words: requiring all finds next to nothing.
ASKED: Final = (
    "SELECT coalesce(string_agg(quote_literal(one), ' | '), '')::tsquery AS asked FROM unnest(%(lexemes)s::text[]) one"
)
#: Frequencies of common words, as of the last ANALYZE; hidden where row policies are active.
USUAL: Final = """
SELECT lexeme, share * c.reltuples FROM pg_class c, pg_stats s,
  unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS usual (lexeme, share)
WHERE c.oid = '{table}'::regclass AND s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname
  AND s.attname = 'words' AND lexeme IS NOT NULL
"""
SCORES: Final = """
WITH q AS ({asked}), worded AS (SELECT w.id FROM q, LATERAL ({worded}) w)
SELECT item, 1 - (embedding <=> %(vector)s::vector), CASE WHEN words @@ q.asked THEN ts_rank_cd(words, q.asked, 1) ELSE 0 END
FROM {table}, q WHERE id IN (SELECT unnest(%(near)s::text[]) UNION SELECT id FROM worded)
"""

NOTE: Final = """
INSERT INTO memdesk_history (id, collection, memory_id, event, old_value, new_value, at, is_deleted)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
NOTED: Final = """
SELECT id, memory_id, event, old_value, new_value, at, is_deleted FROM memdesk_history
WHERE collection = %(collection)s AND {which} ORDER BY seq
"""
