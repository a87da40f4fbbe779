"""Patterns by which :mod:`memdesk.domain.requests` reads chats with an assistant, in English and German.

French and Spanish are in :mod:`memdesk.domain.request_patterns_romance`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memdesk.domain.kinds import RELATIVES

#: Matches nothing: for what a language has no patterns for.
NEVER: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """One language.

    Attributes:
        material: a request up to the colon or line break after which its material begins.
        letter: the line that opens a letter.
        compose: a request for a text.
        fiction: a request for something invented; ``role``: in which the speaker plays a part, so that "I" is not them.
        hypothetical: opens a supposition; ``conditional`` goes on with it.
        question: a question, also without its mark.
        small_talk: greetings that :mod:`noise` does not know.
        standing: what is to hold from now on, though it reads like a request.
        order: an order to the assistant.
        wish: the same as "I need a regex".
        about_answer: speaks of the answer or of what the code did.
        pointing: opens with "it", "that", "you".
        first_person: speaks of the speaker.
        named: names somebody or a date.
        asks: where a request or a question begins inside a sentence.
        tail: a reason given at the end of one; ``said`` is the statement.
        relative: "my daughter Emma" inside one.
        capacity: "As a diabetic" at the start of one.
        between_us, courtesy: an assistant's sentences on its user and itself, and those that say nothing.
    """

    material: re.Pattern[str]
    letter: re.Pattern[str]
    compose: re.Pattern[str]
    fiction: re.Pattern[str]
    role: re.Pattern[str]
    hypothetical: re.Pattern[str]
    conditional: re.Pattern[str]
    question: re.Pattern[str]
    small_talk: re.Pattern[str]
    standing: re.Pattern[str]
    order: re.Pattern[str]
    wish: re.Pattern[str]
    about_answer: re.Pattern[str]
    pointing: re.Pattern[str]
    first_person: re.Pattern[str]
    asks: re.Pattern[str]
    between_us: re.Pattern[str]
    named: re.Pattern[str] = NEVER
    tail: re.Pattern[str] = NEVER
    relative: re.Pattern[str] = NEVER
    capacity: re.Pattern[str] = NEVER
    courtesy: re.Pattern[str] = NEVER


def _p(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


_LEAD: Final = r"^\W*(?:(?:please|now|then|ok(?:ay)?|so|and|but|also|just|next|great|thanks|hey|hi|hello|alright|no|yes|good|can you|could you|would you|will you|can we|help me)\b[,!.]?\s+)*"
_TEXT_VERBS: Final = (
    "re-?write|re-?phrase|paraphrase|translate|proof-?read|correct|check|improve|shorten|polish|edit|fix|format|convert|"
    "explain|summari[sz]e|review|analy[sz]e|solve|write|compose|draft|reply|answer|respond|continue|complete|simplify|"
    "refactor|debug|extract|classify|make|turn|put|read|evaluate|grade|say"
)
_ORDERS: Final = (
    f"{_TEXT_VERBS}|act as|add|ask|assume|brainstorm|build|calculate|change|choose|clean|come up|compare|compute|"
    "count|create|define|describe|design|do not|don't|draw|elaborate|expand|fill|find|focus|generate|get|give|go|help|"
    "identify|ignore|imagine|implement|include|insert|interpret|keep it|keep the|let's|let us|list|look up|mention|merge|modify|name|"
    "optimi[sz]e|organi[sz]e|outline|plan|predict|prepare|present|print|propose|provide|quiz|rank|rate|recommend|"
    "reformulate|remove|rename|repeat|replace|research|return|reverse|run|search|send|set|show|sort|split|start over|stop|"
    "suggest|teach|tell|test|think|transform|try|update|use|validate|verify|wait|walk|you (?:must|should|can|may|have to|need to)"
)
_ARTEFACTS: Final = (
    "regex|regular expression|script|function|quer(?:y|ies)|poem|stor(?:y|ies)|e-?mail|mail|letter|lists?|table|summary|examples?|"
    "version|recipe|text|code|explanation|translation|title|ideas?|suggestions?|tips?|advice|ending|sentences?|words?|paragraph|"
    "answers?|responses?|solutions?|way|tool|command|formula|outline|overview|plan|menu|image|picture|logo|slogan|caption|essay|"
    "report|article|speech|quiz|questions?|steps?|program|macro|template|diagram|comparison|definition|synonyms?"
)
ENGLISH: Final = Patterns(
    material=_p(
        rf"(?:^|[.!?\n])[^\w\n]{{0,10}}(?:(?:please|now|then|ok(?:ay)?|so|and|also|hey|hi|hello|can you|could you|would you)\b,?\s+){{0,6}}"
        rf"(?:(?:{_TEXT_VERBS})\b[^\n.!?:]{{0,120}}(?::|\n)|(?:here(?:'s| is| are)|below (?:is|are))\b[^\n.!?:]{{0,60}}\b"
        r"(?:text|mail|e-?mail|letter|draft|article|code|error|log|essay|paragraph|story|document|page|transcript|notes|abstract|output|list|cv|resume|poem|schedule|data|table|minutes|recipe|contract|clause|message|post)s?\b[^\n.!?:]{0,40}(?::|\n)|"
        # what others wrote, without quotation marks.
        r"(?:some(?:one|body)|a (?:guy|woman|man|user|person)|he|she|they|reddit|the internet|an? (?:article|post|comment|forum))\b[^\n.!?:]{0,40}\b(?:wrote|writes|posted|says|said|commented|reads|asks|asked)\b[^\n.!?:]{0,20}:)"
    ),
    letter=_p(r"^[ \t]*(?:dear|hi|hello|good (?:morning|afternoon|evening)|to whom)\b[^\n]{0,40},[ \t]*\n\s*\S", re.IGNORECASE | re.MULTILINE),
    compose=_p(rf"{_LEAD}(?:{_TEXT_VERBS}|generate|create)\b"),
    fiction=_p(
        r"\b(?:write|tell|compose|create|make up|generate|continue|invent|give|sing|improvise)\b[^.!?\n]{0,60}\b(?:stor(?:y|ies)|poems?|songs?|lyrics|haikus?|"
        r"limerick|novel|chapter|scene|dialogue|screenplay|play|fairy ?tale|joke|fan ?fiction|sketch|characters?|rap|sonnet|ballad|monologue|verse)\b|"
        r"\brole-?play|\bpretend\b|point of view\b|\blet's play\b|\bin the story\b|^\W*the (?:hero|protagonist|main character)\b|"
        r"^\W*continue (?:the|this|my) (?:story|poem|scene|chapter)"
    ),
    role=_p(r"\brole-?play|\bpretend\b|\blet's play\b|\b(?:i am|i'm|i was|i play|i have|i live|with me as|make me|about me)\b"),
    hypothetical=_p(
        r"^\W*(?:and |but |so )?(?:if (?:i|we|you|my|he|she|it|they|someone|there|the|a)\b|imagine|suppose|supposing|let's (?:say|assume)|what if|pretend|say (?:i|we|my)\b|assume|assuming|hypothetically|"
        r"for example|e\.g\.|once upon a time|as if (?:i|we)\b|i (?:really )?wish (?:i|we|my|it|there)\b|(?:yeah|sure|ha),? right\b|oh,? (?:great|joy|wonderful|fantastic|brilliant),? )"
    ),
    conditional=_p(r"\b(?:would|could|might|were)\b|\w'd\b|^\W*then\b"),
    question=_p(
        r"^\W*(?:(?:and|but|so|ok(?:ay)?|also|hey|hi|then)\b,?\s+)*(?:(?:what|how|why|where|who|which|when)(?:'s|s| is| are| was| were| do| does| did| can| could| should| would| will| to| much| many| come| about| long| far| often| kind| if| i do)\b|"
        r"(?:is|are|do|does|did|can|could|should|would|will|may|any)\b|have you\b|has (?:it|he|she|anyone)\b)"
    ),
    small_talk=_p(r"^\W*(?:(?:(?:got|gotta|have to|need to) (?:run|go)|ttyl|brb|(?:one|a) (?:sec|second|moment|minute)|(?:ok(?:ay)?,? )?(?:i'm |im )?back)\b[^.]{0,12}|(?:and )?i(?:'m| am)(?: so| really| very| a (?:bit|little)| kind of| pretty| totally| completely| just| feeling)* (?:tired|exhausted|hungry|bored|nervous|confused|stuck|back|here|ready|done|curious|lost|busy|excited|sure|not sure|fine|ok(?:ay)?|good|stressed|annoyed|frustrated|happy|sad)(?: (?:now|today|again|too|lol|haha))*[.!]*$|just (?:saying|wanted to say) (?:hi|hello|thanks|thank)\b.*|(?:great|perfect|nice|cool|awesome|good|thanks|thank you|ok(?:ay)?)\b[,!. ]*(?:that|it|this)? ?(?:works?|helps?|helped|worked|is (?:great|good|fine|perfect))?(?: now| a lot)?[.!]*|how (?:is it going|are things)\b.*)$"),
    standing=_p(r"^\W*(?:please |and |also )*(?:always |just )?(?:call me|remember|note that|keep in mind|bear in mind|don't forget|do not forget|remind me)\b"),
    order=_p(rf"{_LEAD}(?:{_ORDERS})\b(?! i\b)|^\W*here(?:'s| is| are) (?:my|the|a|an|some) |^\W*as an? [\w' -]{{3,60}}, (?:please )?(?:{_ORDERS})\b|^\W*for (?:the|this|your|all|any)\b[^.]{{0,30}}, (?:{_ORDERS})\b"),
    wish=_p(
        r"^\W*(?:(?:and|but|so|now|then|also|no|ok(?:ay)?|please|actually)\b,?\s+)*i(?:'d| would)?(?: really| just| only| also| still)* (?:want|need|like|love|wish|prefer|am looking for|'m looking for)\b(?: to have| to get| to see)?\s+"
        r"(?:you\b|it\b(?! for\b)|this\b|that\b(?! (?:by|before|until|on|for)\b)|only\b|help\b|your\b|more\b|to (?:know|see|understand|ask|get (?:a|an|the|some|it)|make (?:it|this|that|sure|the)|write|create|generate|convert|sort|find out|delete|drop|select|count|filter|join|insert|loop|"
        rf"print|parse|extract|calculate|compare|be able|display|center|implement|add|remove|use (?:a|the|it|this|that|them|these))\b|(?:(?:a|an|the|some|another|one|two|three|four|five|ten|\d+)\s+)(?:[\w-]+\s+){{0,4}}?(?:{_ARTEFACTS})\b)"
    ),
    about_answer=_p(
        r"\b(?:i think (?:it|that|this|you|the (?:first|second|third|last|other|former|latter))\b|i(?:'ve| have) (?:checked|tried|already)\b|i (?:prefer|like|choose|take|want) the (?:first|second|third|last|other|former|latter)\b|"
        r"i have an? (?:\w+ )?(?:list|table|file|string|array|data ?frame|csv|json|function|class|script|column|loop|variable|dictionary|spreadsheet|sheet|object|method|query|component)\b|i(?:'m| am) getting (?:an? \d|an? \w*error|the (?:same|error)|nothing|no\b)|"
        r"\b(?:exit code|stack ?trace|segfault|compile[rs]?|null ?pointer|syntax|undefined)\b|\bmy (?:[\w-]+ ){0,2}(?:code|script|build|query|function|loop|regex|test|tests|program|page|app|container|pipeline|macro|formula|import|request)\b[^.]{0,30}\b(?:fails?|failed|crash\w*|throws?|hangs?|prints?|returns?|gives?|raises?|breaks?|loops?|errors?|stops?|says?|shows?)\b|"
        r"\bi (?:always |often |keep |kept )?(?:forget|forgot|forgetting|knew|know|understand|believe|guess) (?:that|it|this|you|so)\W*$|\bi (?:do not|don't|didn't) believe\b|\blove it when\b|\bjust what i needed\b|"
        r"i (?:meant|tried (?:it|that|this|your|the)|see(?:\W*$|,| (?:that|it|what|now|why|how)\b)|don't (?:understand|get it|know|see|think so|mean)|do not (?:understand|know)|didn't (?:understand|mean|ask)|asked (?:you|for)|get (?:an?|the|this|no)\b|got (?:an?|the|this) (?:\w+ )?(?:error|warning|message|exception)|"
        r"(?:have|had|'ve got|got) (?:a|an|another|one more|some|two|a few)(?: \w+)? (?:question|problem with|issue with|doubt|request|task)s?|keep getting|am getting|'m getting)|"
        r"\w+(?:error|exception)\b|error(?: message)?s?\b|traceback|(?:doesn't|does not|didn't|isn't|not) work(?:ing)?\b|works now|i (?:really |just )?(?:like|love|appreciate) (?:how|that|when|it when|the way) you\b|your (?:answer|code|suggestion|solution|last|previous|first|version|example|explanation|reply|response|list)|"
        r"^\W*(?:no|yes|ok|hm+)\W*i (?:meant|mean)|i(?:'m| am) (?:stuck|confused|asking|wondering|trying to (?:get|make|find|fix|run|install|write|build|compile|understand|figure|use|open|center|convert|parse|connect|solve|print|sort|load|do|implement|debug)))"
    ),
    pointing=_p(r"^\W*(?:(?:and|but|so|no|yes|ok(?:ay)?|hm+|great|perfect|thanks|now|sorry|wrong)\b[,!.]?\s+)*(?:it|that|this|these|those|they|there|you|your|here)(?:'\w+)?\b"),
    first_person=_p(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours)\b|^\W*(?:was|been|bought|ordered|moved|booked|got|had|went|turned|started|finished|signed|sold|quit) "),
    named=_p(r"(?<=[\w,] )[A-Z][a-z]+|^[A-Z][a-z]+ (?:is|has|was|lives|works|will|loves|likes|moved|plays|and|died|passed|just|finally|doesn't|can't|won't|hates|got|said|wants|needs)\b|\b\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]+\b|\b(?i:(?:deadline|appointment|meeting|exam|flight|interview|wedding|birthday|address|salary|rent|budget|password hint|surgery) (?:is|starts|will be|was)\b)|^\W*(?i:(?:(?:and|but)\s+)?(?:mom|mum|dad|grandma|grandpa|she|he|his|her)\b)", 0),
    asks=_p(
        r"(?:,| -|;)\s+(?:(?:so|and|but|then|also|can|could)\s+)*(?:please\b|(?:can|could|would|will) (?:you|i|we)\b|should (?:i|we)\b|do (?:you|i)\b|is (?:it|there|that|this)\b|are there\b|any (?:idea|tip|advice|suggestion|recommendation|hint)s?\b|"
        r"(?:do|does|did|is|are|was|were|will|would|can|could|should|has|have|may) (?:it|that|this|they|there|i|we|you|he|she|my|any\w*)\b|"
        rf"(?:what|which|where|why|how|who)\b(?!ever)|when (?:is|are|do|does|should)\b|(?:{_TEXT_VERBS}|give me|help me|tell me|show me|suggest|recommend|plan|find me|list|create|generate)\b)|\s+(?:so|and|but)\s+(?:please|(?:can|could|would) you|help me|give me|tell me|show me)\b"
    ),
    tail=_p(
        r"(?:[,;]|\s-|\bbecause|\bsince|\bas|\bbut|\bgiven that|\band)\s+(?P<said>(?:i(?:'m| am|'ve| have)|i (?:don't|do not|can't|cannot|live|work|hate|love|like|prefer|moved|eat|only eat|drink|play|study|own|use)|"
        r"my (?:[\w-]+ ){1,3}(?:is|are|has|have|was|were|lives|works|likes|loves|hates|turns|can't|doesn't|don't|eats|plays)|we(?:'re| are| have| live))\b.*)$"
    ),
    capacity=_p(r"^\W*(?:(?:so|and|but|hi|hello|hey)\b,?\s+)*(?-i:As|as) an? (?!result|rule|matter|consequence|side|joke|start|first|last|test|reminder|reference|bonus|follow|quick|way|general|whole|example|expert|side)[\w' -]{3,60}?(?=,? (?:(?:what|how|when|where|why|which)(?:'s)? [\w ]{0,25}?(?:i|we|my)\b|(?:can|could|should|am|do|may|must|will|would|is|are) (?:i|we|my|there|it)\b|i\b|i'm\b|that's\b|my\b|we\b))"),
    relative=_p(rf"\bmy (?:(?:older|younger|little|big|best|new|twin|late|ex) )?(?:{RELATIVES}),? (?-i:[A-Z][a-z]+)\b"),
    between_us=_p(r"\b(?:i(?:'ve| have)(?: now| just| also)? (?!noted|understood|heard|learned|been|no\b)\w+(?:ed|en|nt|ade|ut)\b|(?:as )?you (?:told|said|mentioned|decided|chose|asked)|we (?:decided|agreed|chose|settled)|your (?:new )?[\w ]{2,30} (?:is|are|comes to|has been|will be)\b)"),
    courtesy=_p(
        r"[?]\s*$|\b(?:should|could|would|might|may|can|recommend|suggest)\b|^\W*(?:since|because|if|as)\b|^\W*(?:i(?:'m| am) (?:glad|happy|sorry|here|afraid|just|an ai|a language)|i (?:hope|can(?:'t)?|cannot|will|understand|see|apologi[sz]e|don't)|i'll|i'd be|i would be|let me|feel free|you(?:'re| are) (?:welcome|right)|"
        r"if you|please|here|sure|of course|certainly|absolutely|great|thank|would you|do you|you(?:'ll| will)|you can|you could|congrat|sounds|enjoy|how|what|noted|understood|got it)\b"
    ),
)  # fmt: skip

_DE_LEAD: Final = r"^\W*(?:(?:bitte|nun|jetzt|dann|ok(?:ay)?|und|aber|auch|noch|danke|hallo|hi|gut|super|kannst du|könntest du|können sie|könnten sie)\b[,!.]?\s+)*"
_DE_TEXT: Final = (
    r"schreib\w*|übersetz\w*|korrigier\w*|formulier\w*|umformulier\w*|verbesser\w*|kürz\w*|fass\w*|prüf\w*|überprüf\w*|erklär\w*|"
    r"beantwort\w*|antworte|analysier\w*|lies|löse?|mach\w*|erstell\w*|vereinfach\w*"
)
GERMAN: Final = Patterns(
    material=_p(rf"(?:^|[.!?\n])[^\w\n]{{0,10}}(?:(?:bitte|nun|jetzt|dann|ok(?:ay)?|und|hallo|hi|kannst du|könntest du)\b,?\s+){{0,6}}(?:(?:{_DE_TEXT})\b[^\n.!?:]{{0,120}}(?::|\n)|hier (?:ist|sind)\b[^\n.!?:]{{0,80}}(?::|\n))"),
    letter=_p(r"^[ \t]*(?:sehr geehrte[rs]?|liebe[rs]?|hallo|hi|guten (?:tag|morgen|abend))\b[^\n]{0,50},[ \t]*\n\s*\S", re.IGNORECASE | re.MULTILINE),
    compose=_p(rf"{_DE_LEAD}(?:{_DE_TEXT})\b"),
    fiction=_p(r"\b(?:schreib|erzähl|dichte|erfinde|reim|sing)\w*\b[^.!?\n]{0,60}\b(?:geschichten?|gedichte?|märchen|lied|song|witze?|roman|szene|dialog|reim|krimi|sketch)\b|\brollenspiel|\btu so, als\b|\bstell dir vor\b|\bdu bist (?:jetzt |nun |ab jetzt )?(?:ein|eine|der|die)\b"),
    role=_p(r"\brollenspiel|\btu so|\bich (?:bin|war|habe|lebe|spiele)\b|\bich\b[^.!?]{0,60}\b(?:bin|war|wohne|lebe)\b|\bdu bist (?:jetzt|nun|ab jetzt)\b"),
    hypothetical=_p(r"^\W*(?:und |aber )?(?:wenn (?:ich|wir|man|du)\b[^.]*\b(?:würde|wäre|hätte|könnte|müsste)\w*|angenommen|stell dir vor|was wäre|nehmen wir an|falls|zum beispiel|z\. ?b\.|ich wünschte)"),
    conditional=_p(r"\b(?:würde|wäre|hätte|könnte|müsste|bräuchte)\w*\b"),
    question=_p(r"^\W*(?:(?:und|aber|also|ok(?:ay)?|hallo)\b,?\s+)*(?:was|wie|warum|wieso|wo|wer|welche[rsn]?|wann|woher|wohin|kannst|könntest|können|ist|sind|gibt|hast|haben sie|soll|darf|kann (?:ich|man|es))\b(?!,)"),
    small_talk=_p(r"^\W*(?:(?:passt scho\w*|bin (?:grad|gerade|kurz)\b[^.]{0,60}|(?:hallo|servus|hi|hey)[ ,]+(?:na|alles)\b[^.]{0,20}|ha(?:ha)+|ciao)|hallo|hi|hey|servus|moin|grüß (?:dich|gott)|guten (?:morgen|tag|abend)|danke\w*|vielen dank|besten dank|tschüss?|bis (?:bald|dann|später|morgen)|auf wiedersehen|gute (?:idee|nacht|frage)|super|toll|perfekt|prima|alles klar|ok(?:ay)?|gern\w*|schönen? (?:tag|abend|wochenende))\b(?:[ ,]+(?:dir|ihnen|dich|schön|sehr|auch|noch|zusammen|da|nochmal|euch|tschüss?|dann|bis bald)\b)*[ .!,]*$"),
    standing=_p(r"^\W*(?:bitte |und )*(?:nenn\w* mich|merk\w* dir|denk\w* daran|vergiss nicht|erinner\w* mich)\b"),
    order=_p(rf"{_DE_LEAD}(?:{_DE_TEXT}|gib|zeig\w*|nenn\w*|hilf|such\w*|finde?|empfiehl|schlag\w*|plane?|berechne|vergleich\w*|füge?|entferne?|ändere?|ersetze?|nimm|verwende?|benutze?|lass|sag\w*|erzähl\w*|sortier\w*|liste?|denk dir|tu|versuch\w*)\b(?! ich\b)"),
    wish=_p(r"^\W*(?:und |aber |jetzt |dann )?ich (?:brauche|möchte|will|hätte gern\w*|wünsche mir|suche)\b[^.]{0,50}\b(?:dass du|wissen|regex|skript|funktion|gedicht|geschichte|e-?mail|mail|brief|liste|tabelle|zusammenfassung|beispiele?|rezepte?|text|code|erklärung|übersetzung|ideen?|vorschl(?:ag|äge)|tipps?|antwort|lösung|hilfe|formel|überblick|frage)\b"),
    about_answer=_p(r"\b\w+(?:error|exception)\b|\bich (?:weiß|weiss|verstehe|glaube|dachte)\b\W*$|\bhab(?:e)?(?: ich)? (?:da )?(?:schon|bereits) (?:geschaut|gesucht|probiert|versucht)|\bich (?:meinte|meine)\b|\bich (?:verstehe (?:das |es )?nicht|weiß nicht|habe (?:es|das|deinen|dein) .{0,20}(?:versucht|probiert)|bekomme (?:einen|eine|die) (?:fehler|meldung)|habe (?:eine|noch eine|eine andere) frage)|fehlermeldung|funktioniert (?:nicht|immer|jetzt)|geht (?:nicht|immer noch)|deine? (?:antwort|code|lösung|vorschlag|text|version)"),
    pointing=_p(r"^\W*(?:(?:und|aber|nein|ja|ok(?:ay)?|super|danke|jetzt)\b[,!.]?\s+)*(?:es|das|dies\w*|du|dein\w*|hier)\b"),
    first_person=_p(r"\b(?:ich|mir|mich|mein\w*|wir|uns|unser\w*)\b|^\W*(?:hab|habe|hatte|muss|will|wollte|werde|kann|mag|brauche?|wohne?|arbeite|zieh\w*|war) "),
    named=_p(r"\b\d{1,2}\. (?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)\w*|^(?:(?:Herr|Frau|Dr\.) )?(?!Heute|Gestern|Morgen|Das|Es|Was|Wer|Wie|Hier|Dort|Dann|Jetzt|Danke|Alles|Dies|Die|Der|Man)[A-ZÄÖÜ][a-zäöü]+ (?:ist|hat|heißt|wohnt|lebt|arbeitet|geht|mag|isst|spielt|kommt|zieht|wird|war|studiert|lernt|und)\b|^\W*(?i:(?:und |aber )?(?:er|sie|seine?|ihre?) (?:\w+t|ist|hat|war|mag|kann|will|wird|muss|darf|\w+ (?:\w+t|ist|hat))\b)", 0),
    asks=_p(rf"(?:,|;| -| und| also)\s+(?:(?:also|und|bitte)\s+)*(?:bitte\b|kannst du|könntest du|können sie|hast du|gibt es|soll ich|(?:was|wie|wo|welche[rsn]?|warum) (?:kann|soll|ist|sind|gibt|mach|koch|muss|könnte)|(?:{_DE_TEXT}|gib mir|zeig mir|hilf mir|empfiehl mir|schlag mir)\b)"),
    tail=_p(r"(?:[,;]|\s-|\bdenn|\baber|\bund)\s+(?P<said>(?:ich (?:bin|habe|wohne|lebe|arbeite|esse|mag|liebe|hasse|trinke|spiele|lerne|studiere|komme)|mein[er]? \w+(?: \w+)? (?:ist|hat|wohnt|lebt|arbeitet|mag|isst|heißt|wird))\b.*)$"),
    capacity=_p(r"^\W*(?:Als|als) (?!ob\b|erstes|nächstes|letztes|ich\b|wir\b|er\b|sie\b|es\b|das\b|die\b|der\b|beispiel|antwort|titel|experte)(?:\w+ ){0,3}?[A-ZÄÖÜ]\w+(?= (?:was|wie|muss|soll|kann|darf|habe|bin|möchte|brauche|will)?\b ?(?:ich|wir|mir)\b|, (?:was|wie|welche\w*) (?:kann|soll|darf|muss) ich\b)"),
    between_us=_p(r"\b(?:wir haben (?:beschlossen|entschieden|vereinbart)|du hast (?:gesagt|erzählt|erwähnt|entschieden)|wie du (?:gesagt|erwähnt)|dein\w* [\w ]{2,30} (?:ist|sind|beträgt|betragen))\b"),
    courtesy=_p(r"[?]\s*$|\b(?:soll\w*|könn\w*|würde\w*|empfehl\w*|vorschlag\w*)\b|^\W*(?:ich (?:hoffe|kann|helfe|verstehe|freue)|gern\w*|natürlich|klar|hier|schön|toll|bitte|danke|viel|alles|wenn|falls|du kannst|sie können|möchtest|kein problem|dann|sehr|wie|was|lass)\b"),
)  # fmt: skip
