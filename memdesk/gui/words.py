"""Times, ages and names, worded for the user."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QLocale, QTime

from memdesk.domain.models import FactKind, FactStatus
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from memdesk.ports import Clock, Usage
    from memdesk.services.chatting import FinishReason


def ago(when: datetime, now: datetime) -> str:
    """Return an age such as ``3 days ago``."""
    span = now - when
    if span < timedelta(minutes=1):
        return tr("just now")
    if span < timedelta(hours=1):
        return tr("%n minutes ago", "", int(span.total_seconds() // 60))
    if span < timedelta(days=1):
        return tr("%n hours ago", "", int(span.total_seconds() // 3600))
    if span < timedelta(days=60):
        return tr("%n days ago", "", span.days)
    if span < timedelta(days=730):
        return tr("%n months ago", "", span.days // 30)
    return tr("%n years ago", "", span.days // 365)


def lasting(seconds: float) -> str:
    """Return roughly how long something takes: ``about 25 minutes``."""
    if seconds < 45:
        return tr("less than a minute")
    if seconds < 90 * 60:
        return tr("about %n minutes", "", max(1, round(seconds / 60)))
    if seconds < 48 * 3600:
        return tr("about %n hours", "", round(seconds / 3600))
    return tr("about %n days", "", round(seconds / 86400))


def day(when: date) -> str:
    """Return a date with the month as a word, so that day and month are not confused."""
    return QLocale().toString(QDate(when.year, when.month, when.day), tr("d MMM yyyy", "pattern of a date"))


def expiry(when: datetime, clock: Clock) -> str:
    words = tr("expires on {day}") if when > clock.now() else tr("expired on {day}")
    return words.format(day=day(clock.local(when)))


def weekday(when: datetime) -> str:
    """Return a date with its day of the week and the time."""
    name = QLocale().dayName(when.isoweekday(), QLocale.FormatType.LongFormat)
    return f"{name}, {moment(when)}"


def moment(when: datetime) -> str:
    """Return date and time in the user's short form."""
    return f"{day(when)}, {clock(when)}"


def clock(when: datetime) -> str:
    """Return a time of day in the user's short form."""
    return QLocale().toString(QTime(when.hour, when.minute), QLocale.FormatType.ShortFormat)


def answer_figures(usage: Usage | None, finish: FinishReason) -> str:
    """Return how an answer ended unless normally, its time, speed and length."""
    early = {
        "stopped": tr("stopped"),
        "length": tr("cut off at the length limit"),
        "repeating": tr("ended because it kept repeating itself"),
    }
    parts = [early[finish]] if finish in early else []
    if usage is not None and usage.completion_tokens:
        if usage.completion_seconds > 0:
            parts.append(tr("{n} s").format(n=number(usage.prompt_seconds + usage.completion_seconds, 1)))
            speed = usage.completion_tokens / usage.completion_seconds
            parts.append(tr("{n} tokens/s").format(n=number(speed, 0 if speed >= 100 else 1)))
        parts.append(tr("%n tokens", "", usage.completion_tokens))
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """Return a short time such as ``12 s`` or ``2 min 5 s``."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes:
        return tr("{m} min {s} s", "a duration").format(m=minutes, s=rest)
    return tr("{s} s", "a duration").format(s=rest)


def elapsed(milliseconds: float) -> str:
    """Return how long something took, such as ``73 ms`` or ``35 s``."""
    if milliseconds >= 1000:
        return duration(milliseconds / 1000)
    return tr("{n} ms").format(n=number(milliseconds))


def share(value: float) -> str:
    """Return a number between 0 and 1 in the user's format."""
    return QLocale().toString(value, "f", 2)


def number(count: float, digits: int = 0) -> str:
    """Return a number in the user's format, with ``digits`` after the decimal point."""
    return QLocale().toString(float(count), "f", digits)


def percent(value: float) -> str:
    """Return a share between 0 and 1 as a percentage in the user's format."""
    return tr("{n}%", "a percentage").format(n=number(value * 100))


