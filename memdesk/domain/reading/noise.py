"""What is not memory: code, quotations, pasted documents, questions, greetings, hypotheticals, orders to the model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memdesk.domain.chatting.files import apart
from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.language.data import language_data
from memdesk.domain.language.inflect import with_apostrophes
from memdesk.domain.language.text import stem
from memdesk.domain.reading import corrections
from memdesk.domain.reading.handing import asks_of_text, mail_in

#: Runs of spaces mean nothing, and patterns that look for them would try every start in a long one.
_BLANKS: Final = re.compile(r"[^\S\n]{2,}")
_FENCES: Final = ("```", "~~~")
#: The text between two tags, from the beginning of a line on: a document handed over.
_ELEMENT: Final = re.compile(r"^[ \t]*<(?P<tag>[A-Za-z][\w-]*)(?:\s[^<>]*)?>.*?</(?P=tag)>", re.MULTILINE | re.DOTALL)
_COMMENT: Final = re.compile(r"^\s*(?:#|//|--|/?\*)")
_INLINE_CODE: Final = re.compile(r"`[^`\n]+`")
_QUOTE_LINE: Final = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
#: Words in quotation marks of any language; single ones begin before a letter and end after a word, unlike apostrophes.
_QUOTED: Final = re.compile(
    r"[\"\u201c][^\"\u201c\u201d\n]{25,}[\"\u201d]|\u201e[^\u201e\u201c\u201d\n]{25,}[\u201c\u201d]|\u00ab[^\u00ab\u00bb\n]{25,}\u00bb|"
    r"\u00bb[^\u00ab\u00bb\n]{25,}\u00ab|(?<!\w)['\u2018](?=[^\W\d])(?:[^'\n]|(?<=\w)'(?=\w)){25,}'(?!\w)"
)
_PHOTO: Final = re.compile(r" ?\[shares a photo: [^\]]{0,400}\]")
#: The material for a text about somebody, which is theirs: "Write my bio: I'm a potter".
_ABOUT_SELF: Final = re.compile(
    r"\b((?:write|make|update|do)(?: me)? (?:up )?my [\w ]{2,30}):\s+(?=(?:i|i'?m|i'?ve|we)\b)", re.IGNORECASE
)
#: Filler words.
_FILLER: Final = re.compile(r"\b(?:u+m+|u+h+|e+rm+|btw)\b,? ?|\b(?:hi|hey|hello) there,? (?=\w)", re.IGNORECASE)
#: Repeated beginnings in dictation: "we moved we moved in August".
_AGAIN: Final = re.compile(r"\b(\w+(?: \w+){1,3}) (?=\1\b)", re.IGNORECASE)
#: A statement about the speaker in parentheses at the end: "a cake recipe (I'm coeliac)?".
_ASIDE: Final = re.compile(
    r"\s*\(((?:i|i'?m|i'?ve|my|we|we'?re|we'?ve|our)\b[^()\n]+)\)([.!?]?)(?=\s*(?:$|\n|[A-Z]))",
    re.IGNORECASE | re.MULTILINE,
)
#: "Let's" without its apostrophe, before a verb.
_LETS: Final = re.compile(r"(^|[.!?,\n] *)lets(?= (?!(?:me|you|him|her|it|us|them)\b)[a-z])", re.IGNORECASE)
#: "Going forward", which parsers tag as the verb of the sentence.
_HENCEFORTH: Final = re.compile(
    r"(?<![\w-])(?:going|moving) forward,?(?= (?:please|always|never|i|only|don't|be|use)\b|$)", re.IGNORECASE
)
#: "'s" for "has".
_HAS: Final = re.compile(r"(?<=[a-z])'s(?= (?:already |always |just |only )?(?:got|been)\b)")
#: "'s" before what cannot be owned: an article, an owner, a preposition, a number, a name that holds now.
_IS: Final = re.compile(
    r"(?P<owned>\b(?:at|near|from|of|with|got|have|has|had) (?:[A-Z][\w.-]+ ?)+'s)|(?<=[a-z])(?<!master)(?<!bachelor)'s(?= (?:(?:now|still|currently|also|finally) )?(?:an?|the|my|our|his|her|their|not|in|on|at|from|with|called|named|very|too|only|getting|(?:up|down) to|\d[\d.,]*)\b| (?:now|currently) [A-Z]| [A-Z][\w&. ]* (?:now|these days|nowadays)(?:[.,;!?]|$))|"
    r"(?<=\bname)'s(?= \w)"
)
#: The introduction of a statement, which parsers take for its subject: "Change of plan: we leave on Friday".
_LEAD: Final = re.compile(
    r"(?:^|(?<=[.!?]\s))((?:(?:small|quick|slight|good|bad|big|great|sad)\s+)?(?:change of plans?|news|update|fyi)|(?:one|another|my|the)(?: more| last| other| next| second)? (?:thing|point|problem)|fun fact|side note|scrap that|guess what)\s*[:,\u2014]\s+(?=[a-z'\u2019]+ [a-z'\u2019]+ )",
    re.IGNORECASE,
)
#: Words that only announce a question: "Quick q - I'm vegan, ...".
_QUESTION: Final = re.compile(
    r"(?:^|(?<=[.!?]\s))(?:(?:\w+\s+){0,2}question|\w+\s+qn?|qq)(?:\s*[:,.\u2014]|\s+[-\u2013])\s+(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
#: A comma before a spliced question: "I'm vegan, what can I cook", "I live in Bonn, are there any lakes?"; the part
#: before it is a sentence of its own, unless it begins with "If" or "Since".
_SPLICED: Final = re.compile(
    r"(?P<said>(?:^|(?<=[.!?]))\s*(?!(?:if|since|when|as|because|although|though|given|while|once|after|before|unless|until)\b)"
    r"[^.!?\n,]+(?:,[^.!?\n,]+)*?),\s+(?=(?:(?:so|and|but)\s+)?(?:(?:what|how|why)\b(?! to\b)|(?:(?:which|who|where|when)\s+)?"
    r"(?:can|could|should|would|will|do|does|did|is|are|am|any)\s+(?:i|you|we|they|it|he|she|there|that|this|tips|ideas?)\b|"
    r"(?:[\w-]+\s+){0,2}(?:ideas?|tips|suggestions?|recommendations?|advice|recipes?)(?:\s+please)?\s*\?))",
    re.IGNORECASE | re.MULTILINE,
)
#: The numbering of list items, within a line too: "1. I'm vegan 2. I sail".
_NUMBER: Final = re.compile(r"(?:^|(?<=[\s:]))(\d{1,2})[.)]\s+(?=\S)", re.MULTILINE)
#: Months in lower case: next to a day, or if nothing else has that name.
_MONTHS: Final = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTH: Final = re.compile(
    rf"(?<=\d )(?:{_MONTHS})\b|(?<=\d(?:st|nd|rd|th) )(?:{_MONTHS})\b|(?<=(?:st|nd|rd|th) of )(?:{_MONTHS})\b|"
    rf"(?<=\b(?:in|on|by|to) )(?:{_MONTHS})\b(?! (?:be|have|have been|well|not)\b)|"
    rf"(?<=\bfrom )(?:{_MONTHS})\b|(?<=\b(?:since|until) )(?:{_MONTHS})\b"
)
#: "My names Jo", since nobody has several.
_NAMES: Final = re.compile(
    r"\b((?:my|her|his|its) name)s (?!(?:are|were|have|in|on|of|and|is|was)\b)(?=\w)", re.IGNORECASE
)
_ANY_MORE: Final = re.compile(r"\bany more(?=\s*(?:[.,;!?)]|$)|\s+(?:so|and|but|because|since|as)\b)", re.IGNORECASE)
#: How somebody said what they did, which adds nothing: "the dentist rang and moved my appointment".
_RANG: Final = re.compile(
    r"(?<=[a-z]) (?:just )?(?:rang|phoned|emailed|texted|messaged|wrote)(?: me| us)? (?:today )?and(?= [a-z]+(?:ed|ut|t)\b)"
)
#: "Put my rate up to 50", which nobody asks of an assistant; and somebody new: "new landlord, a Mrs Begum".
_PUT: Final = re.compile(
    r"(?:(?<=[.!?]\s)|^)(?=(?:put|cut) (?:my|our|the) [\w ]{1,30}? (?:up|down|back|off)? ?(?:to|until|by|from) )",
    re.IGNORECASE | re.MULTILINE,
)
_NEW: Final = re.compile(
    r"(?:(?<=[.!?]\s)|^)[Nn]ew (?P<who>[a-z]+(?: [a-z]+)?), (?:a |an |called )?(?=[A-Z])", re.MULTILINE
)
_CAME: Final = re.compile(
    r"(?:(?<=[.!?]\s)|^)[Nn]ew(?= [a-z]+(?: [a-z]+)? (?:came|arrived|starts|started|begins)\b)", re.MULTILINE
)
#: A page pasted by itself; within a sentence it may be the content: "my blog is at https://...".
_PAGE: Final = re.compile(r"^[^\S\n]*https?://\S+[^\S\n]*$", re.MULTILINE)
_CODE_LINE: Final = re.compile(
    r"[{};]\s*$|^\s*(?:def \w+\(|class \w+\s*[:({]|import [\w.{*]+(?:$|,| as | from )|from [\w.]+ import\b|function \w*\s*\(|"
    r"(?:const|let|var) \w+\s*[=:;]|#include\s|SELECT\s|\$\s|[\w.]+ = ['\"\[{(])|=>|==|\(\)|"
    # Lines of a log or a stack trace.
    r"^\s*\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d|^\s*\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE)\b|^\s*Traceback\b|^\s*File \""
)
_LINE: Final = re.compile(r"[^\n]+")
#: A longer message whose lines look like a document counts as pasted.
PASTE_CHARS: Final = 1200
_PASTE_LEAD: Final = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|rewrite|review|explain|analy[sz]e|read|here(?:'s| is| are)|following|below|attached|pasted?)\b"
    r"[^\n]{0,80}:[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
#: A first paragraph that hands over the text below it: "Is this clause fair?", "How should I answer this mail?".
_HANDS_OVER: Final = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|re-?write|clauses?|contracts?|terms|e-?mails?|mails?|letters?|messages?|"
    r"articles?|abstracts?|paragraphs?|posts?|poems?|reports?|transcripts?|(?:he|she|they) means?|zusammenfass\w*|fass\w*|übersetz\w*|"
    r"klauseln?|vertrag|verträge|briefe?|nachricht|artikel|absatz|meint (?:er|sie))\b",
    re.IGNORECASE,
)
FIRST_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|ich|mich|mir|mein\w*|wir|uns|unser\w*|je|j'\w+|mon|moi|nous|notre|yo|nosotros|mis?|nuestr[ao]s?)\b",
    re.IGNORECASE,
)
#: Longest such paragraph, and shortest text that it can hand over, in characters.
HEAD_CHARS: Final = 300
HANDED_CHARS: Final = 120
#: Requests that use up their material.
_TO_CHANGE: Final = re.compile(
    r"\b(?:translate|proofread|re-?write|re-?phrase|correct|shorten|polish|improve|format)\b", re.IGNORECASE
)
_HYPOTHETICAL: Final = re.compile(
    r"^\s*(?:and |but |so )?(?:if i|if we|if you|imagine|suppose|let's say|what if|pretend|say i|assume|assuming|hypothetically|"
    r"for example|e\.g\.|once upon a time)\b",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"^\s*(?:please\s+|now\s+|then\s+|ok(?:ay)?,?\s+|so\s+)*(?:can you|could you|would you|will you|write|rewrite|give me|show me|tell me|"
    r"explain|summari[sz]e|translate|list|generate|create|make me|draft|fix|convert|answer|respond|reply|return|output|use the|"
    r"act as|help me|find me|suggest|recommend|compare|check|calculate|describe|add a|remove the|format|sort|"
    r"you must|you should|don't (?:use|include|add|write)|do not (?:use|include|add|write))\b",
    re.IGNORECASE,
)
_SMALL_TALK: Final = re.compile(
    r"^\W*(?:(?:hi|hey|hello)(?: \w+){0,2}|good (?:morning|evening|night|afternoon|to (?:see|hear)|luck|job|idea|point|thing|for you)|"
    r"long time no (?:see|talk)|how are you|what's up|bye|goodbye|see (?:ya|you)|talk (?:to you )?(?:soon|later)|take care|"
    r"have (?:a|an|fun)\b.{0,30}|keep (?:it up|up|going|me posted|shining|spreading).{0,40}|no (?:worries|problem|doubt|way)|"
    r"you(?:'re| are) welcome|way to go|congrat\w*|well done|sounds (?:good|great|fun|awesome|amazing|cool|like)\b.{0,30}|"
    r"that(?:'s| is| sounds| must|'s got)\b.{0,24}|can't wait to (?:hear|see)\b.{0,40}|let me know\b.{0,50}|"
    r"(?:many )?(?:thanks?|thank you|thx)(?: so much| a lot| a bunch| again| again)*(?:,? \w+)?|(?:i )?(?:really )?appreciate (?:it|your|that|you)\b.{0,30}|"
    r"(?:i'm |i am )?(?:so |really |very )?(?:happy|glad|proud|sorry|excited|pleased) (?:for you|of you|to hear|you)\b.{0,40}|"
    r"it was (?:great|nice|good|so good) (?:talking|catching|chatting|to)\b.{0,30}|enjoy (?:your|the)\b.{0,30}|"
    r"here's (?:a|my|the|some|one)\b.{0,25}|(?:take a )?(?:look|check)\b.{0,25}|what (?:a|an)\b.{0,30}|yes,? i (?:do|did|am|have)|"
    r"wow\b.{0,20}|i (?:totally )?agree\b.{0,12}|you got (?:this|it)\b.{0,10})[.!]*$",
    re.IGNORECASE,
)
#: "Thanks for ...", if nothing else follows in the sentence.
_THANKS: Final = re.compile(
    r"^\W*(?:many )?(?:thanks|thank you|thx)\b(?:,? \w+,?)? (?:for|so much|a lot|again)\b[^-\u2013\u2014;,]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A turn without the parts that are not its speaker's statements.

    Attributes:
        text: what is left.
        document: whether most of the turn was pasted, so that the rest is little more than a heading.
        pasted: the document, if it should be read; empty if it is to be rewritten or translated.
    """

    text: str
    document: bool
    pasted: str = ""


