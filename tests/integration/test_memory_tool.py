"""Anthropic's memory tool over the encrypted store, through the ``anthropic`` package's own class.

Each command's answer is compared with that of the package's own file backend.
"""

import anyio
import pytest
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from memdesk import AsyncMemdeskMemoryTool, MemdeskMemoryTool
from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.items.filters import parse
from memdesk.domain.items.scope import Scope
from memdesk.domain.models import new_id
from memdesk.services.forgetting import ForgetTarget
from tests.helpers.recall_desk import WordEmbedder
from tests.helpers.shared_app import begin_lanes

HOUSE = "# House\nThe boiler is serviced in October by Mr. Silva.\nThe roof was tiled in 2019.\n"
MANY = "\n" * 1_000_000
LONG = "\n".join(f"## Part {number}\nEntry {number} of the diary tells of the orchard." for number in range(300))


def create(path, text):
    return {"command": "create", "path": path, "file_text": text}


def view(path, *lines):
    return {"command": "view", "path": path} | ({"view_range": list(lines)} if lines else {})


def replace(path, old, new):
    return {"command": "str_replace", "path": path, "old_str": old, "new_str": new}


def insert(path, line, text):
    return {"command": "insert", "path": path, "insert_line": line, "insert_text": text}


def delete(path):
    return {"command": "delete", "path": path}


def rename(old, new):
    return {"command": "rename", "old_path": old, "new_path": new}


#: Commands run one after the other; each answer, or each refusal, is to be the package's own.
STORIES = {
    "create and view": [create("/memories/a.md", HOUSE), view("/memories/a.md"), view("/memories/a.md", 2, 3)],
    "view to the end": [create("/memories/a.md", HOUSE), view("/memories/a.md", 2, -1), view("/memories/a.md", 0, 1)],
    "view beyond the end": [create("/memories/a.md", HOUSE), view("/memories/a.md", 9, 12)],
    "nested folders": [create("/memories/deep/er/x.md", "x"), view("/memories/deep/er/x.md")],
    "no overwriting": [create("/memories/a.md", "one"), create("/memories/a.md", "two"), view("/memories/a.md")],
    "empty file": [create("/memories/a.md", ""), view("/memories/a.md"), insert("/memories/a.md", 0, "x")],
    "missing": [
        view("/memories/no.md"),
        replace("/memories/no.md", "a", "b"),
        insert("/memories/no.md", 0, "x"),
        delete("/memories/no.md"),
        rename("/memories/no.md", "/memories/b.md"),
    ],
    "replace": [
        create("/memories/a.md", "1\n2\n3\n4\n5\n6\n7\n8"),
        replace("/memories/a.md", "5", "five"),
        replace("/memories/a.md", "1", "one"),
        replace("/memories/a.md", "8", "eight\nnine"),
        replace("/memories/a.md", "2\n", ""),
        view("/memories/a.md"),
    ],
    "replace what is not there or not alone": [
        create("/memories/a.md", "Hello\nMiddle\nHello"),
        replace("/memories/a.md", "None", "x"),
        replace("/memories/a.md", "Hello", "x"),
        view("/memories/a.md"),
    ],
    "overlapping": [create("/memories/a.md", "aaa"), replace("/memories/a.md", "aa", "b")],
    "insert": [
        create("/memories/a.md", "Line 1\nLine 2"),
        insert("/memories/a.md", 0, "First\n"),
        insert("/memories/a.md", 3, "Last"),
        insert("/memories/a.md", 2, "Two\nlines"),
        insert("/memories/a.md", 99, "x"),
        insert("/memories/a.md", -1, "x"),
        view("/memories/a.md"),
    ],
    "carriage returns": [
        create("/memories/a.md", "one\r\ntwo\r\nthree\r\n"),
        replace("/memories/a.md", "two", "TWO"),
        insert("/memories/a.md", 1, "new"),
        view("/memories/a.md"),
    ],
    "other separators": [create("/memories/a.md", "a\x0bb\x0cc\u2028d\x85e\n"), view("/memories/a.md")],
    "delete": [
        create("/memories/d/a.md", "a"),
        create("/memories/d/b.md", "b"),
        delete("/memories/d/a.md"),
        delete("/memories/d"),
        view("/memories/d/b.md"),
        delete("/memories"),
    ],
    "rename": [
        create("/memories/a.md", "a"),
        create("/memories/b.md", "b"),
        rename("/memories/a.md", "/memories/b.md"),
        rename("/memories/a.md", "/memories/n/c.md"),
        rename("/memories/n", "/memories/m"),
        rename("/memories", "/memories/x"),
        view("/memories/m/c.md"),
        view("/memories/a.md"),
    ],
    "paths": [
        create("/invalid/x.md", "x"),
        create("/memories/../../etc/passwd", "x"),
        view("/memories/a/../../b"),
        create("/memories/a/../b.md", "b"),
        view("/memories//b.md"),
        view("/memories/b.md"),
    ],
    "a file is no folder": [
        create("/memories/f/a.md", "a"),
        replace("/memories/f", "a", "b"),
        insert("/memories/f", 0, "x"),
    ],
    "the folder itself": [
        create("/memories/a.md", "a"),
        *(delete(path) for path in ("/memories/", "/memories/.", "/memories/sub/..")),
        *(rename(path, "/memories/x") for path in ("/memories/", "/memories/.", "/memories/sub/..")),
        view("/memories/a.md"),
    ],
    "line ends of Windows": [
        create("/memories/a.md", "one\r\ntwo\r\nthree\r\n"),
        view("/memories/a.md"),
        replace("/memories/a.md", "two", "TWO"),
        insert("/memories/a.md", 1, "between"),
        view("/memories/a.md"),
    ],
    "signs": [create("/memories/Žluťoučký 🐝.md", "\u00e9 🐝 日本\n" * 3), view("/memories/Žluťoučký 🐝.md")],
    "long": [
        create("/memories/l.md", LONG),
        replace("/memories/l.md", "Entry 150 ", "Entry CL "),
        view("/memories/l.md"),
    ],
}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    words = WordEmbedder()
    with throwaway(tmp_path_factory.mktemp("app"), embedder=lambda: words) as running:
        running.url = running.start_server(port=0)
        running.secret = running.services.tokens.create("Claude")[1]
        begin_lanes(running)
        yield running


