"""The response type of every route, from which ``/openapi.json`` is generated and against which tests check responses."""

from __future__ import annotations

from typing import Any, Final

from memdesk.api.dialects.anthropic import answers as anthropic
from memdesk.api.dialects.mem0 import answers as mem0
from memdesk.api.dialects.ollama import answers as ollama
from memdesk.api.dialects.omniroute import answers as omniroute
from memdesk.api.dialects.openai import answers as openai
from memdesk.api.dialects.responses import answers as responses
from memdesk.api.shapes import (
    AgentFile,
    Agents,
    AgentWhole,
    Alive,
    Answers,
    ChatFolder,
    ChatFolders,
    Distilled,
    Episode,
    ErrorBody,
    Fact,
    FilesForgotten,
    GradedModel,
    Hits,
    IdentityLine,
    Imported,
    IssuedToken,
    Item,
    Progress,
    Ready,
    Rejected,
    Removed,
    Resolved,
    Shown,
    SnapshotSeen,
    Status,
    Tested,
    Thread,
    ToolTold,
)
from memdesk.domain.models import ApiToken, Conversation, Entity, HistoryEntry, Receipt, Run, RunChange, Turn
from memdesk.domain.reading.digest import ModelGrade
from memdesk.ports import ActivityRow
from memdesk.services.distilling import Rule
from memdesk.services.forgetting import ForgetPreview, ForgetReport
from memdesk.services.guarding import BackupReport, Comparison
from memdesk.services.importing import ExportReport
from memdesk.services.notes import FolderStatus, Synced
from memdesk.services.recording import IngestResult
from memdesk.services.remembering import ContradictionCard, EntityView, Neighbor, ProgramSeen, SourceView, Written
from memdesk.services.testing import MemoryTest
from memdesk.services.upkeep import HealthTile, RunResult, UndoResult
from memdesk.settings.fields import FieldInfo
from memdesk.settings.prompts import DistillPrompt
from memdesk.settings.schema import AppearanceSettings, EngineSettings, MemorySettings, ServerSettings

