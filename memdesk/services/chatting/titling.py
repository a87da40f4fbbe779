"""Names a conversation after its first answer, by the model that gave it."""

import logging
from dataclasses import replace
from typing import Final

from memdesk.domain.chatting.titles import TITLED, as_title, title_of
from memdesk.domain.models import Turn
from memdesk.errors import MemdeskError
from memdesk.ports import ChatMessage, GenerationRequest, ModelCatalogue, Repositories, Store
from memdesk.services.events import ConversationsChanged, EventBus
from memdesk.services.settings import SettingsService

log = logging.getLogger(__name__)

_WISH: Final = (
    "Name this conversation in two to six words, in the language it is in. Answer with the name alone, on one line."
)
#: Characters of the question and the answer shown to the model.
_SHOWN: Final = (2000, 1000)
_TITLE_TOKENS, _THINKING_TOKENS = 32, 512


class Titling:
    """Generates titles and records them, so that forgetting their source also forgets them."""

    def __init__(self, *, store: Store, events: EventBus, settings: SettingsService, catalogue: ModelCatalogue) -> None:
        self._store, self._events, self._settings, self._catalogue = store, events, settings, catalogue

    def give(self, agent_id: str, conversation_id: str) -> str:
        """Name a conversation of one exchange, unless named; return the title, or "" if unchanged.

        The bundled model is not used: the first words of a message say more than its titles.
        """
        with self._store.read() as repos:
            said = self._unnamed(repos, agent_id, conversation_id)
        if not said or not self._settings.current.engine.name_chats:
            return ""
        try:
            title = self._ask(said)
        except MemdeskError as error:
            # Its first words stay as the title: a failed name is not worth telling the user.
            log.info("a conversation was not named: %s", error.code)
            return ""
        if title and self._store.write(lambda repos: self._put(repos, said[0], title)):
            self._events.publish(ConversationsChanged(agent_id))
            return title
        return ""

    @staticmethod
    def _unnamed(repos: Repositories, agent_id: str, conversation_id: str) -> list[Turn]:
        """Return the only exchange of a conversation still titled by its first words; else nothing."""
        thread = repos.conversations.get(agent_id, conversation_id)
        turns = repos.turns.of_conversation(agent_id, conversation_id) if thread is not None else []
        first = [turn.role for turn in turns] == ["user", "assistant"]
        return turns if thread is not None and first and thread.title == title_of(turns[0].content) else []

    def _ask(self, said: list[Turn]) -> str:
        model = self._catalogue.open(said[1].model)
        if model.info.source == "bundled":
            return ""
        words = "\n\n".join(turn.content[:most] for turn, most in zip(said, _SHOWN, strict=True))
        request = GenerationRequest(
            messages=(ChatMessage(role="system", content=_WISH), ChatMessage(role="user", content=words)),
            max_tokens=_TITLE_TOKENS,
            thinking_tokens=_THINKING_TOKENS,
            temperature=0.0,
            priority="background",
        )
        text = ""
        for chunk in model.generate(request):
            text = ("" if chunk.taken_back else text) + chunk.text
        return as_title(text)

    def _put(self, repos: Repositories, first: Turn, title: str) -> bool:
        place = first.agent_id, first.conversation_id
        thread = repos.conversations.get(*place)
        if thread is None or not self._unnamed(repos, *place):
            return False
        repos.conversations.put(replace(thread, title=title))
        repos.meta.put(TITLED + "\x1f".join(place), title)
        return True
