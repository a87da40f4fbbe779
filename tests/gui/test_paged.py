from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt

from memdesk.domain.models import Page
from memdesk.gui.models.paged import BLOCK, ITEM, KEPT, MANY, UNREAD, PagedModel
from memdesk.gui.views.memory.tab import Table

TOTAL = 100_000


class Numbers:
    """A list of whole numbers that notes which places were read."""

    def __init__(self, total=TOTAL, start=0):
        self.total, self.start = total, start
        self.read = []

    def __call__(self, limit, cursor):
        place = int(cursor[1:]) if cursor else 0
        self.read.append(place)
        items = list(range(self.start + place, self.start + min(self.total, place + limit)))
        return Page(items, self.total)


@pytest.fixture
def numbers():
    return Numbers()


@pytest.fixture
def model(bridge, numbers, qtbot):
    model = PagedModel(bridge, numbers)
    with qtbot.waitSignal(model.loaded) as told:
        model.reload()
    assert told.args == [TOTAL]
    yield model
    model.deleteLater()


@pytest.fixture
def table(model, qtbot):
    table = Table(model, "Numbers", many=True)
    qtbot.addWidget(table)
    table.resize(400, 400)
    table.show()
    return table


def shown(table):
    """The rows in sight, as texts."""
    first, last = table.rowAt(0), table.rowAt(table.viewport().height() - 1)
    return [table.model().index(row, 0).data() for row in range(first, last + 1 or table.model().rowCount())]


def test_the_whole_list_is_there_and_its_rows_are_read_where_one_looks(model, numbers, qtbot):
    assert model.rowCount() == TOTAL
    assert numbers.read == [0]
    last = model.index(TOTAL - 1, 0)
    assert model.data(last) == UNREAD
    assert model.data(last, ITEM) is None
    qtbot.waitUntil(lambda: model.data(last) == str(TOTAL - 1))
    assert model.data(last, ITEM) == TOTAL - 1
    assert numbers.read == [0, TOTAL - BLOCK]
    assert model.headerData(0, Qt.Orientation.Horizontal) == ""


