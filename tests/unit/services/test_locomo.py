from datetime import UTC, datetime

import pytest

from memdesk.errors import BadRequestError
from memdesk.services.importing.locomo import looks_like_locomo, parse_locomo, parse_session_date

DATA = {
    "speaker_a": "Nora",
    "speaker_b": "Ivan",
    "session_2_date_time": "2:05 pm on 3 June, 2022",
    "session_2": [{"speaker": "Ivan", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a green canoe"}],
    "session_1_date_time": "11:30 am on 1 May, 2022",
    "session_1": [{"speaker": "Nora", "dia_id": "D1:1", "text": " Hello. "}],
    "session_3_date_time": "11:30 am on 1 May, 2023",
    "qa": [
        {"question": "What color?", "answer": 3, "category": 4, "evidence": ["D2:01; D1:1", "(D2:1)"]},
        {"question": "Which dog?", "adversarial_answer": "none", "category": 5, "evidence": []},
    ],
}


def test_sessions_turns_and_questions():
    nested = {"conversation": {k: v for k, v in DATA.items() if k != "qa"}, "qa": DATA["qa"]}
    for read in (parse_locomo(DATA, "pair"), parse_locomo(nested, "pair")):
        assert [s.conversation_id for s in read.sessions] == ["pair-session-1", "pair-session-2"]
        assert read.sessions[0].date == datetime(2022, 5, 1, 11, 30, tzinfo=UTC)
        assert read.last_date == datetime(2022, 6, 3, 14, 5, tzinfo=UTC)
        assert read.sessions[0].turns[0].text == "Hello."
        assert read.sessions[1].turns[0].text == "Look! [shares a photo: a green canoe]"
        assert read.questions[0].evidence == ("D2:1", "D1:1")
        assert (read.questions[0].answer, read.questions[1].answer) == ("3", "none")


@pytest.mark.parametrize("data", [[], {}, {"speaker_a": "x"}, {"speaker_a": "x", "session_1": []}])
def test_other_shapes_are_refused(data):
    with pytest.raises(BadRequestError):
        parse_locomo(data, "x")
    assert not looks_like_locomo([])


def test_dates_of_no_known_form_are_refused():
    with pytest.raises(BadRequestError):
        parse_session_date("the day after")
