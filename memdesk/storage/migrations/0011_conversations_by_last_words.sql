-- Conversations are listed by the time of their last message; imported ones were listed by when they were stored.
UPDATE conversations SET updated_at = min(updated_at, coalesce((
  SELECT max(t.said_at) FROM turns t WHERE t.agent_id = conversations.agent_id AND t.conversation_id = conversations.id
), updated_at));
