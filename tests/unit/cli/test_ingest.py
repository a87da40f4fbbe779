import json
import os
import sys
from pathlib import Path

import pytest

from memdesk.cli.commands.ingest import read_sessions
from memdesk.errors import BadRequestError

LOCOMO = {
    "speaker_a": "Ann",
    "speaker_b": "Bob",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I grow figs."},
        {"speaker": "Bob", "dia_id": "D1:2", "text": "I fish.", "blip_caption": "a boat"},
        {"speaker": "Bob", "dia_id": "D1:3", "text": "Daily."},
    ],
    "qa": [],
}


def write(path, data):
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_locomo_file_keeps_speakers_sides_dates_and_captions(tmp_path):
    (session,) = read_sessions(write(tmp_path / "7.json", LOCOMO), None)
    assert session.conversation_id == "7-session-1"
    assert session.session_date == "2023-05-08T13:56:00+00:00"
    assert session.turns == [
        {"user": "I grow figs.", "user_speaker": "Ann"},
        {"assistant": "I fish. [shares a photo: a boat]", "assistant_speaker": "Bob"},
        {"assistant": "Daily.", "assistant_speaker": "Bob"},
    ]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ({"turns": [{"user": "a"}]}, ["chat"]),
        ({"conversation_id": "c", "turns": [{"user": "a"}]}, ["c"]),
        ([{"user": "a", "assistant": "b"}], ["chat"]),
        ([{"turns": [{"user": "a"}]}, {"conversation_id": "z", "turns": [{"user": "b"}]}], ["chat-1", "z"]),
        ({"conversation_id": "m", "messages": [{"role": "user", "content": "a"}]}, ["m"]),
    ],
)
def test_plain_json_names_its_conversations_or_takes_the_files_name(tmp_path, data, names):
    assert [s.conversation_id for s in read_sessions(write(tmp_path / "chat.json", data), None)] == names


def test_a_list_of_messages_is_taken_as_exchanges(tmp_path):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "I grow figs."}], "timestamp": 1700000000},
        {"role": "assistant", "content": "<think>\nfigs\n</think>\nNice."},
        {"role": "user", "content": "Black ones."},
    ]
    (session,) = read_sessions(write(tmp_path / "chat.json", messages), None)
    assert session.turns == [
        {"user": "I grow figs.", "assistant": "Nice.", "date": "2023-11-14T22:13:20+00:00"},
        {"user": "Black ones."},
    ]


def test_a_conversation_id_may_be_given(tmp_path):
    (session,) = read_sessions(write(tmp_path / "x.json", {"turns": [{"user": "a"}]}), "mine")
    assert session.conversation_id == "mine"


@pytest.mark.parametrize("text", ["{", '"text"', '{"a": 1, "turns": 3}', "[1, 2]", '[{"foo": 1}]', "[]"])
def test_what_holds_no_turns_is_refused_with_a_hint(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadRequestError) as refused:
        read_sessions(path, None)
    assert refused.value.hint


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(BadRequestError, match="could not be read"):
        read_sessions(tmp_path / "none.json", None)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such file")
def test_a_file_without_an_end_is_told():
    with pytest.raises(BadRequestError, match="it is larger than"):
        read_sessions(Path("/dev/zero"), None)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_that_nobody_writes_to_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadRequestError, match="nobody writes to this pipe"):
        read_sessions(tmp_path / "pipe", None)
