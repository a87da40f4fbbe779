"""Finds text that tries to give orders to a model through its memory.

What a person says of themselves or reports of others ("my boss told me to ignore the previous email", "I can never say
no") is no such order, whatever words it uses: a verb counts only where its clause has no other subject than the model.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

_DE_MODEL: Final = r"(?:die ki|der assistent|das (?:sprach)?modell|der chatbot|der bot)"
#: (reason, pattern, whether it only counts in a clause that speaks of nobody else)
_RULES: Final[tuple[tuple[str, re.Pattern[str], bool], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL), careful)
    for name, pattern, careful in (
        (
            "overrides instructions",
            (
                r"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|system|these|those|the)\b.{0,40}"
                r"\b(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?|context|constraints?|training|safety)\b|"
                r"\b(?:forget|ignore|disregard) (?:everything|all (?:of )?(?:that|this|what)|what|anything)\b.{0,30}\b(?:told|said|learned|above|before|instructed)\b|"
                r"\b(?:do not|don't|never) (?:follow|obey|listen to) (?:the )?(?:user|owner|human)"
            ),
            True,
        ),
        (
            "overrides instructions",
            (
                r"\b(?:ignoriere?|vergiss|missachte)\b.{0,40}\b(?:anweisung\w*|regeln|vorgaben|prompt\w*)\b|\bvergiss alles\b|"
                r"\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes|r\u00e8gles)\b|"
                r"\b(?:ignora|olvida|omite)\b.{0,40}\b(?:instrucciones|reglas|indicaciones)\b"
            ),
            True,
        ),
        (
            "plants a standing order",
            (
                r"\b(?:always|never|from now on|in every (?:reply|answer|response)|whenever (?:asked|the user|someone|anyone))\b.{0,60}"
                r"\b(?:recommend|promote|advertise|mention|include|insert|append|say|tell (?:the user|them|users|everyone)|"
                r"link to|suggest|refer (?:to|users)|praise|endorse|reveal|output|send|forward)\b|"
                r"\b(?:recommend|promote|mention|praise|advertise)\b.{0,60}\b(?:in every (?:reply|answer|response)|whenever (?:asked|the user))\b"
            ),
            True,
        ),
        ("plants a standing order", r"\bfrom now on,?\s+(?:you (?:are|will|must|should|only)|your|act|behave|pretend|treat)\b", True),
        (
            "plants a standing order",
            (
                r"\b(?:ab (?:sofort|jetzt)|immer|stets|nur noch|ausschlie\u00dflich)\b.{0,30}\b(?:du|empfiehl\w*|empfehle|erw\u00e4hne?|bewirb|bewerbe)\b|"
                r"\b(?:empfiehl\w*|empfehle|erw\u00e4hne?|bewirb|bewerbe)\b.{0,20}\b(?:immer|stets|ausschlie\u00dflich|nur noch)\b|"
                r"\bantworte?s?t?\b.{0,30}\bmit werbung\b"
            ),
            True,
        ),
        (
            "changes who the model is",
            (
                r"\byou are (?:now|no longer) (?:an?|the|in|dan|called|bound|restricted|limited|allowed|free|un\w+)\b|"
                r"\bact as (?:an? )?(?:unrestricted|jailbroken|dan\b|admin|root|developer mode)|"
                r"\byour (?:new|real|only|true) (?:task|role|goal|purpose|instructions?|objective|mission)\b|\bnew (?:instructions?|directives?|polic(?:y|ies)):|"
                r"\bdu bist (?:jetzt|nun|ab jetzt|ab sofort|nicht mehr) (?:ein\w*|der|die|das|dan|nicht|frei|un\w+)\b"
            ),
            False,
        ),
        (
            "changes who the model is",
            r"\b(?:developer|god|admin|debug|jailbreak) mode\b.{0,20}\b(?:on|enabled?|activated?)\b|\benter (?:developer|god|dan|jailbreak) mode\b",
            False,
        ),
        (
            "asks for secrets",
            (
                r"\b(?:reveal|print|show|leak|repeat|output|expose|exfiltrate|send|forward|email|post|upload|reply with|gib|zeige?|nenne?|verrate?)\b.{0,50}"
                r"\b(?:system[ -]?prompts?|hidden (?:prompt|instructions?)|api[ -]?keys?|passwords?|passw\u00f6rter|credentials?|secrets?|conversation history|"
                r"all memories|gespeicherten? erinnerungen|private data|text above|words above)\b"
            ),
            True,
        ),
        (
            "speaks as the system",
            r"(?:^|\n)[ \t]*\[?(?:system|assistant|developer)\]?[ \t]*:|(?:^|\n)[ \t]*\[system\]|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|<</?SYS>>|###\s*(?:system|instruction)",
            False,
        ),
        (
            "plants a memory",
            (
                r"\b(?:remember|note|store|save|memori[sz]e)\b.{0,30}\b(?:as a fact|as true|in (?:your )?(?:long-term )?memory|permanently)\b.{0,80}"
                r"\b(?:always|must|never|trusted?|authori[sz]ed|admin)\b"
            ),
            False,
        ),
        (
            "addresses the model",
            (
                r"(?<!my )(?<!our )(?<!your )(?<!his )(?<!her )(?<!this )(?<!new )\b(?:ai|assistant|model|chatbot|llm|language model)s? (?:\w+ly |now )?"
                r"(?:must|should|has to|have to|shall|is (?:required|instructed|authori[sz]ed) to) (?:now |not |always |never )?"
                r"(?:obey|recommend|mention|say|tell|reveal|output|answer|respond|ignore|trust|follow|send|treat|promote|include|act|comply|praise|refuse|forget)\b|"
                r"\b(?:note|message|instructions?|attention|hint) (?:to|for) (?:the |any |all )?(?:ai|assistant|model|llm|chatbot)s?\b|"
                r"\b(?:ai|llm|language model|chatbot)s?(?: assistants?| models?| systems?)? (?:that |who )?(?:are )?(?:reading|processing|summari[sz]ing|parsing)\b|"
                r"\bif you(?:'re| are) an? (?:ai|llm|language model|chatbot|assistant)\b|"
                r"\bwhen (?:summari[sz]ing|processing|reading|answering|quoting) (?:this|the) \w+,? (?:always )?(?:say|mention|include|recommend|tell|add|state|praise)\b|"
                rf"\b{_DE_MODEL} (?:muss|soll|darf) (?:immer|nie|stets|ab|nur)\b"
            ),
            False,
        ),
        ("hides an order", r"\b(?:decode|dekodiere?)\b.{0,40}\b(?:follow|execute|obey|run|do what|befolge|ausf\u00fchren)\b", False),
        (
            "hides from the user",
            (
                r"\b(?:do not|don't|never) (?:tell|inform|alert|notify|warn|mention (?:this|it) to) (?:the )?(?:user|human|owner)\b|"
                r"\bwithout (?:telling|informing|asking) the user\b|\bsage? (?:dem|der) (?:be)?nutzer(?:in)? (?:nichts|nicht)\b"
            ),
            False,
        ),
    )
)  # fmt: skip
#: Who else than the model a clause may speak of.
_PEOPLE: Final = re.compile(
    r"\b(?:i|i'm|i'd|i'll|i've|we|we'll|he|she|they|it|my|our|his|their|me|us|ich|mich|mir|er|wir|mein\w*|unser\w*)\b|"
    r"^\W*the (?!user|ai\b|assistant|model)\w+ (?:also |now )?$",
    re.IGNORECASE,
)
#: A clause that speaks to the model speaks to it whoever else is named.
_YOU: Final = re.compile(r"\b(?:you|your|assistant|ai|model|chatbot|du|dein\w*)\b", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[.!?;:\n]")
#: "Never say never", "always say grace": said of no answer.
_SAYING: Final = re.compile(r"never say (?:never|no)\b", re.IGNORECASE)
_ENCODED: Final = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=])")
#: Longest look back for a clause's subject, in characters.
CLAUSE_CHARS: Final = 120
#: "From now on I ...", "Ab sofort gehe ich ...".
_SUBJECT_WITHIN: Final = re.compile(r"\b(?:i|we|ich|wir)\b", re.IGNORECASE)
#: Encoded pieces that are looked into.
MAX_DECODED: Final = 4


@lru_cache(maxsize=1024)
def order_in(text: str) -> str | None:
    """Return why ``text`` reads like orders to a model, in a few words, or None when it does not."""
    found = _order_in(text)
    if found is None and any(_order_in(hidden) for hidden in _decoded(text)):
        return "hides an order"
    return found


def _order_in(text: str) -> str | None:
    for name, pattern, careful in _RULES:
        for match in pattern.finditer(text):
            if not careful or not (_of_people(text, match) or _SAYING.match(text, match.start())):
                return name
    return None


def _of_people(text: str, match: re.Match[str]) -> bool:
    """Whether the clause in which a match begins is about people and not to the model."""
    before = _CLAUSE_END.split(text[max(0, match.start() - CLAUSE_CHARS) : match.start()])[-1]
    within = _CLAUSE_END.split(match[0])[0]
    if _YOU.search(before):
        return False
    return _PEOPLE.search(before) is not None or _SUBJECT_WITHIN.search(within) is not None


def _decoded(text: str) -> Iterator[str]:
    """Yield what stands in base64 in a text, where it is text."""
    for number, match in enumerate(_ENCODED.finditer(text)):
        if number == MAX_DECODED:
            return
        body = match[0].rstrip("=")
        try:
            yield base64.b64decode(body + "=" * (-len(body) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue  # a long word or a key, no text
