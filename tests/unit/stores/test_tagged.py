"""Filters in the query languages of databases with tags and numbers, as documented."""

from __future__ import annotations

import pytest

from memdesk.domain.items.filters import parse
from memdesk.domain.items.matching import settled
from memdesk.stores.azure import AzureStore
from memdesk.stores.elastic import ElasticStore
from memdesk.stores.foreign import UnsayableError
from memdesk.stores.lance import LanceStore
from memdesk.stores.milvus import MilvusStore
from memdesk.stores.pinecone import PineconeStore
from memdesk.stores.redis import RedisStore
from memdesk.stores.tagged import tag

LANGUAGES = (AzureStore, ElasticStore, LanceStore, MilvusStore, PineconeStore, RedisStore)
WORK, HOME, TAG = tag("tag", "work"), tag("tag", "home"), tag("tag")
#: The moment of 2026-03-01T09:00:00Z.
MOMENT = 1772355600000


def said(language, given):
    # Opening one needs its database; saying something does not.
    return language.__new__(language).say(settled(parse(given)))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"tag": "work"}, f"@tags:{{{WORK}}}"),
        ({"tag": {"ne": "work"}}, f"-@tags:{{{WORK}}}"),
        ({"tag": ["work", "home"]}, f"@tags:{{{WORK}|{HOME}}}"),
        ({"tag": {"eq": None}}, f"-@tags:{{{TAG}}}"),
        ({"tag": {"ne": None}}, f"@tags:{{{TAG}}}"),
        (
            {"tag": "work", "created_at": {"gt": "2026-03-01T09:00:00Z"}},
            f"(@tags:{{{WORK}}} (@tags:{{{tag('created_at')}}} @created_at:[({MOMENT} +inf]))",
        ),
        ({"OR": [{"tag": "work"}, {"tag": "home"}]}, f"(@tags:{{{WORK}}} | @tags:{{{HOME}}})"),
        ({"NOT": {"OR": [{"tag": "work"}, {"tag": "home"}]}}, f"(-@tags:{{{WORK}}} -@tags:{{{HOME}}})"),
        ({"NOT": {"salience": {"lt": 0.5}}}, f"(-@tags:{{{tag('salience')}}} | @salience:[0.5 +inf])"),
        ({"OR": []}, f"-@tags:{{{tag('id')}}}"),
    ],
)
def test_redis_is_asked_in_the_query_syntax_of_its_search(given, expected):
    assert said(RedisStore, given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"tag": ["work", "home"]}, f"(array_has(tags, '{WORK}') or array_has(tags, '{HOME}'))"),
        (
            {"NOT": {"created_at": {"gte": "2026-03-01T09:00:00Z"}}},
            f"((not (array_has(tags, '{tag('created_at')}'))) or created_at < {MOMENT})",
        ),
    ],
)
def test_lancedb_is_asked_in_sql(given, expected):
    assert said(LanceStore, given) == expected


def test_milvus_is_asked_by_its_expressions():
    given = {"tag": {"nin": ["work", "home"]}, "salience": {"gte": 0.5}}
    assert said(MilvusStore, given) == (
        f'((not array_contains_any(tags, ["{WORK}", "{HOME}"])) and '
        f'(array_contains_any(tags, ["{tag("salience")}"]) and salience >= 0.5))'
    )


#: "work" and not "home", from a moment on.
SINCE = {"tag": "work", "NOT": {"tag": "home"}, "created_at": {"gte": "2026-03-01T09:00:00Z"}}


def test_elasticsearch_is_asked_in_its_query_language():
    moment = {
        "bool": {"filter": [{"terms": {"tags": [tag("created_at")]}}, {"range": {"created_at": {"gte": MOMENT}}}]}
    }
    work, home = {"terms": {"tags": [WORK]}}, {"terms": {"tags": [HOME]}}
    assert said(ElasticStore, SINCE) == {"bool": {"filter": [work, {"bool": {"must_not": [home]}}, moment]}}
    either = {"bool": {"should": [work, moment], "minimum_should_match": 1}}
    assert said(ElasticStore, {"OR": [{"tag": "work"}, {"created_at": SINCE["created_at"]}]}) == either


def test_azure_is_asked_in_odata():
    assert said(AzureStore, SINCE) == (
        f"(tags/any(one: search.in(one, '{WORK}', ',')) and (not tags/any(one: search.in(one, '{HOME}', ','))) and "
        f"(tags/any(one: search.in(one, '{tag('created_at')}', ',')) and created_at ge {MOMENT}))"
    )


def test_pinecone_is_asked_by_operators():
    moment = [{"tags": {"$in": [tag("created_at")]}}, {"created_at": {"$gte": MOMENT}}]
    expected = [{"tags": {"$in": [WORK]}}, {"tags": {"$nin": [HOME]}}, {"$and": moment}]
    assert said(PineconeStore, SINCE) == {"$and": expected}
    denied = [{"tags": {"$nin": [tag("created_at")]}}, {"created_at": {"$lt": MOMENT}}]
    assert said(PineconeStore, {"NOT": {"created_at": SINCE["created_at"]}}) == {"$or": denied}


def test_weaviate_is_asked_by_its_clients_filters():
    pytest.importorskip("weaviate", reason="weaviate-client is not installed")
    from weaviate.classes.query import Filter
    from weaviate.collections.filters import _FilterToGRPC as Sent

    from memdesk.stores.weaviate import WeaviateStore

    tags = Filter.by_property("tags")
    moment = [tags.contains_any([tag("created_at")]), Filter.by_property("created_at").greater_or_equal(float(MOMENT))]
    expected = Filter.all_of([tags.contains_any([WORK]), tags.contains_none([HOME]), Filter.all_of(moment)])
    assert Sent.convert(said(WeaviateStore, SINCE)) == Sent.convert(expected)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "given",
    [
        {"tag": {"contains": "wo"}},
        {"memory": {"icontains": "bees"}},
        {"year": {"gt": 2020}},
        {"created_at": "2026-03-01T09:00:00Z", "OR": [{"tag": "x"}, {"n": {"lt": 3}}]},
    ],
)
def test_what_has_no_words_is_not_said_in_part(language, given):
    with pytest.raises(UnsayableError):
        said(language, given)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_caller_stands_in_a_condition(language):
    sharp = "'\"}]) | @tags:{*} or 1 == 1 --"
    assert not set(str(said(language, {"tag": sharp, sharp: "x"}))) & set("*-;=")