def test_the_end_of_a_long_list_is_two_reads_away(table, model, numbers, qtbot):
    bar = table.verticalScrollBar()
    for part in range(1, 101):  # as the bar is dragged, or End is held
        bar.setValue(bar.maximum() * part // 100)
    table.scrollToBottom()
    qtbot.waitUntil(lambda: shown(table)[-1] == str(TOTAL - 1))
    assert UNREAD not in shown(table)
    assert len(numbers.read) <= 3


def test_two_blocks_in_sight_are_read_in_one_go(table, model, numbers, qtbot):
    table.verticalScrollBar().setValue(table.rowHeight(0) * (500 * BLOCK - 2))
    qtbot.waitUntil(lambda: UNREAD not in shown(table))
    assert numbers.read == [0, 499 * BLOCK]
    assert str(500 * BLOCK - 1) in shown(table)
    assert str(500 * BLOCK) in shown(table)


def test_pages_viewed_long_ago_are_dropped(model, qtbot):
    for block in range(KEPT + 5):
        index = model.index(block * BLOCK, 0)
        model.data(index)
        qtbot.waitUntil(lambda index=index: model.data(index) != UNREAD)
    assert len(list(model.known())) == KEPT * BLOCK
    assert 0 not in dict(model.known())


def test_the_same_list_read_anew_stays_where_it_is_and_another_one_begins_at_the_top(table, model, numbers, qtbot):
    with qtbot.waitSignal(model.loaded):
        model.reload(numbers, query="a")
    table.scrollToBottom()
    qtbot.waitUntil(lambda: shown(table)[-1] == str(TOTAL - 1))
    numbers.start = 5
    with qtbot.waitSignal(model.loaded):
        model.reload(numbers, query="a")
    assert shown(table)[-1] == str(TOTAL + 4)
    with qtbot.waitSignal(model.turned):
        model.reload(numbers, query="b")
    assert shown(table)[0] == "5"


class Named:
    """A thing with an id, as lists show them."""

    def __init__(self, number):
        self.id = str(number)


def test_a_chosen_row_stays_chosen_where_the_list_is_read_anew(bridge, qtbot):
    things = [Named(number) for number in range(300)]

    def fetch(limit, cursor):
        place = int(cursor[1:]) if cursor else 0
        return Page(things[place : place + limit], len(things))

    model = PagedModel(bridge, fetch)
    table = Table(model, "Things")
    qtbot.addWidget(table)
    table.resize(400, 400)
    table.show()
    with qtbot.waitSignal(model.loaded):
        model.reload(fetch, query="a")
    table.selectRow(40)
    table.verticalScrollBar().setValue(700)
    things.insert(0, Named(-1))
    with qtbot.waitSignal(model.loaded):
        model.reload(fetch, query="a")
    assert [index.row() for index in table.selectionModel().selectedRows()] == [41]
    assert table.currentIndex().row() == 41
    assert table.verticalScrollBar().value() == 700
    with qtbot.waitSignal(model.loaded):
        model.reload(fetch, query="b")
    assert not table.selectionModel().hasSelection()
    model.deleteLater()


def test_chosen_rows_are_read_before_something_is_done_with_them(table, model, numbers, qtbot):
    found = []
    model.read_rows([(1, 3)], found.append)
    assert found == [[1, 2, 3]]
    table.selectAll()
    spans = [(part.top(), part.bottom()) for part in table.selectionModel().selection().toList()]
    model.read_rows(spans, found.append)
    qtbot.waitUntil(lambda: len(found) == 2)
    assert found[1] == list(range(TOTAL))
    assert len(numbers.read) <= 2 + TOTAL // MANY


def test_rows_chosen_are_those_shown_while_another_list_is_on_its_way(model, numbers, qtbot):
    found = []
    model.reload(Numbers(start=7), query="another order")
    model.read_rows([(500, 502)], found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert found == [[500, 501, 502]]


def test_rows_chosen_by_their_place_are_not_taken_from_a_list_that_changed(model, numbers, bridge, qtbot):
    numbers.total -= 1
    with qtbot.waitSignals([bridge.notices.shown, model.loaded]):
        model.read_rows([(500, 900)], pytest.fail)
    assert model.rowCount() == TOTAL - 1


def test_a_block_of_a_list_that_changed_reads_the_list_anew(table, model, numbers, qtbot):
    table.selectRow(0)
    numbers.total, numbers.start = TOTAL + 1, 7
    with qtbot.waitSignal(model.loaded):
        table.scrollToBottom()
    table.scrollToBottom()
    qtbot.waitUntil(lambda: shown(table)[-1] == str(TOTAL + 7))
    assert model.rowCount() == TOTAL + 1
    assert not table.selectionModel().hasSelection()


def test_a_row_is_told_once_it_is_read(model, qtbot):
    told = []
    model.when_read(model.index(3, 0), told.append)
    assert told == [3]
    model.when_read(model.index(7000, 0), told.append)
    model.when_read(model.index(90_000, 0), told.append)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == [3, 90_000]


def test_choosing_all_rows_asks_nothing_of_each(table, model, qapp, qtbot):
    """A head that asks its selection about every row would keep the window for seconds."""
    asked = []
    model.flags = lambda index: asked.append(index.row()) or Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
    table.selectAll()
    qapp.sendPostedEvents(None, QEvent.Type.UpdateRequest)
    qtbot.wait(20)
    assert len(set(asked)) < 1000


def test_a_failure_is_told_and_can_be_tried_again(model, numbers, qtbot):
    def broken(_limit, _cursor):
        raise RuntimeError

    with qtbot.waitSignal(model.failed):
        model.reload(broken)
    with qtbot.waitSignal(model.loaded):
        model.reload(numbers)


def test_an_empty_list_is_empty(model, qtbot):
    with qtbot.waitSignal(model.loaded):
        model.reload(lambda _limit, _cursor: Page([], 0))
    assert model.rowCount() == 0
    assert model.item(model.index(0, 0)) is None