@pytest.fixture
def agent():
    return f"agent-{new_id()[-12:]}"


@pytest.fixture
def tool(app, agent):
    made = MemdeskMemoryTool(app.secret, url=app.url, agent_id=agent)
    yield made
    made.close()


def told(tool, command):
    try:
        return tool.call(command)
    except ToolError as refused:
        return f"refused: {refused}"


def test_a_server_that_is_away_is_told_as_the_tools_own_error():
    with pytest.raises(ToolError, match=r"memdesk does not answer\. Start it"):
        MemdeskMemoryTool("mdk-x", url="http://127.0.0.1:9").execute(view("/memories"))


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_every_answer_is_that_of_the_packages_own_backend(tool, tmp_path, story):
    theirs = BetaLocalFilesystemMemoryTool(base_path=str(tmp_path / "theirs"))
    for command in story:
        assert told(tool, command) == told(theirs, command)


def test_a_folder_lists_two_levels_with_sizes_and_no_hidden_files(tool):
    for name, text in (("a.md", "a" * 1536), ("d/b.md", "b"), ("d/e/c.md", "c"), (".hidden", "x"), ("d/.h/x", "x")):
        tool.call(create(f"/memories/{name}", text))
    head, *lines = tool.call(view("/memories")).split("\n")
    assert head == "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:"
    sizes, names = zip(*(line.split("\t") for line in lines), strict=True)
    assert names == ("/memories", "/memories/a.md", "/memories/d/", "/memories/d/b.md", "/memories/d/e/")
    assert (sizes[1], sizes[3]) == ("1.5K", "1B")
    assert tool.call(view("/memories/d/e")).endswith("\n1B\t/memories/d/e\n1B\t/memories/d/e/c.md")


def test_the_root_is_there_before_any_file_is(tool):
    assert tool.call(view("/memories")).endswith("excluding hidden items:\n0B\t/memories")


def test_a_file_of_a_million_lines_is_kept_and_not_shown(tool):
    tool.call(create("/memories/huge.md", MANY))
    with pytest.raises(ToolError, match="exceeds maximum line limit of 999,999 lines"):
        tool.call(view("/memories/huge.md"))
    assert tool.call(delete("/memories/huge.md")) == "Successfully deleted /memories/huge.md"


def test_all_is_cleared(tool):
    tool.call(create("/memories/a.md", "a"))
    assert tool.clear_all_memory() == "All memory cleared"
    assert tool.call(view("/memories")).count("\n") == 1


def test_what_is_written_is_searched_recalled_and_cited(app, agent, tool):
    tool.call(create("/memories/house.md", HOUSE))
    app.services.indexing.flush()
    (hit,) = app.services.recall.search(agent_id=agent, query="Who services the boiler?").items
    assert hit.cited == "/memories/house.md#L1-L3"
    receipt = app.services.recall.context(agent_id=agent, query="Who services my boiler?", store_receipt=True)
    assert "(/memories/house.md#L1-L3)" in receipt.block
    assert hit.id in {item.id for item in receipt.items}


