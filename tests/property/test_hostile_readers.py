"""Any program's file, tool server or export is read, or rejected with an explanation, and nothing is lost."""

from __future__ import annotations

import json
import tempfile
import zipfile
from pathlib import Path

import mcp_types as types
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from memdesk.bootstrap.throwaway import throwaway
from memdesk.errors import BadRequestError, MemdeskError
from memdesk.mcp.client import RESULT_CHARS, TOLD_CHARS, _offered, _text
from memdesk.services.guarding.connecting import NAME, PROGRAMS, put, remove
from memdesk.services.importing.everything import ROWS
from memdesk.services.tools.outside import OutsideTool

DEEP = json.loads("[" * 150 + "]" * 150)
#: What JSON can spell: halves of letters, NUL, numbers beyond those of a machine.
texts = st.text(st.characters(exclude_categories=()), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
several = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def _spelt(value) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


@several
@example(content=b"[" * 100_000)
@example(content=b'{"mcpServers": {"a": "\\ud800"}}')
@example(content=b'{"mcpServers": []}')
@example(content=b"\xff\xfe\x00")
@example(content=b'{"a": 1e999}')
@example(content=b"9" * 5000)
@given(
    content=st.binary(max_size=60)
    | values.map(_spelt)
    | st.dictionaries(st.sampled_from(("mcpServers", "theme")) | texts, values, max_size=3).map(_spelt)
)
def test_a_programs_file_keeps_all_that_is_not_ours(content):
    program = PROGRAMS["cursor"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "mcp.json"
        file.write_bytes(content)
        try:
            put(file, program, {"url": "http://127.0.0.1:1/mcp"})
        except BadRequestError:
            assert file.read_bytes() == content
            assert list(Path(folder).iterdir()) == [file]
            return
        before = json.loads(content.decode("utf-8-sig") or "{}") if content.strip() else {}
        after = json.loads(file.read_bytes())
        assert after["mcpServers"].pop(NAME) == {"url": "http://127.0.0.1:1/mcp"}
        assert after.pop("mcpServers") == {n: v for n, v in before.pop("mcpServers", {}).items() if n != NAME}
        assert after == before
        assert remove(file, program)


def test_a_programs_file_that_is_none_is_not_waited_for(tmp_path):
    import os

    program = PROGRAMS["cursor"]
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b" " * (5 * 2**20))
    for file in (tmp_path / "pipe", tmp_path / "large", Path("/dev/zero"), tmp_path):
        with pytest.raises(BadRequestError):
            remove(file, program)


@several
@example(tool={"name": "x", "inputSchema": {"type": "object", "properties": {"a": DEEP}}, "description": "d" * 10_000})
@example(tool={"name": "x", "inputSchema": {"type": "object", "x": "y" * 200_000}})
@example(tool={"name": "\ud800\0", "inputSchema": {"type": "object", "\ud800": "\0"}})
@given(
    tool=st.fixed_dictionaries(
        {
            "name": texts,
            "inputSchema": st.dictionaries(texts, values, max_size=3).map(lambda found: {"type": "object", **found}),
        },
        optional={"description": texts, "title": texts, "annotations": values},
    )
)
def test_what_a_tool_server_offers_can_be_kept_and_told(tool):
    try:
        read = types.Tool.model_validate(tool)
    except ValidationError:
        return
    offered = _offered(read)
    assert len(offered.description) <= TOLD_CHARS
    told = OutsideTool(server="s", tool=offered).as_function()
    # As it is stored, and sent to a model.
    assert json.loads(json.dumps(told, ensure_ascii=False).encode()) == told


@several
@example(result={"content": [], "structuredContent": {"a": DEEP}})
@example(result={"content": [{"type": "text", "text": "x" * (RESULT_CHARS + 1)}]})
@given(
    result=st.fixed_dictionaries(
        {"content": st.lists(st.builds(lambda text: {"type": "text", "text": text}, texts) | values, max_size=3)},
        optional={"structuredContent": st.dictionaries(texts, values, max_size=3), "isError": st.booleans()},
    )
)
def test_what_a_tool_server_answers_becomes_a_text(result):
    try:
        read = types.CallToolResult.model_validate(result)
    except ValidationError:
        return
    text = _text(read)
    assert len(text) <= RESULT_CHARS
    assert text.encode().decode() == text


def test_rows_of_an_export_are_brought_or_told_as_damaged(tmp_path):
    path = tmp_path / "export.zip"
    with throwaway(tmp_path / "profile", embedder=lambda: None) as app:
        everything, prompts = app.services.everything, app.services.prompts

        @settings(several, max_examples=40)
        @example(rows=[{"row": "prompt", "id": "a", "name": "n" * 101, "text": "t"}])
        @example(rows=[{"row": "prompt", "id": "a", "name": "n", "text": "t" * 100_001}])
        @example(rows=[{"row": "prompt", "id": "a", "name": "n", "text": " "}])
        @example(
            rows=[{"row": "item", "id": "l", "form": "link", "content": "c", "metadata": {"url": "file:///etc/passwd"}}]
        )
        @given(
            rows=st.lists(
                st.fixed_dictionaries(
                    {"row": st.sampled_from(("prompt", "item", "conversation", "turn", "agent", "nothing")) | values},
                    optional=dict.fromkeys(("id", "name", "text", "content", "agent_id", "form", "metadata"), values),
                ),
                max_size=3,
            )
        )
        def check(rows):
            lines = [{"row": "format", "format": "memdesk.everything/1"}, *rows]
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr(ROWS, b"\n".join(map(_spelt, lines)))
            faults = []
            before = {prompt.id for prompt in prompts.all()}
            try:
                counts = everything.bring(path, faults.append)
            except MemdeskError:
                return
            brought = sum(new + here for new, here in counts.values())
            assert brought + bool(faults) >= min(len(rows), 1)
            for prompt in prompts.all():
                assert prompt.id in before or (prompt.name and prompt.text.strip() and len(prompt.text) <= 100_000)
            with app.services.everything._store.read() as repos:
                assert repos.items.get("l") is None

        check()
