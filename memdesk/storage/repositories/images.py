"""Pictures of messages."""

import base64
from collections.abc import Iterable, Iterator
from typing import Any

from memdesk.domain.chatting.images import Image
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, ids

_Q: Any = load("images")


class SqlImages(Repository):
    """:class:`memdesk.ports.ImagesRepo` over SQLCipher."""

    def put(self, images: Iterable[Image]) -> None:
        for image in images:
            _Q.put(self._conn, id=image.id, media_type=image.media_type, name=clean(image.name), data=image.content)

    def many(self, image_ids: Iterable[str]) -> dict[str, Image]:
        return {
            image_id: Image(media_type, base64.b64encode(data).decode("ascii"), name)
            for image_id, media_type, name, data in _Q.many(self._conn, ids=ids(list(image_ids)))
        }

    def has(self, image_id: str) -> bool:
        return _Q.has(self._conn, id=image_id) is not None

    def all(self) -> Iterator[Image]:
        for (image_id,) in list(_Q.all_ids(self._conn)):
            yield from self.many([image_id]).values()