def clean(text: str) -> Cleaned:
    """Remove files, code, quotations, pages and pasted documents."""
    body = _BLANKS.sub(" ", apart(text)[0].replace("\u2019", "'"))
    for fence in _FENCES:
        body = "\n".join(body.split(fence)[::2])  # code is between two fences
    body = _QUOTE_LINE.sub("", _ELEMENT.sub("", body))
    if (mail := mail_in(body)) is not None:
        body = body[: mail[0]] + body[mail[1] :]
    body = _PHOTO.sub("", body)
    lead = _PASTE_LEAD.search(body)
    pasted = ""
    asked = ""
    about = next((line.end() for line in _LINE.finditer(body[:HEAD_CHARS]) if asks_of_text(line[0])), len(body))
    if body[about:].strip():
        body, pasted = body[:about], body[about:].strip()
    elif lead is not None and len(body) - lead.end() > 200:
        asked = body[lead.start() : lead.end()]
        body, pasted = body[: lead.start()], body[lead.end() :]
    elif len(body) > HANDED_CHARS:
        head, _, rest = body.strip().partition("\n\n")
        if _hands_over(head, rest) or (len(body) > PASTE_CHARS and _looks_like_document(body)):
            asked = head
            body, pasted = (head, rest) if len(head) < HEAD_CHARS else ("", body)
    body = _INLINE_CODE.sub("", body)
    body = _QUOTED.sub("\u2026", body)
    body = _PAGE.sub("", body)
    lines = [line for line in body.splitlines() if not _CODE_LINE.search(line)]
    if len(lines) < len(body.splitlines()):
        lines = [line for line in lines if not _COMMENT.match(line)]
    return Cleaned("\n".join(lines).strip(), bool(pasted), "" if _TO_CHANGE.search(asked) else pasted)


