"""Keeps unsent text per conversation."""

import threading

from PySide6.QtCore import QObject

from memdesk.domain.chatting.drafts import Draft
from memdesk.gui.models.chat import Place
from memdesk.gui.pages import PageContext


class Drafts(QObject):
    """Stores drafts on a lane; keeps unsaved ones, so that no older one is shown."""

    def __init__(self, context: PageContext, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = context.bridge
        self._service = context.services.conversations
        self._on_way: dict[Place, Draft] = {}
        self._unwritten: dict[Place, Draft] = {}
        #: Held from reading a stored draft to writing it: two answers may end at once.
        self._writing = threading.RLock()

    def keep(self, place: Place, draft: Draft) -> None:
        self._on_way[place] = self._unwritten[place] = draft
        self._bridge.run(self, lambda: self.write(place), lambda _done: self._stored(place, draft))

    def sent(self, place: Place, draft: Draft) -> None:
        """A draft was sent, possibly with only passages of its files: anything else in it stays."""

        def drop() -> None:
            with self._writing:
                self.write(place)
                stored = self._service.draft(*place)
                if (left := stored.without(draft)) != stored:
                    self._service.save_draft(*place, left)

        self._bridge.run(self, drop)

    def give_back(self, place: Place) -> None:
        """A conversation did not start: text written meanwhile follows the unanswered message."""
        agent_id, _conversation = place

        def move() -> None:
            with self._writing:
                self.write(place)
                written = self._service.draft(*place)
                if written:
                    waits = self._service.draft(agent_id, None)
                    self._service.save_draft(agent_id, None, waits.then(written.after(waits)))
                    self._service.save_draft(*place, Draft())

        self._bridge.run(self, move)

    def latest(self, place: Place, stored: Draft) -> Draft:
        """Return the current draft, given the stored one."""
        return self._on_way.get(place, stored)

    def write(self, place: Place) -> None:
        """Store the latest, unless already stored: two drafts of one conversation may be written in either order.

        Called on a lane, and before a draft is sent: stored after its exchange, it would reappear.
        """
        with self._writing:
            draft = self._unwritten.pop(place, None)
            if draft is None:
                return
            try:
                self._service.save_draft(*place, draft)
            except Exception:
                self._unwritten.setdefault(place, draft)
                raise

    def _stored(self, place: Place, draft: Draft) -> None:
        if self._on_way.get(place) is draft:
            del self._on_way[place]