def test_a_change_keeps_what_stayed_and_the_former_words_in_the_history(app, agent, tool):
    def rows():
        page = app.services.items.page(Scope(agent_id=agent), parse({"form": "passage"}), limit=500)
        return {item.id: item.content for item in page.items}

    tool.call(create("/memories/l.md", LONG))
    before = rows()
    tool.call(replace("/memories/l.md", "Entry 150 ", "Entry CL "))
    after = rows()
    assert len(before) > 5
    (changed,) = (item_id for item_id in before if after[item_id] != before[item_id])
    edited, added = app.services.history.of("fact", changed)
    assert (edited.action, edited.actor_detail, added.action) == ("edit", "Claude", "add")
    assert "Entry 150 " in edited.old["content"]


def test_forgetting_a_passage_takes_its_words_out_of_the_file_and_the_history_too(app, agent, tool):
    other = [" ".join(f"{agent}x{part}x{word}" for word in range(60)) for part in range(4)]
    tool.call(
        create("/memories/l.md", f"# One\n{other[0]}\n{other[1]}\n# House\n{HOUSE}{other[2]}\n# Two\n{other[3]}\n")
    )
    tool.call(replace("/memories/l.md", "Mr. Silva", "Mrs. Costa"))
    app.services.indexing.flush()
    hit = app.services.recall.search(agent_id=agent, query="Who services the boiler?").items[0]
    report = app.services.forgetting.forget(ForgetTarget(kind="fact", ids=(hit.id,), agent_id=agent))
    assert report.verified
    shown = tool.call(view("/memories/l.md"))
    assert "boiler" not in shown
    assert other[0] in shown
    assert "Silva" not in str(app.services.history.of("fact", hit.id))


def test_all_that_a_program_wrote_can_be_taken_back(app, agent):
    _, secret = app.services.tokens.create("A program")
    mine = MemdeskMemoryTool(secret, url=app.url, agent_id=agent)
    mine.call(create("/memories/a.md", HOUSE))
    app.services.programs.take_back("A program")
    assert told(mine, view("/memories/a.md")).startswith("refused: The path /memories/a.md does not exist")
    mine.close()


def test_agents_do_not_see_each_others_files(app, agent, tool):
    tool.call(create("/memories/a.md", "mine"))
    other = MemdeskMemoryTool(app.secret, url=app.url, agent_id=f"{agent}:/memories")
    assert other.call(view("/memories")).count("\n") == 1
    assert other.call(create("/memories/a.md", "theirs")).startswith("File created")
    assert tool.call(view("/memories/a.md")).endswith("\tmine")
    other.close()


def test_the_async_tool_does_the_same(app, agent):
    async def main():
        tool = AsyncMemdeskMemoryTool(app.secret, url=app.url, agent_id=agent)
        made = await tool.call(create("/memories/a.md", "a"))
        with pytest.raises(ToolError, match="already exists"):
            await tool.call(create("/memories/a.md", "a"))
        cleared = await tool.clear_all_memory()
        await tool.close()
        return made, cleared

    assert anyio.run(main) == ("File created successfully at: /memories/a.md", "All memory cleared")


def test_a_command_without_what_it_needs_is_refused_in_words(tool):
    assert (
        told(tool, {"command": "insert", "path": "/memories/a.md"}) == "refused: insert needs insert_line, insert_text."
    )
    assert told(tool, {"command": "explode"}).startswith("refused: memory cannot use these arguments")


def test_models_are_offered_the_six_commands_of_the_original(app, agent, tool):
    tool.call(create("/memories/a.md", "a"))
    command = app.services.tools.get("memory").schema()["properties"]["command"]
    assert command["enum"] == ["view", "create", "str_replace", "insert", "delete", "rename"]
    assert told(tool, {"command": "clear"}).startswith("refused: memory cannot use these arguments")
    assert tool.call(view("/memories/a.md")).endswith("\ta")


def test_a_name_is_a_file_or_a_folder_and_holds_no_nul(tool):
    tool.call(create("/memories/f.txt", "a"))
    tool.call(create("/memories/other", "b"))
    refusal = "refused: /memories/f.txt/x/y cannot be there: /memories/f.txt is a file."
    assert told(tool, create("/memories/f.txt/x/y", "b")) == refusal
    assert told(tool, rename("/memories/other", "/memories/f.txt/x/y")) == refusal
    assert told(tool, create("/memories/a\0b", "b")).endswith("a path holds no NUL.")
    assert tool.call(view("/memories")).count("\n") == 3