def _hands_over(head: str, rest: str) -> bool:
    """Whether a paragraph asks for something to be done with the text that follows it."""
    if len(head) >= HEAD_CHARS or len(rest) < HANDED_CHARS:
        return False
    asks = is_question(head) or head.endswith(":") or is_order(head)
    return asks and (_HANDS_OVER.search(head) is not None or _looks_like_document(rest))


def _looks_like_document(text: str) -> bool:
    """Whether it is a long text with paragraphs, headings or lists and hardly any "I"."""
    first = len(FIRST_PERSON.findall(text))
    words = max(1, len(text.split()))
    blocks = text.count("\n\n") + len(re.findall(r"^[ \t]*(?:[-*#]|\d+[.)])[ \t]", text, re.MULTILINE))
    return first / words < 0.015 and (blocks >= 2 or first == 0)


def spelled_out(text: str) -> str:
    """Spell out what parsers misread.

    Numbered items get lines of their own, contractions their apostrophe, a noun's "'s" that owns nothing becomes "is"
    or "has", introductions and spliced questions become sentences, months are capitalized, the left-out subject of
    "Got rid of it" and "Doctor upped my dose" is added, and immediate self-corrections are applied.
    """
    text = _ASIDE.sub(lambda found: f"{found[2] or '.'} {found[1]}.", _ABOUT_SELF.sub(r"\1. ", itemized(text)))
    text = _LETS.sub(r"\1let's", _HENCEFORTH.sub("from now on,", _AGAIN.sub("", _FILLER.sub("", text))))
    text = with_apostrophes(_SPLICED.sub(r"\g<said>. ", _LEAD.sub(r"\1. ", _QUESTION.sub("", text))))
    text = _NAMES.sub(r"\1 is ", text)
    text = _IS.sub(lambda found: found["owned"] or " is", _HAS.sub(" has", text))
    text = _ANY_MORE.sub("anymore", _MONTH.sub(lambda found: found[0].capitalize(), text))
    text = _PUT.sub("I ", _NEW.sub(r"my new \g<who> is ", text))
    text = _CAME.sub(r"my new", _person().sub(_owned, _did().sub(_with_self, _RANG.sub("", text))))
    for begin, end, meant in reversed(corrections.mended(text)):
        text = text[:begin] + meant + text[end:]
    return text