def size(count: float) -> str:
    """Return bytes in the user's format."""
    return QLocale().formattedDataSize(round(count), 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def quoted(text: str) -> str:
    """Return a text in the language's quotation marks."""
    return tr("“{text}”", "a quotation").format(text=text)


def kind_name(kind: str) -> str:
    """Return the name of a kind of fact or receipt line."""
    names = {
        FactKind.IDENTITY: tr("About you"),
        FactKind.PREFERENCE: tr("Preference"),
        FactKind.DECISION: tr("Decision"),
        FactKind.COMMITMENT: tr("Commitment"),
        FactKind.RELATIONSHIP: tr("Relationship"),
        FactKind.EVENT: tr("Event"),
        FactKind.SKILL: tr("Skill"),
        FactKind.CORRECTION: tr("Change"),
        FactKind.OTHER: tr("Other"),
        "fact": tr("Fact"),
        "episode": tr("Episode"),
        "detail": tr("Detail"),
        "turn": tr("Message"),
    }
    return names.get(kind, kind)


def type_name(type_: str) -> str:
    """Return the name of a type of item or entity; custom ones are shown unchanged."""
    names = {
        "factual": tr("Factual"),
        "episodic": tr("Episodic"),
        "procedural": tr("Procedural"),
        "semantic": tr("Semantic"),
    }
    return names.get(type_, entity_type_name(type_))


def secret_name(kind: str) -> str:
    names = {
        "card number": tr("Card number"),
        "account number": tr("Account number"),
        "key": tr("Key or token"),
        "password": tr("Password or code"),
        "recovery phrase": tr("Recovery phrase"),
        "social security number": tr("Social security number"),
        "identity number": tr("Identity number"),
    }
    return names.get(kind, kind)


def status_name(status: str) -> str:
    names = {
        FactStatus.ACTIVE: tr("Active"),
        FactStatus.DISABLED: tr("Disabled"),
        FactStatus.REVIEW: tr("Waits for review"),
        FactStatus.QUARANTINED: tr("Quarantined"),
        FactStatus.SUPERSEDED: tr("Superseded"),
        FactStatus.MERGED: tr("Merged"),
        FactStatus.BINNED: tr("In the bin"),
    }
    return names.get(status, status)  # type: ignore[call-overload, no-any-return] # a status is its text


def model_name(model_id: str) -> str:
    """Return the short name of a model id, for one line."""
    name = model_id.partition(":")[2] or model_id
    return name.replace("\\", "/").rpartition("/")[2].removesuffix(".gguf")


def server_of(model_id: str) -> str:
    """Return the name of a model's server; empty for a local one."""
    return model_id.removeprefix("remote:").partition("/")[0] if model_id.startswith("remote:") else ""


def engine_state_name(state: str) -> str:
    names = {
        "stopped": tr("at rest"),
        "starting": tr("starting"),
        "ready": tr("ready"),
        "busy": tr("working"),
        "backoff": tr("restarting"),
        "failed": tr("failed"),
    }
    return names.get(state, state)


def run_status_name(status: str) -> str:
    names = {
        "running": tr("running"),
        "done": tr("done"),
        "cancelled": tr("stopped"),
        "failed": tr("failed"),
        "undone": tr("undone"),
    }
    return names.get(status, status)


def count_name(name: str) -> str:
    names = {
        "agents": tr("Agents"),
        "conversations": tr("Conversations"),
        "turns": tr("Messages"),
        "facts": tr("Facts"),
        "episodes": tr("Episodes"),
        "identity": tr("Lines about you"),
        "entities": tr("People and things"),
    }
    return names.get(name, name.replace("_", " "))


def section_name(section: str) -> str:
    names = {
        "identity": tr("About you"),
        "pinned": tr("Facts"),
        "episode": tr("Episodes"),
        "transcript": tr("Exact words"),
        "none": tr("No memory"),
    }
    return names.get(section, section)


def rule_name(rule: str) -> str:
    """Return why the gate chose a section; unnamed rules are shown by id."""
    way, _, inner = rule.rpartition(":")
    said_before = tr("an earlier conversation")
    words = tr("exact words")
    about = tr("about you")
    names = {
        "phrase": tr("a phrase of yours"),
        "entity": tr("a known name"),
        "name": tr("a person or thing it knows"),
        "memory": tr("something is remembered about it"),
        "nothing-known": tr("nothing is remembered about it"),
        "wording": tr("worded like a question about memory"),
        "llm": tr("the core model chose"),
        "off": tr("the gate is off"),
        "asked": tr("asked for"),
        "short": tr("one word alone"),
        "none": tr("it asks for nothing remembered"),
        "guard": tr("a task, not about you"),
        **dict.fromkeys(("past", "recent", "when"), tr("a past time")),
        **dict.fromkeys(("about-i", "about-me", "mine", "who-am-i", "where-i-live"), about),
        **dict.fromkeys(("we-talked", "we-discussed", "did-we", "our-chat", "you-said", "recall"), said_before),
        **dict.fromkeys(("asked-to-recall", "remember-when"), said_before),
        **dict.fromkeys(("exact-words", "quote", "verbatim", "what-i-said", "log"), words),
    }
    name = names.get(inner, inner.replace("-", " "))
    # The core model should have chosen, but was late, unclear or failed: the rules decided.
    return tr("{rule}; the core model did not choose").format(rule=name) if way else name


def mode_name(mode: str) -> str:
    return tr("words and meaning") if mode == "hybrid" else tr("words alone")


def left_out_name(reason: str) -> str:
    """Return why a line was left out of a reply's memory."""
    names = {
        "budget": tr("no room"),
        "noise": tr("too weak"),
        "duplicate": tr("a repeat"),
        "muted": tr("not used here"),
        "local_only": tr("kept on this machine"),
        "order": tr("reads like an instruction"),
    }
    return names.get(reason, reason)


def entity_type_name(type_: str) -> str:
    """Return the name of a type of entity; a model's own types are shown unchanged."""
    names = {
        "person": tr("Person"),
        "pet": tr("Pet"),
        "place": tr("Place"),
        "organisation": tr("Organization"),
        "project": tr("Project"),
        "product": tr("Product"),
        "tool": tr("Tool"),
        "other": tr("Other"),
    }
    return names.get(type_, type_)


def entity_icon(type_: str) -> str:
    icons = {
        "person": "user",
        "place": "globe",
        "organisation": "users",
        "project": "folder",
        "product": "boxes",
        "tool": "wrench",
    }
    return icons.get(type_, "tag")


def relation_name(predicate: str) -> str:
    """Return the name of a relation, as in "Ruth lives in Perth"; a program's own are shown unchanged."""
    names = {
        "works_at": tr("works at"),
        "studies_at": tr("studies at"),
        "lives_in": tr("lives in"),
        "born_in": tr("was born in"),
        "comes_from": tr("comes from"),
        "reports_to": tr("reports to"),
        "partner_of": tr("is the partner of"),
        "married_to": tr("is married to"),
        "engaged_to": tr("is engaged to"),
        "sibling_of": tr("is a sibling of"),
        "parent_of": tr("is a parent of"),
        "grandparent_of": tr("is a grandparent of"),
        "grandmother_of": tr("is a grandmother of"),
        "grandfather_of": tr("is a grandfather of"),
        "aunt_of": tr("is an aunt of"),
        "uncle_of": tr("is an uncle of"),
        "niece_of": tr("is a niece of"),
        "nephew_of": tr("is a nephew of"),
        "cousin_of": tr("is a cousin of"),
        "girlfriend_of": tr("is the girlfriend of"),
        "boyfriend_of": tr("is the boyfriend of"),
        "friend_of": tr("is a friend of"),
        **dict.fromkeys(("neighbor_of", "neighbour_of"), tr("is a neighbor of")),
        **dict.fromkeys(("roommate_of", "flatmate_of", "housemate_of"), tr("shares a home with")),
        **dict.fromkeys(("colleague_of", "coworker_of"), tr("is a colleague of")),
        **dict.fromkeys(("boss_of", "manager_of", "supervisor_of"), tr("is the boss of")),
        "assistant_of": tr("is an assistant of"),
        "client_of": tr("is a client of"),
        "doctor_of": tr("is the doctor of"),
        "dentist_of": tr("is the dentist of"),
        "therapist_of": tr("is the therapist of"),
        "teacher_of": tr("is a teacher of"),
        "coach_of": tr("is a coach of"),
        "landlord_of": tr("is the landlord of"),
        "landlady_of": tr("is the landlady of"),
        "tenant_of": tr("is a tenant of"),
        "founded": tr("founded"),
        "owns": tr("owns"),
        "leads": tr("leads"),
        "manages": tr("manages"),
    }
    role, of, _ = predicate.rpartition("_of")
    words = tr("is {role} of").format(role=role.replace("_", " ")) if of else predicate.replace("_", " ")
    return names.get(predicate, words)


def change_name(action: str) -> str:
    names = {
        "add": tr("added"),
        "edit": tr("edited"),
        "decay": tr("faded"),
        "merge": tr("merged"),
        "promote": tr("strengthened"),
        "supersede": tr("replaced"),
        "evict": tr("moved to the bin"),
        "prune": tr("removed"),
        "restore": tr("restored"),
        "accept": tr("accepted"),
        "reject": tr("rejected"),
        "forget": tr("forgotten"),
        "undo": tr("undone"),
        "ingest": tr("recorded"),
    }
    return names.get(action, action)


def actor_name(actor: str) -> str:
    names = {
        "user": tr("You"),
        "distiller": tr("Distillation"),
        "consolidator": tr("Consolidation"),
        "api": tr("A program"),
        "import": tr("Import"),
    }
    return names.get(actor, actor)


def source_name(source: str) -> str:
    """Return the name of the program that a chat was imported from; file names are kept."""
    names = {
        "chatgpt": "ChatGPT",
        "claude": "Claude",
        "openwebui": "Open WebUI",
        "lmstudio": "LM Studio",
        "jan": "Jan",
        "gemini": "Gemini",
        "grok": "Grok",
        "librechat": "LibreChat",
        "anythingllm": "AnythingLLM",
        "osaurus": "Osaurus",
        "json": "JSON",
        "markdown": "Markdown",
    }
    return names.get(source, source)


def beside_name(kind: str, count: int) -> str:
    """Return how many parts of a kind an import omits; empty for unnamed kinds."""
    names = {
        "thoughts": tr("%n thoughts of models", "", count),
        "tools": tr("%n tool calls and results", "", count),
        "files": tr("%n pictures and files", "", count),
        "instructions": tr("%n instructions and hidden messages", "", count),
        "versions": tr("%n messages of other versions", "", count),
    }
    return names.get(kind, "")


def speaker_name(role: str) -> str:
    return tr("You") if role == "user" else tr("Agent")


def thing_name(kind: str) -> str:
    """Return the name of a remembered thing in the log of changes."""
    names = {
        "identity": tr("Line about you"),
        "entity": tr("Name"),
        "conversation": tr("Conversation"),
        "agent": tr("Agent"),
    }
    return names.get(kind) or kind_name(kind)
