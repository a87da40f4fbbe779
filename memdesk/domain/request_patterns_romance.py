"""The patterns of :mod:`memdesk.domain.request_patterns` for French and Spanish: what is a request, not what is a fact.

Statements in these languages are kept in their speaker's words; nothing is retold, classified or updated.
"""

from __future__ import annotations

import re
from typing import Final

from memdesk.domain.request_patterns import Patterns


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_FR_TEXT: Final = r"(?:r\u00e9-?)?\u00e9cri[stv]\w*|traduis\w*|traduire|corrig\w*|reformul\w*|r\u00e9sum\w*|expliqu\w*|am\u00e9lior\w*|raccourci\w*"
_FR_ORDERS: Final = (
    rf"{_FR_TEXT}|donne\w*|fais|faites|montre\w*|aide\w*|propose\w*|dis|dites|raconte\w*|liste\w*|trouve\w*|invente\w*|"
    r"compare\w*|calcule\w*|cr\u00e9e\w*|imagine\w*|ajoute\w*|enl\u00e8ve\w*|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous"
)
FRENCH: Final = Patterns(
    material=_p(rf"(?:^|[.!?\n])\W{{0,6}}(?:{_FR_TEXT})\b[^\n.!?:]{{0,120}}(?::|\n)"),
    letter=_p(r"^[ \t]*(?:cher|ch\u00e8re|bonjour|madame|monsieur)\b[^\n]{0,40},[ \t]*\n\s*\S"),
    compose=_p(rf"^\W*(?:{_FR_TEXT})\b"),
    fiction=_p(
        r"\b(?:\u00e9cri\w*|raconte\w*|invente\w*|compose\w*)\b[^.!?\n]{0,60}\b(?:histoire|po\u00e8me|chanson|conte|roman|sc\u00e8ne|dialogue)s?\b|"
        r"\bjeu de r\u00f4le|\bfaisons comme si\b|\bimagine que\b"
    ),
    role=_p(r"\bjeu de r\u00f4le|\bje suis\b|\bj'\w+"),
    hypothetical=_p(r"^\W*(?:et |mais )?(?:si (?:je|j'|on|nous|tu|mon|ma)|imagin\w*|supposons|admettons|par exemple)"),
    conditional=_p(r"\b\w+(?:rais|rait|rions|raient)\b"),
    question=_p(r"^\W*(?:et |mais )?(?:est-ce|qu'est-ce|que |quel\w*|comment|pourquoi|o\u00f9|quand|combien|qui )"),
    small_talk=_p(
        r"^\W*(?:bonjour|salut|bonsoir|merci|au revoir|d'accord|parfait|super|oui|non|ok)\b(?:[ ,]+(?:beaucoup|bien|\u00e0 toi|\u00e0 vous))*[ .!,]*$"
    ),
    standing=_p(r"^\W*(?:souviens-toi|rappelle-toi|n'oublie pas|retiens|appelle-moi)\b"),
    order=_p(rf"^\W*(?:(?:s'il te pla\u00eet|merci de|et|maintenant)\b,?\s+)*(?:{_FR_ORDERS})\b"),
    wish=_p(
        r"^\W*(?:je (?:voudrais|veux|cherche)|j'aimerais)\b[^.]{0,50}\b(?:recette|texte|liste|id\u00e9e|exemple|lettre|r\u00e9sum\u00e9|savoir|que tu)"
    ),
    about_answer=_p(r"\b(?:ta|votre) (?:r\u00e9ponse|solution)|\bje ne comprends pas\b|\b\u00e7a (?:ne )?marche\b"),
    pointing=_p(r"^\W*(?:c'est|\u00e7a|ce|cela|il|elle|tu|vous)\b"),
    first_person=_p(r"\b(?:je|j'\w+|moi|me|m'\w+|mon|ma|mes|nous|notre|nos)\b"),
    asks=_p(r"[,;]\s+(?:peux-tu|pourrais-tu|pouvez-vous|que |comment|quel\w*|s'il te pla\u00eet)"),
    between_us=_p(r"\btu (?:as|m'as) (?:dit|racont\u00e9|choisi|d\u00e9cid\u00e9)\b"),
)

