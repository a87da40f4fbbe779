"""Azure AI Search: an index for each collection, with exact neighbors and its own text ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from memdesk.errors import EnvironmentFault
from memdesk.stores.foreign import pages
from memdesk.stores.tagged import NUMBERS, PAGE, LateStore, RankingStore, Row, SpokenStore, tag, words_of

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

_PREFIX: Final = "memdesk-"
_PROFILE: Final = "exact"


class AzureStore(LateStore[str], RankingStore[str], SpokenStore):
    """``ports.ItemStore`` on Azure AI Search.

    Args:
        url: of the service, ``https://name.search.windows.net``.
        api_key: an admin key, as indexes are created.
    """

    title = "Azure AI Search"
    signs = MappingProxyType({"gt": "gt", "gte": "ge", "lt": "lt", "lte": "le"})

    def __init__(self, url: str, *, api_key: str) -> None:
        super().__init__()
        from azure.core.credentials import AzureKeyCredential
        from azure.search.documents.indexes import SearchIndexClient

        self._url = url
        self._key = AzureKeyCredential(api_key)
        self._indexes: Any
        with self.translated():
            self._indexes = SearchIndexClient(url, self._key)
        self._opened: dict[str, Any] = {}

    def close(self) -> None:
        for client in (*self._opened.values(), self._indexes):
            client.close()
        self._opened.clear()

    def errors(self) -> tuple[type[Exception], ...]:
        from azure.core.exceptions import AzureError

        return (AzureError, OSError, ValueError)

    def _in(self, collection: str) -> Any:
        from azure.search.documents import SearchClient

        if collection not in self._opened:
            self._opened[collection] = SearchClient(self._url, _index(collection), self._key)
        return self._opened[collection]

    def names(self) -> list[str]:
        ours = (name for name in self._indexes.list_index_names() if name.startswith(_PREFIX))
        return [name.removeprefix(_PREFIX).replace("-", "_") for name in ours]

    def width(self, collection: str) -> int | None:
        from azure.core.exceptions import ResourceNotFoundError

        try:
            found = self._indexes.get_index(_index(collection))
        except ResourceNotFoundError:
            return None
        return next(int(field.vector_search_dimensions) for field in found.fields if field.name == "vector")

    def make(self, collection: str, dimensions: int) -> None:
        from azure.search.documents.indexes import models

        kinds = models.SearchFieldDataType
        found = models.SearchIndex(
            name=_index(collection),
            fields=[
                # Keys allow only letters, digits and few other characters, so use a checksum of the id.
                models.SimpleField(name="key", type=kinds.STRING, key=True, filterable=True, sortable=True),
                models.SimpleField(name="id", type=kinds.STRING),
                models.SimpleField(name="item", type=kinds.STRING),
                models.SimpleField(name="tags", type=kinds.Collection(kinds.STRING), filterable=True),
                models.SearchableField(name="words", analyzer_name="whitespace"),
                *(models.SimpleField(name=name, type=kinds.DOUBLE, filterable=True) for name in NUMBERS),
                models.SearchField(
                    name="vector",
                    type=kinds.Collection(kinds.SINGLE),
                    searchable=True,
                    hidden=False,
                    vector_search_dimensions=dimensions,
                    vector_search_profile_name=_PROFILE,
                ),
            ],
            vector_search=models.VectorSearch(
                algorithms=[
                    models.ExhaustiveKnnAlgorithmConfiguration(
                        name=_PROFILE, parameters=models.ExhaustiveKnnParameters(metric="cosine")
                    )
                ],
                profiles=[models.VectorSearchProfile(name=_PROFILE, algorithm_configuration_name=_PROFILE)],
            ),
        )
        self._indexes.create_index(found)

    def remove(self, collection: str) -> None:
        # The client treats a missing one as success.
        self._indexes.delete_index(_index(collection))

    def having(self, tags: Sequence[str], *, holds: bool = True) -> str:
        found = f"tags/any(one: search.in(one, '{','.join(tags)}', ','))"
        return found if holds else f"(not {found})"

    def put_late(self, collection: str, rows: list[Row]) -> None:
        sent = [row | {"key": tag("id", row["id"]), "words": words_of(row)} for row in rows]
        _succeeded(self._in(collection).upload_documents(documents=sent))

    def erase_late(self, collection: str, ids: Sequence[str]) -> None:
        for page in pages(ids, PAGE):
            keys = [{"key": tag("id", name)} for name in page]
            _succeeded(self._in(collection).delete_documents(documents=keys))

    def read(self, collection: str, condition: str, fields: Sequence[str]) -> Iterator[Row]:
        """Yield fields of every row that meets a condition, by key, as Azure cannot skip more than 100,000."""
        last = ""
        while True:
            page = list(
                self._in(collection).search(
                    search_text="*",
                    filter=f"({condition}) and key gt '{last}'",
                    select=["key", *fields],
                    order_by=["key asc"],
                    top=PAGE,
                )
            )
            yield from page
            if len(page) < PAGE:
                return
            last = page[-1]["key"]

    def near(self, collection: str, vector: Vectors, condition: str, limit: int) -> list[tuple[Row, float]]:
        from azure.search.documents.models import VectorizedQuery

        asked = VectorizedQuery(vector=vector.tolist(), k_nearest_neighbors=limit, fields="vector", exhaustive=True)
        found = self._in(collection).search(
            search_text=None, vector_queries=[asked], vector_filter_mode="preFilter", filter=condition,
            select=["item"], top=limit,
        )  # fmt: skip
        # Its score is 1 / (1 + distance), and the distance 1 - cosine.
        return [(row, 2 - 1 / row["@search.score"]) for row in found]

    def by_words(self, collection: str, words: str, condition: str, limit: int) -> list[tuple[Row, float]]:
        found = self._in(collection).search(
            search_text=words, search_fields=["words"], filter=condition, select=["item"], top=limit
        )
        return [(row, row["@search.score"]) for row in found]


def _index(collection: str) -> str:
    # Index names allow lower-case letters, digits and dashes; collections never have dashes.
    return _PREFIX + collection.replace("_", "-")


def _succeeded(results: Sequence[Any]) -> None:
    """Check the result of each document.

    Raises:
        EnvironmentFault: one was refused.
    """
    refused = [one for one in results if not one.succeeded]
    if refused:
        raise EnvironmentFault(f"Azure AI Search refused {len(refused)} of {len(results)} memories.")
