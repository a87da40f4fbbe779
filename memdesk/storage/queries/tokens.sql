-- name: all()
SELECT k.* FROM api_tokens k ORDER BY k.created_at, k.id;

-- name: by_hash(secret_hash)^
SELECT k.* FROM api_tokens k WHERE k.secret_hash = :secret_hash;

-- name: put!
INSERT INTO api_tokens (id, name, secret_hash, scopes, agent_id, created_at, last_used, expires_at, revoked)
VALUES (:id, :name, :secret_hash, :scopes, :agents, :created_at, :last_used, :expires_at, :revoked)
ON CONFLICT (id) DO UPDATE SET
  name = excluded.name, secret_hash = excluded.secret_hash, scopes = excluded.scopes, agent_id = excluded.agent_id,
  created_at = excluded.created_at, last_used = excluded.last_used, expires_at = excluded.expires_at,
  revoked = excluded.revoked;
