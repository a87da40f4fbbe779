"""Finds text that tries to give orders to a model through its memory."""

from __future__ import annotations

import re
from typing import Final

_RULES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for name, pattern in (
        (
            "overrides instructions",
            (
                r"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|system|these|those|the)\b.{0,40}"
                r"\b(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?|context|constraints?|training|safety)\b"
            ),
        ),
        (
            "overrides instructions",
            (
                r"\b(?:ignoriere|vergiss|missachte)\b.{0,40}\b(?:anweisung\w*|regeln|vorgaben|prompt\w*)\b|"
                r"\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes|r\u00e8gles)\b|"
                r"\b(?:ignora|olvida|omite)\b.{0,40}\b(?:instrucciones|reglas|indicaciones)\b"
            ),
        ),
        (
            "plants a standing order",
            (
                r"(?<!\bi )(?<!\bwe )(?<!\bi'd )(?<!\bi'll )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bto )\b(?:always|never|from now on|in every (?:reply|answer|response)|whenever (?:asked|the user|someone|anyone))\b.{0,60}"
                r"\b(?:recommend|promote|advertise|mention|respond|reply|answer|include|insert|append|say|tell (?:the user|them|users|everyone)|"
                r"link to|suggest|refer (?:to|users)|praise|endorse|reveal|output|send|forward)\b"
            ),
        ),
        ("plants a standing order", r"\bfrom now on,?\s+(?:you|your|act|behave|pretend|treat)\b"),
        (
            "changes who the model is",
            r"\byou are (?:now|no longer)\b|\bact as (?:an? )?(?:unrestricted|jailbroken|dan\b|admin|root|developer mode)",
        ),
        (
            "changes who the model is",
            r"\b(?:developer|god|admin|debug|jailbreak) mode\b.{0,20}\b(?:on|enabled?|activated?)\b|\benter (?:developer|god|dan|jailbreak) mode\b",
        ),
        (
            "asks for secrets",
            (
                r"\b(?:reveal|print|show|leak|repeat|output|expose|exfiltrate|send|forward|email|post|upload)\b.{0,50}"
                r"\b(?:system prompt|hidden (?:prompt|instructions?)|api keys?|passwords?|credentials?|secrets?|conversation history|all memories|private data)\b"
            ),
        ),
        (
            "speaks as the system",
            r"(?:^|\n)[ \t]*(?:system|assistant|developer)[ \t]*:|<\|?(?:im_start|im_end|system|endoftext)\|?>|\[/?INST\]|<</?SYS>>|###\s*(?:system|instruction)",
        ),
        (
            "plants a memory",
            r"\b(?:remember|note|store|save|memori[sz]e)\b.{0,30}\b(?:as a fact|as true|in (?:your )?(?:long-term )?memory|permanently)\b.{0,80}\b(?:always|must|never|trusted|authori[sz]ed|admin)\b",
        ),
        (
            "addresses the model",
            r"\b(?:the )?(?:ai|assistant|model|chatbot|llm|language model)s?\b.{0,20}\b(?:must|should always|should never|has to|shall|is (?:required|instructed|authori[sz]ed))\b",
        ),
        (
            "hides from the user",
            r"\b(?:do not|don't|never) (?:tell|inform|alert|notify|warn|mention (?:this|it) to) (?:the )?(?:user|human|owner)\b|\bwithout (?:telling|informing|asking) the user\b",
        ),
    )
)


def order_in(text: str) -> str | None:
    """Return why ``text`` reads like orders to a model, in a few words, or None when it does not."""
    for name, pattern in _RULES:
        if pattern.search(text):
            return name
    return None