_FORGETTING: Final = ForgetReport | ForgetPreview
_SETTINGS: Final = MemorySettings | ServerSettings | AppearanceSettings | EngineSettings
#: By method and path: our own, then those of foreign protocols.
ANSWERS: Final[Answers] = {
    "POST /memory/search": ("one", Hits),
    "GET /memory/facts": ("page", Fact),
    "POST /memory/facts": ("one", Fact),
    "GET /memory/facts/{fact_id}": ("one", Fact),
    "PATCH /memory/facts/{fact_id}": ("one", Fact),
    "DELETE /memory/facts/{fact_id}": ("one", _FORGETTING),
    "GET /memory/items": ("page", Item),
    "POST /memory/items": ("one", Item),
    "GET /memory/items/{item_id}": ("one", Item),
    "PATCH /memory/items/{item_id}": ("one", Item),
    "DELETE /memory/items/{item_id}": ("one", _FORGETTING),
    "GET /memory/episodes": ("page", Episode),
    "POST /memory/episodes": ("one", Episode),
    "GET /memory/episodes/{episode_id}": ("one", Episode),
    "PATCH /memory/episodes/{episode_id}": ("one", Episode),
    "DELETE /memory/episodes/{episode_id}": ("one", _FORGETTING),
    "GET /memory/identity": ("page", IdentityLine),
    "POST /memory/identity": ("one", IdentityLine),
    "PATCH /memory/identity/{line_id}": ("one", IdentityLine),
    "DELETE /memory/identity/{line_id}": ("one", _FORGETTING),
    "GET /memory/transcript": ("page", Turn),
    "GET /memory/conversations": ("page", Conversation),
    "GET /memory/conversations/{conversation_id}": ("one", Conversation),
    "PATCH /memory/conversations/{conversation_id}": ("one", Conversation),
    "DELETE /memory/conversations/{conversation_id}": ("one", _FORGETTING),
    "GET /memory/folders": ("one", ChatFolders),
    "POST /memory/folders": ("one", ChatFolder),
    "GET /memory/folders/{folder_id}": ("one", ChatFolder),
    "PATCH /memory/folders/{folder_id}": ("one", ChatFolder),
    "DELETE /memory/folders/{folder_id}": ("one", _FORGETTING),
    "POST /memory/forget": ("one", ForgetReport),
    "POST /memory/forget/preview": ("one", ForgetPreview),
    "POST /memory/ingest": ("one", IngestResult),
    "POST /memory/context": ("one", Receipt),
    "GET /memory/receipts": ("page", Receipt),
    "GET /memory/receipts/{receipt_id}": ("one", Receipt),
    "GET /memory/history": ("page", HistoryEntry),
    "GET /memory/entities": ("page", Entity),
    "GET /memory/review": ("page", Fact),
    "POST /memory/review/{fact_id}/accept": ("one", Fact),
    "GET /memory/runs": ("page", Run),
    "GET /memory/runs/{run_id}/changes": ("page", RunChange),
    "POST /memory/backup": ("one", BackupReport),
    "GET /memory/snapshots": ("page", SnapshotSeen),
    "GET /memory/snapshots/{name}": ("one", Comparison),
    "POST /memory/export": ("one", ExportReport),
    "GET /memory/health": ("page", HealthTile),
    "GET /memory/activity": ("page", ActivityRow),
    "GET /memory/programs/all": ("page", ProgramSeen),
    "GET /memory/tokens": ("page", ApiToken),
    "POST /memory/tokens": ("one", IssuedToken),
    "DELETE /memory/tokens/{token_id}": ("one", ApiToken),
    "GET /memory/settings": ("one", _SETTINGS),
    "PUT /memory/settings": ("one", _SETTINGS),
    "GET /health": ("one", Alive),
    "GET /readyz": ("one", Ready),
    "GET /memory/tools": ("page", ToolTold),
    "POST /memory/tools/{name}": ("one", dict[str, Any]),
    "DELETE /memory/files": ("one", dict[str, str]),
    "GET /memory/notes": ("page", FolderStatus),
    "POST /memory/notes": ("one", FolderStatus),
    "PATCH /memory/notes/{folder_id}": ("one", FolderStatus),
    "DELETE /memory/notes/{folder_id}": ("one", FilesForgotten),
    "POST /memory/notes/sync": ("one", Synced),
    "GET /memory/facts/{fact_id}/sources": ("page", SourceView),
    "GET /memory/facts/{fact_id}/neighbours": ("page", Neighbor),
    "GET /memory/export": ("text", Thread),
    "GET /memory/entities/{entity_id}": ("one", EntityView),
    "POST /memory/review/{fact_id}/reject": ("one", Rejected),
    "GET /memory/review/rules": ("page", Rule),
    "DELETE /memory/review/rules/{rule_id}": ("one", Removed),
    "GET /memory/contradictions": ("page", ContradictionCard),
    "POST /memory/contradictions/{card_id}": ("one", Resolved),
    "GET /memory/tests": ("page", MemoryTest),
    "POST /memory/tests": ("one", Tested),
    "POST /memory/receipts/{receipt_id}/test": ("one", Tested),
    "POST /memory/tests/run": ("page", MemoryTest),
    "DELETE /memory/tests/{test_id}": ("one", Removed),
    "GET /memory/status": ("one", Status),
    "POST /memory/distill": ("one", Distilled),
    "GET /memory/distill/prompt": ("one", DistillPrompt),
    "POST /memory/consolidate": ("one", RunResult),
    "POST /memory/runs/{run_id}/undo": ("one", UndoResult),
    "GET /memory/settings/fields": ("page", FieldInfo),
    "GET /memory/programs": ("one", Written),
    "DELETE /memory/programs": ("one", Written),
    "GET /agents": ("one", Agents),
    "GET /agents/{agent_id}": ("one", AgentWhole),
    "PUT /agents/{agent_id}": ("one", AgentWhole),
    "DELETE /agents/{agent_id}": ("one", _FORGETTING),
    "GET /agents/{agent_id}/export": ("one", AgentFile),
    "POST /memory/import": ("stream", Progress | Imported | ErrorBody),
    "GET /memory/models": ("page", GradedModel),
    "POST /memory/models/test": ("one", ModelGrade),
    "POST /memory/window": ("one", Shown),
    **openai.ANSWERS,
    **responses.ANSWERS,
    **anthropic.ANSWERS,
    **ollama.ANSWERS,
    **mem0.ANSWERS,
    **omniroute.ANSWERS,
}
