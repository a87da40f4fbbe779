"""Imports chats from other apps: with preview, resumable, repeatable without duplicates."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, Literal

from attrs import define

from memdesk.domain.chatting.folders import FOLDERS, Folder
from memdesk.domain.chatting.images import Image
from memdesk.domain.chatting.prompts import PROMPTS, Prompt
from memdesk.domain.items.item import IMPORTED, ME
from memdesk.errors import BadRequestError
from memdesk.ports import CancelToken, Repositories, Store
from memdesk.ports.seams import Remember
from memdesk.services.agents import AgentsService, check_prompt, put_prompt
from memdesk.services.events import AgentsChanged, ConversationsChanged, EventBus, ImportFinished, MemoryChanged
from memdesk.services.importing.archives.model import ArchivedChat, ArchivedMessage, Aside
from memdesk.services.importing.archives.walk import NoChats, Unreadable, read_chats
from memdesk.services.importing.everything import EverythingService, is_everything
from memdesk.services.recording import IngestService, IngestTurn, check_folder, put_folder, saved_folders

#: Maximum problems reported in full; more are only counted.
MAX_PROBLEMS: Final = 50
MAX_TITLES: Final = 20
MAX_OTHERS: Final = 5
MAX_KINDS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProblem:
    """Something of the archive that was not imported."""

    name: str
    reason: str


@dataclass(slots=True, kw_only=True)
class ImportReport:
    """What an import did, or in a dry run would do.

    Attributes:
        changed: existing chats that have grown or changed; they replace the old ones. For memdesk's own export 1 if
            only rows of existing chats are new.
        unchanged: chats that already exist verbatim, possibly continued here; left alone.
        kept: chats continued both here and there; the ones here are left alone.
        turns: messages of the new and the changed chats.
        sources: chats by the app they come from.
        left_out: their contents other than messages, by kind (``thoughts``, ``tools``, ``files``, ``instructions``,
            ``versions``); other names are the source's own, of unknown parts.
        rows: new and existing rows by kind: of memdesk's own export, and of other apps' data besides chats (``fact``,
            ``prompt``, ``folder``).
        without_chats: entries that hold no chats.
        others: the first names of those.
    """

    dry_run: bool
    agent_id: str
    conversations: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    kept: int = 0
    empty: int = 0
    turns: int = 0
    characters: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    rows: dict[str, tuple[int, int]] = field(default_factory=dict)
    without_chats: int = 0
    others: list[str] = field(default_factory=list)
    sources: dict[str, int] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    first: datetime | None = None
    last: datetime | None = None
    problems: list[ImportProblem] = field(default_factory=list)
    problem_count: int = 0
    cancelled: bool = False

    @property
    def todo(self) -> int:
        """How much there is to store: chats, and apps' other data."""
        return self.new + self.changed + sum(self.rows.get(kind, (0, 0))[0] for kind in ("fact", "prompt", "folder"))

    def row(self, kind: str, *, new: bool) -> None:
        """Count an app's data besides chats."""
        before = self.rows.get(kind, (0, 0))
        self.rows[kind] = before[0] + new, before[1] + (not new)

    def see(self, chat: ArchivedChat) -> None:
        self.conversations += 1
        self.sources[chat.source] = self.sources.get(chat.source, 0) + 1
        if chat.title and len(self.titles) < MAX_TITLES:
            self.titles.append(chat.title)
        dates = [date for date in (chat.started, *(message.at for message in chat.messages)) if date is not None]
        if dates:
            self.first = min([*dates, self.first] if self.first else dates)
            self.last = max([*dates, self.last] if self.last else dates)

    def take(self, chat: ArchivedChat, *, new: bool) -> None:
        self.new += new
        self.changed += not new
        self.turns += len(chat.messages)
        self.characters += sum(len(message.text) for message in chat.messages)
        for kind, number in chat.left_out.items():
            if kind in self.left_out or len(self.left_out) < MAX_KINDS:
                self.left_out[kind] = self.left_out.get(kind, 0) + number

    def other(self, name: str) -> None:
        self.without_chats += 1
        if len(self.others) < MAX_OTHERS:
            self.others.append(name)

    def fault(self, name: str, reason: str) -> None:
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ImportProblem(name=name, reason=reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress:
    """How far an import is. ``total`` is None while the archive is still being counted."""

    done: int
    total: int | None
    title: str = ""


Progress = Callable[[ImportProgress], None]


@define(kw_only=True, eq=False, repr=False, slots=False)
class ImportService:
    """Imports archives of chats into an agent's memory.

    The transcript is stored at once; distillation follows in the background as after a chat, and can be watched in the
    status. A chat keeps its source id, so importing again adds what is new, replaces what has changed and leaves the
    rest alone; a stopped import resumes when run again.
    """

    _store: Store
    _ingest: IngestService
    _everything: EverythingService
    _events: EventBus
    _agents: AgentsService
    _remember: Remember

    def preview(self, path: Path | str, agent_id: str, *, cancel: CancelToken | None = None) -> ImportReport:
        """Report what ``import_archive`` would do, without changing anything."""
        return self.import_archive(path, agent_id, cancel=cancel, dry_run=True)

    def import_archive(
        self,
        path: Path | str,
        agent_id: str,
        progress: Progress | None = None,
        cancel: CancelToken | None = None,
        dry_run: bool = False,
        *,
        total: int | None = None,
        skip_extraction: bool = False,
    ) -> ImportReport:
        """Import a file, a ZIP archive or a folder.

        ``path``: an export of another app (``FORMATS`` and ``LOGS``), plain JSON, or Markdown. ``progress`` is called
        after each chat, on this thread; a cancel keeps what is stored. With ``skip_extraction`` only the transcript is
        stored, without the other app's memories.

        Raises:
            ArchiveError: nothing there can be read as chats.
            MemdeskError: the store fails (locked, no space); what is already stored stays.
        """
        steps = self.steps(path, agent_id, cancel, dry_run, total=total, skip_extraction=skip_extraction)
        for step in steps:
            if isinstance(step, ImportReport):
                return step
            if progress is not None:
                progress(step)
        raise AssertionError("an import ends with its report")

    def steps(
        self,
        path: Path | str,
        agent_id: str,
        cancel: CancelToken | None = None,
        dry_run: bool = False,
        *,
        total: int | None = None,
        skip_extraction: bool = False,
    ) -> Iterator[ImportProgress | ImportReport]:
        """Import like :meth:`import_archive`; yield after each chat, and the report last."""
        report = ImportReport(dry_run=dry_run, agent_id=agent_id)
        source = Path(path)
        for export in _own(source):
            self._bring(export, report)
        if is_everything(source):
            yield self._ended(report)
            return
        asides: dict[str, Aside] = {}
        for found in read_chats(source, apart=is_everything):
            if cancel is not None and cancel.is_set():
                report.cancelled = True
                break
            if isinstance(found, Unreadable):
                report.fault(found.name, found.reason)
                continue
            if isinstance(found, NoChats):
                report.other(found.name)
                continue
            for aside in (found,) if isinstance(found, Aside) else found.asides:
                _keep_newest(asides, aside)
            if isinstance(found, Aside):
                continue
            if not found.messages:
                report.empty += 1
                continue
            report.see(found)
            self._one(found, report, detail=source.name, skip_extraction=skip_extraction)
            yield ImportProgress(done=report.conversations, total=total, title=found.title)
        for aside in asides.values() if not report.cancelled else ():
            self._beside(aside, report, detail=source.name, skip_extraction=skip_extraction)
        yield self._ended(report)

    def _ended(self, report: ImportReport) -> ImportReport:
        if not report.dry_run and report.todo:
            if report.rows:
                # Chats told of themselves as they were stored; rows come without.
                for event in (ConversationsChanged(""), MemoryChanged(None), AgentsChanged()):
                    self._events.publish(event)
            self._events.publish(ImportFinished(report.agent_id))
        return report

    def _bring(self, source: Path, report: ImportReport) -> None:
        """Import an export of memdesk itself, whose rows name their agents."""
        rows = self._everything.bring(source, partial(report.fault, source.name), dry_run=report.dry_run)
        for kind, (new, here) in rows.items():
            before = report.rows.get(kind, (0, 0))
            report.rows[kind] = before[0] + new, before[1] + here
        report.new, report.unchanged = report.rows.get("conversation", (0, 0))
        report.conversations = report.new + report.unchanged
        report.turns = report.rows.get("turn", (0, 0))[0]
        report.changed = int(not report.new and any(new for new, _ in report.rows.values()))
        report.sources = {"memdesk": report.conversations}

    def _beside(self, aside: Aside, report: ImportReport, *, detail: str, skip_extraction: bool) -> None:
        """Store an app's data besides chats, unless it exists already."""
        if aside.kind == "told":
            # In the user's own words: stored as a chat of one message, to be learned from like any other.
            told = ArchivedMessage("user", aside.text, aside.at)
            chat = ArchivedChat(aside.source, aside.key, aside.name, (told,), aside.at)
            report.see(chat)
            self._one(chat, report, detail=detail, skip_extraction=skip_extraction)
        elif aside.kind == "memory":
            if not skip_extraction:
                self._memory(aside, report)
        else:
            prefix, kind = (FOLDERS, "folder") if aside.kind == "project" else (PROMPTS, "prompt")
            with self._store.read() as repos:
                new = repos.meta.get(prefix + aside.id) is None
            if new and not report.dry_run:
                try:
                    self._store.write(lambda repos: _put(repos, aside))
                except BadRequestError as error:
                    report.fault(aside.name, error.message)
                    return
            report.row(kind, new=new)

    def _memory(self, aside: Aside, report: ImportReport) -> None:
        with self._store.read() as repos:
            new = repos.items.keyed(aside.id, user_id=ME, agent_id=report.agent_id, run_id=None) is None
        if new and not report.dry_run:
            self._agents.ensure(report.agent_id)
            try:
                fact = self._remember(
                    agent_id=report.agent_id,
                    content=aside.text,
                    key=aside.id,
                    tags=(aside.source,),
                    valid_from=aside.at,
                    actor="import",
                    actor_detail=f"memory of {aside.source}",
                )
            except BadRequestError as error:
                report.fault(aside.text[:60], error.message)
                return
            # An existing equal fact is counted as said again.
            new = fact.key == aside.id
        report.row("fact", new=new)

    def _one(self, chat: ArchivedChat, report: ImportReport, *, detail: str, skip_extraction: bool) -> None:
        state = self._state(report.agent_id, chat)
        if state in {"unchanged", "kept"}:
            report.unchanged += state == "unchanged"
            report.kept += state == "kept"
            return
        if not report.dry_run:
            try:
                self._ingest.ingest(
                    agent_id=report.agent_id,
                    conversation_id=chat.conversation_id,
                    turns=exchanges(chat.messages, partial(report.fault, chat.title or chat.id)),
                    session_date=chat.started,
                    skip_extraction=skip_extraction,
                    actor_detail=detail,
                    wait=False,
                    title=chat.title,
                    folder_id=f"{IMPORTED}{chat.source}-{chat.project}" if chat.project else None,
                )
            except BadRequestError as error:
                # This chat cannot be stored. Faults that affect every chat (no space, locked) end the import instead.
                report.fault(chat.title or chat.id, error.message)
                return
        report.take(chat, new=state == "new")

    def _state(self, agent_id: str, chat: ArchivedChat) -> Literal["new", "unchanged", "changed", "kept"]:
        with self._store.read() as repos:
            if repos.conversations.get(agent_id, chat.conversation_id) is None:
                return "new"
            turns = list(repos.turns.of_conversation(agent_id, chat.conversation_id))
        here = [(turn.role, turn.content.strip(), len(turn.images)) for turn in turns]
        there = [(message.role, message.text.strip(), len(message.pictures)) for message in chat.messages]
        if here[: len(there)] == there:
            return "unchanged"
        # Only answers made here name their model: this conversation was continued here.
        return "kept" if any(turn.model for turn in turns) else "changed"


def _keep_newest(asides: dict[str, Aside], aside: Aside) -> None:
    known = asides.get(aside.id)
    # Of two without a time the first counts: archives start with the newest.
    if known is None or (aside.at is not None and (known.at is None or aside.at > known.at)):
        asides[aside.id] = aside


def _put(repos: Repositories, aside: Aside) -> None:
    if aside.kind == "project":
        folder = Folder(id=aside.id, name=aside.name, instructions=aside.text, position=len(saved_folders(repos)))
        put_folder(repos, check_folder(folder))
    else:
        put_prompt(repos, check_prompt(Prompt(id=aside.id, name=aside.name, text=aside.text)))


def exchanges(
    messages: Sequence[ArchivedMessage], fault: Callable[[str], None] = lambda _reason: None
) -> list[IngestTurn]:
    """Pair each user message with the answer that follows it; unpaired messages stay alone.

    ``fault`` is called for each unreadable picture, which is left out.
    """
    turns: list[IngestTurn] = []
    waiting: ArchivedMessage | None = None
    for message in messages:
        if message.role == "user":
            if waiting is not None:
                turns.append(_turn(waiting, None, fault))
            waiting = message
        else:
            turns.append(_turn(waiting, message, fault))
            waiting = None
    if waiting is not None:
        turns.append(_turn(waiting, None, fault))
    return turns


def _turn(user: ArchivedMessage | None, assistant: ArchivedMessage | None, fault: Callable[[str], None]) -> IngestTurn:
    return IngestTurn(
        user=user.text if user else "",
        assistant=assistant.text if assistant else "",
        # Some apps date only the answers.
        date=next((said.at for said in (user, assistant) if said and said.at), None),
        user_speaker=user.speaker if user else "",
        assistant_speaker=assistant.speaker if assistant else "",
        user_images=_images(user, fault),
        assistant_images=_images(assistant, fault),
    )


def _images(message: ArchivedMessage | None, fault: Callable[[str], None]) -> tuple[Image, ...]:
    found = []
    for picture in message.pictures if message else ():
        try:
            found.append(picture.image())
        except BadRequestError as damaged:
            fault(damaged.message)
    return tuple(found)


def _own(source: Path) -> Iterator[Path]:
    """Yield the exports of memdesk itself at or below a path."""
    if is_everything(source):
        yield source
        return
    for above, folders, names in os.walk(source) if os.path.isdir(source) else ():  # noqa: PTH112 (whose own raises)
        packed = [name for name in names if name.casefold().endswith(".zip")]
        for name in (*folders, *packed):
            found = Path(above) / name
            if not found.is_symlink() and is_everything(found):
                yield found
        folders[:] = [name for name in folders if not is_everything(Path(above) / name)]
