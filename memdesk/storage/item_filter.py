"""Filters over items as SQL; :mod:`memdesk.domain.items.matching` defines their meaning."""

from dataclasses import dataclass, field
from typing import Any, Final

from memdesk.domain.items.filters import And, Filter, Not, Or, Where
from memdesk.domain.items.matching import is_number

_NUMBERS: Final = frozenset({"created_at", "updated_at", "expires_at", "salience"})
_COLUMNS: Final = {
    "memory": "i.content",
    # See ``item_rows.values_of``.
    "tier": "CASE WHEN i.tier = 'pinned' AND i.source_agent_id = i.agent_id THEN 'always' ELSE i.tier END",
}
_SIGNS: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_TRUTH: Final = {True: "'true'", False: "'false'"}
#: The values of one metadata key: for a list, its elements.
_VALUES: Final = """
SELECT m.value AS value, m.type AS type FROM json_each(i.metadata) m
WHERE m.key = :{key} AND m.type NOT IN ('array', 'null')
UNION ALL
SELECT e.value, e.type FROM json_each(i.metadata) m JOIN json_each(m.value) e
WHERE m.key = :{key} AND m.type = 'array' AND e.type <> 'null'
"""


@dataclass(slots=True)
class Condition:
    """SQL over ``items i``, and the values of its placeholders."""

    sql: str = ""
    values: dict[str, Any] = field(default_factory=dict)

    def bind(self, value: Any) -> str:
        name = f"f{len(self.values)}"
        self.values[name] = value
        return name


def condition_of(where: Filter) -> Condition:
    made = Condition()
    made.sql = _sql(where, made)
    return made


def _sql(where: Filter, made: Condition) -> str:
    if isinstance(where, And):
        return f"({' AND '.join(_sql(part, made) for part in where.parts)})" if where.parts else "1"
    if isinstance(where, Or):
        return f"({' OR '.join(_sql(part, made) for part in where.parts)})" if where.parts else "0"
    if isinstance(where, Not):
        return f"NOT coalesce({_sql(where.part, made)}, 0)"
    return _own(where, made) if where.own else _metadata(where, made)


def _own(where: Where, made: Condition) -> str:
    column = _COLUMNS.get(where.field, f"i.{where.field}")
    if where.operator == "eq" and where.value is None:
        return f"{column} IS NULL"
    return _meets(where, made, column, "'real'" if where.field in _NUMBERS else "'text'")


def _metadata(where: Where, made: Condition) -> str:
    values = _VALUES.format(key=made.bind(where.field))
    if where.operator == "eq" and where.value is None:
        return f"NOT EXISTS ({values})"
    return f"EXISTS (SELECT 1 FROM ({values}) v WHERE {_meets(where, made, 'v.value', 'v.type')})"


def _meets(where: Where, made: Condition, value: str, kind: str) -> str:
    """Return SQL that tests whether one value, of a ``json_each`` type, meets a condition."""
    wanted = where.value
    if where.operator == "in":
        return f"({' OR '.join(_compared('=', one, made, value, kind) for one in wanted)})" if wanted else "0"
    if where.operator == "contains":
        return f"({kind} = 'text' AND instr({value}, :{made.bind(wanted)}) > 0)"
    if where.operator == "icontains":
        return f"({kind} = 'text' AND instr(lowered({value}), :{made.bind(wanted.lower())}) > 0)"
    return _compared(_SIGNS.get(where.operator, "="), wanted, made, value, kind)


def _compared(sign: str, wanted: Any, made: Condition, value: str, kind: str) -> str:
    if isinstance(wanted, bool):
        return f"({kind} = {_TRUTH[wanted]})" if sign == "=" else "0"
    if is_number(wanted):
        return f"({kind} IN ('integer', 'real') AND {value} {sign} :{made.bind(wanted)})"
    return f"({kind} = 'text' AND {value} {sign} :{made.bind(wanted)})" if isinstance(wanted, str) else "0"
