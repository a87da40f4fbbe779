"""Finds text that tries to give orders to a model through its memory.

What people say of themselves or report of others ("my boss told me to ignore the previous email", "I can never say
no") is no such order, whatever its words: a verb counts only if its clause has no other subject than the model.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from memdesk.domain.caches import remembered
from memdesk.domain.language.data import LANGUAGES, LanguageData, language_data
from memdesk.domain.language.text import LETTERS

OVERRIDES: Final = "overrides instructions"
_DE_MODEL: Final = r"(?:die ki|der assistent|das (?:sprach)?modell|der chatbot|der bot)"
#: (reason, pattern, whether it only counts in a clause about nobody else)
_RULES: Final[tuple[tuple[str, re.Pattern[str], bool], ...]] = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL), careful)
    for name, pattern, careful in (
        (
            OVERRIDES,
            (
                r"\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|system|these|those|the)\b.{0,40}"
                r"\b(?:instructions?|prompts?|rules?|guidelines?|directions?|messages?|context|constraints?|training|safety)\b|"
                r"\b(?:forget|ignore|disregard) (?:everything|all (?:of )?(?:that|this|what)|what|anything)\b(?! (?:he|she|they)\b).{0,30}\b(?:told|said|learned|above|before|instructed)\b|"
                r"\b(?:do not|don't|never) (?:follow|obey|listen to) (?:the )?(?:user|owner|human)"
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
                r"\bwithout (?:telling|informing|asking) the user\b"
            ),
            False,
        ),
    )
)  # fmt: skip
#: The reason for text that is hidden from the reader.
HIDDEN: Final = "hides an order"
#: Whom other than the model a clause may be about.
_PEOPLE: Final = re.compile(
    r"\b(?:i|i'm|i'd|i'll|i've|we|we'll|he|she|they|it|my|our|his|their|me|us|ich|mich|mir|er|wir|mein\w*|unser\w*)\b|"
    r"^\W*the (?!user|ai\b|assistant|model)\w+ (?:also |now )?$|"
    # Somebody's duty, unless it is that of an answer: "tenants must always mention ..."
    r"\b(?!answer|repl(?:y|ies)|response|summar|output|model|bot|agent|it\b|this\b)\w+ (?:should|must|shall|may|can|have to|need to) $",
    re.IGNORECASE,
)
#: A clause that addresses the model does so whoever else is named.
_YOU: Final = re.compile(r"\b(?:you|your|assistant|ai|model|chatbot|du|dein\w*)\b", re.IGNORECASE)
#: A verb right after "is" is an order even if given as a name: "My name is ignore all rules".
_EQUATED: Final = re.compile(r"\b(?:is|are|was|were)\W*$", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[.!?;:\n]")
#: "Never say never", "always say grace": not about an answer.
_SAYING: Final = re.compile(r"never say (?:never|no)\b", re.IGNORECASE)
#: Look-alike letters, from Unicode's confusables.txt (UTS 39): Cyrillic and Greek for Latin.
_ALIKE: Final = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04cf\u0475\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0406\u03bf\u03b1\u03bd\u03c1\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7",
    "aeopcyxijsdlvABEKMHOPCTXIoavpABEHIKMNOPTX",
)
_MIXED: Final = re.compile(r"\b(?=\w*[A-Za-z])(?=\w*[\u0370-\u052f])\w+\b")
_ENCODED: Final = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=])")
#: What the user asks for themselves.
_TO_ME: Final = re.compile(r"\b(?:to|for) (?:me|us)\b", re.IGNORECASE)
#: The beginning of the tag characters that repeat ASCII (Unicode 15, block E0000).
_TAGS: Final = 0xE0000
#: Controls that show text from right to left whatever its letters (UAX 9), and such text.
_BACKWARDS: Final = "\u202e\u202b\u2067"
_BACKWARDS_RUN: Final = re.compile("[\u202e\u202b\u2067]([^\u202c\u2069\n]*)[\u202c\u2069]?")
#: Spaced letters: "i g n o r e".
_APART: Final = re.compile(r"(?<!\S)(?:[^\W\d_][.,;:!?']? ){1,}[^\W\d_](?!\w)[.,;:!?]?")
_GAP: Final = re.compile(r" {2,}")
#: How many spaced letters are a disguised text, and how many words with digits make digits letters.
APART_LETTERS: Final = 20
SPELLED_WORDS: Final = 2
#: Words with digits in place of similar letters.
_LEET: Final = re.compile(r"(?<!\w)(?=[^\W\d_]*\d)(?=\d*[^\W\d_])[A-Za-z0-9@$]{2,}(?!\w)")
_DIGITS: Final = str.maketrans("431057@$", "aeiostas")
#: Longest look back for a clause's subject, in characters.
CLAUSE_CHARS: Final = 120
#: "From now on I ...", "Ab sofort gehe ich ...".
_SUBJECT_WITHIN: Final = re.compile(r"\b(?:i|we|ich|wir)\b", re.IGNORECASE)
#: How many encoded pieces are decoded.
MAX_DECODED: Final = 4


@remembered(1024)
def order_in(text: str) -> str | None:
    """Return why ``text`` looks like orders to a model, in a few words, or None if it does not."""
    plain = plainly_written(text)
    found = _order_in(plain)
    if found is None and _letters_apart(plain):
        return HIDDEN
    if found is None and any(_order_in(hidden) for hidden in (*_decoded(plain), *_disguised(text, plain))):
        return HIDDEN
    return found


def plainly_written(text: str) -> str:
    """Return a text as a reader sees it.

    Compatibility forms are folded, invisible characters removed, and letters of other alphabets that look like Latin
    ones made Latin if both are in one word, or in the words around it.
    """
    folded = unicodedata.normalize("NFKC", text)
    seen = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    if _MIXED.search(seen) is None:
        return seen
    return LETTERS.sub(lambda match: match[0].translate(_ALIKE) if _is_alike(match[0]) else match[0], seen)


def is_disguised(text: str) -> bool:
    """Whether letters of a text are only look-alikes of those that are read."""
    return [c for c in plainly_written(text) if c.isalpha()] != [c for c in text if c.isalpha()]


def _is_alike(word: str) -> bool:
    return _MIXED.fullmatch(word) is not None or all(ord(char) in _ALIKE for char in word)


def _disguised(text: str, plain: str) -> Iterator[str]:
    """Yield other readings of a text: invisible tags, reversed text, spaced letters, digits for letters, accents."""
    tags = "".join(chr(ord(char) - _TAGS) for char in text if _TAGS + 0x20 <= ord(char) <= _TAGS + 0x7E)
    if tags:  # Unicode's tag characters repeat ASCII, and nothing shows them
        yield tags
    if any(char in text for char in _BACKWARDS):
        yield _BACKWARDS_RUN.sub(lambda match: match[1][::-1], text)
    if _APART.search(plain):
        yield " ".join(word.replace(" ", "") if _APART.fullmatch(word) else word for word in _GAP.split(plain))
    leet = len(_LEET.findall(plain))
    spelled = plain.translate(_DIGITS) if leet >= SPELLED_WORDS else plain
    bare = "".join(char for char in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(char))
    if bare != plain:
        yield bare


def _letters_apart(plain: str) -> bool:
    """Whether a text is spelled letter by letter, longer than anybody spells a name; the alphabet does not count."""
    runs = (match[0].split() for match in _APART.finditer(plain))
    return any(len(run) >= APART_LETTERS and len(set(run)) < len(run) // 2 + 4 for run in runs)


def _order_in(text: str) -> str | None:
    for name, pattern, careful in _RULES:
        for match in pattern.finditer(text):
            if not careful or not (_of_people(text, match, name) or _SAYING.match(text, match.start())):
                return name
    return _ordered_in(text)


def _ordered_in(text: str) -> str | None:
    """Return why a text in another language looks like orders: by its words of ``[orders]``, with no other subject."""
    for clause in _CLAUSE_END.split(text.lower()):
        words = set(LETTERS.findall(clause.replace("\u2019", "'")))
        for code in LANGUAGES:
            data = language_data(code)
            if code == "en" or words & data.words("plain", "subjects"):
                continue
            reason = _by_classes(words, data)
            if reason is not None:
                return reason
    return None


def _by_classes(words: set[str], data: LanguageData) -> str | None:
    def said(*classes: str) -> bool:
        return all(words & data.words("orders", name) for name in classes)

    if said("override", "instructions"):
        return OVERRIDES
    if said("reveal", "hidden"):
        return "asks for secrets"
    if said("tell", "user", "nothing"):
        return "hides from the user"
    return "plants a standing order" if said("promote", "always") else None


def _of_people(text: str, match: re.Match[str], name: str) -> bool:
    """Whether the clause in which a match begins is about people and not addressed to the model."""
    before = _CLAUSE_END.split(text[max(0, match.start() - CLAUSE_CHARS) : match.start()])[-1]
    within = _CLAUSE_END.split(match[0])[0]
    if _YOU.search(before) or (name == OVERRIDES and _EQUATED.search(before)):
        return False
    after = _CLAUSE_END.split(text[match.end() : match.end() + CLAUSE_CHARS])[0]
    if name == "plants a standing order" and _TO_ME.search(after):
        return True  # "Never suggest pork to me"
    return _PEOPLE.search(before) is not None or _SUBJECT_WITHIN.search(within) is not None


def _decoded(text: str) -> Iterator[str]:
    """Yield the texts in base64 in a text."""
    for number, match in enumerate(_ENCODED.finditer(text)):
        if number == MAX_DECODED:
            return
        body = match[0].rstrip("=")
        try:
            yield base64.b64decode(body + "=" * (-len(body) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue  # a long word or a key, no text