def itemized(text: str) -> str:
    """Return a text with numbered items on lines of their own."""
    numbers = list[re.Match[str]]()
    for found in _NUMBER.finditer(text):
        if int(found[1]) == len(numbers) + 1:
            numbers.append(found)
    for found in reversed(numbers if len(numbers) > 1 else ()):
        before = text[: found.start()].rstrip()
        text = f"{before}{'.' if before[-1:].isalnum() else ''}\n- {text[found.end() :]}".lstrip()
    return text


_OPENING: Final = r"(?P<lead>(?:^|(?<=[.!?]\s)|(?<=\n))(?:(?:{before})(?:,|\.\.\.|!)? )*)"


def _opening() -> str:
    return _OPENING.format(before="|".join(sorted(language_data("en").words("elided", "before"), reverse=True)))


@cache
def _did() -> re.Pattern[str]:
    """Return a pattern for a past-tense verb that opens a sentence."""
    data = language_data("en")
    past, takes = ("|".join(sorted(data.words("elided", name), reverse=True)) for name in ("past", "takes"))
    return re.compile(
        rf"{_opening()}(?P<verb>(?:{past})|(?:re|un|over|out)(?:{past})|[a-z]{{2,}}ed)(?= (?:(?P<object>{takes})\b|(?P<named>[A-Z\d])|[a-z]))(?! by\b)",
        re.IGNORECASE | re.MULTILINE,
    )