_ES_TEXT: Final = (
    r"escrib\w*|reescrib\w*|traduc\w*|corrig\w*|corrij\w*|resum\w*|expl[i\u00ed]c\w*|mejora\w*|acorta\w*|redacta\w*"
)
_ES_ORDERS: Final = (
    rf"{_ES_TEXT}|dame|d[ae]me|haz\w*|mu\u00e9strame|ay\u00fadame|prop\u00f3n\w*|dime|cu\u00e9ntame|lista|busca\w*|inventa\w*|compara\w*|calcula\w*|"
    r"crea\w*|imagina\w*|a\u00f1ade\w*|quita\w*|puedes|podr\u00edas|puede usted"
)
SPANISH: Final = Patterns(
    material=_p(rf"(?:^|[.!?\n])\W{{0,6}}(?:{_ES_TEXT})\b[^\n.!?:]{{0,120}}(?::|\n)"),
    letter=_p(r"^[ \t]*(?:querid[oa]s?|estimad[oa]s?|hola)\b[^\n]{0,40}[,:][ \t]*\n\s*\S"),
    compose=_p(rf"^\W*(?:{_ES_TEXT})\b"),
    fiction=_p(
        r"\b(?:escrib\w*|cu\u00e9nta\w*|inventa\w*|compon\w*)\b[^.!?\n]{0,60}\b(?:historia|cuento|poema|canci\u00f3n|novela|escena|di\u00e1logo)s?\b|"
        r"\bjuego de rol|\bimagina que\b"
    ),
    role=_p(r"\bjuego de rol|\b(?:soy|estoy|tengo|vivo)\b"),
    hypothetical=_p(r"^\W*(?:y |pero )?(?:si (?:yo|viviera|tuviera|fuera|estuviera)|imagin\w*|supongamos|por ejemplo)"),
    conditional=_p(r"\b\w+(?:r\u00eda|r\u00edamos|r\u00edan|ra)\b"),
    question=_p(
        r"^\W*(?:y |pero )?(?:qu\u00e9|cu\u00e1l\w*|c\u00f3mo|por qu\u00e9|d\u00f3nde|cu\u00e1ndo|cu\u00e1nt\w*|qui\u00e9n)\b"
    ),
    small_talk=_p(
        r"^\W*(?:hola|buenos d\u00edas|buenas|gracias|adi\u00f3s|vale|perfecto|s\u00ed|no|ok)\b(?:[ ,]+(?:muchas|tardes|noches|a ti))*[ .!,]*$"
    ),
    standing=_p(r"^\W*(?:recuerda|acu\u00e9rdate|no olvides|ll\u00e1mame)\b"),
    order=_p(rf"^\W*(?:(?:por favor|y|ahora)\b,?\s+)*(?:{_ES_ORDERS})\b"),
    wish=_p(
        r"^\W*(?:quiero|quisiera|necesito|me gustar\u00eda|busco)\b[^.]{0,50}\b(?:receta|texto|lista|idea|ejemplo|carta|resumen|saber|que me)"
    ),
    about_answer=_p(r"\b(?:tu|su) (?:respuesta|soluci\u00f3n)|\bno (?:entiendo|funciona)\b"),
    pointing=_p(r"^\W*(?:es|eso|esto|\u00e9l|ella|t\u00fa|usted)\b"),
    first_person=_p(
        r"\b(?:yo|m\u00ed|me|mis?|nosotr[ao]s|nuestr[ao]s?|soy|estoy|tengo|vivo|trabajo|quiero|prefiero|odio|como|bebo|estudio|hablo|necesito|fui|voy|somos|vivimos)\b"
    ),
    asks=_p(r"[,;]\s+(?:puedes|podr\u00edas|qu\u00e9|c\u00f3mo|cu\u00e1l|por favor)\b"),
    between_us=_p(r"\b(?:me )?(?:has dicho|dijiste|has decidido)\b"),
)