def _with_self(found: re.Match[str]) -> str:
    """Put "I" before a verb that can only be about oneself: "Got rid of the Golf", "Finally cancelled Hulu"."""
    data, verb = language_data("en"), found["verb"].lower()
    takes = found["object"] is not None or (found["named"] or "").isupper()
    if verb.removeprefix("re").removeprefix("out").removeprefix("over") in data.words("elided", "past"):
        told = takes or verb not in data.words("elided", "either")
    else:
        told = stem(verb) in _verbs() and (takes or bool(found["lead"]))
    if not told:
        return found[0]
    lead, inner = found["lead"], found["lead"].lower().strip() in data.words("elided", "adverbs")
    return f"I {lead.lower()}{verb}" if inner else f"{lead}I {verb}"


@cache
def _verbs() -> frozenset[str]:
    """Return the verbs of change, beginning and end."""
    lexicon = lexicon_of("en")
    told = (*lexicon.endings, *lexicon.changes, *lexicon.exchanges, *lexicon.enters, *lexicon.reaches)
    return frozenset(first for verb in told if (first := verb.split(" ")[0]) not in {"be", "get"})


@cache
def _person() -> re.Pattern[str]:
    """Return a pattern for somebody of the speaker's who opens a sentence without "my"."""
    data = language_data("en")
    people = data.words("people", "she", "he", "either") - data.words("people", "animals")
    who, tells = "|".join(sorted(people, reverse=True)), "|".join(sorted(data.words("elided", "tells"), reverse=True))
    return re.compile(rf"{_opening()}(?P<who>{who})(?= (?:{tells})\b)", re.IGNORECASE | re.MULTILINE)


def _owned(found: re.Match[str]) -> str:
    """Put "my" before somebody, unless the word is used as a name: "Mum"."""
    by_name = found["who"].istitle() and found["who"].lower() in language_data("en").words("people", "she", "he")
    return found[0] if by_name else f"{found['lead']}my {found['who'].lower()}"


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks."""
    return sentence.rstrip(" \"'\u201d)").endswith("?")


def is_hypothetical(sentence: str) -> bool:
    """Return whether a sentence supposes instead of stating."""
    return _HYPOTHETICAL.match(sentence) is not None


def is_order(sentence: str) -> bool:
    """Return whether a sentence orders the assistant to do something now."""
    return _ORDER.match(sentence) is not None


def is_small_talk(sentence: str) -> bool:
    """Return whether a sentence is a greeting, thanks, praise or a farewell."""
    text = sentence.strip()
    return _SMALL_TALK.match(text) is not None or _THANKS.match(text) is not None
