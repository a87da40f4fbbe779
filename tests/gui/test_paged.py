from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt

from memdesk.domain.models import Page
from memdesk.gui.models.paged import ITEM, PAGE_ROWS, PagedModel

TOTAL = 100_000


def fetch(limit, cursor):
    start = int(cursor or 0)
    items = list(range(start, min(TOTAL, start + limit)))
    return Page(items, TOTAL, str(start + limit) if start + limit < TOTAL else None)


@pytest.fixture
def model(bridge):
    model = PagedModel(bridge, fetch)
    yield model
    model.deleteLater()


def test_rows_come_as_one_scrolls(model, qtbot):
    with qtbot.waitSignal(model.loaded) as told:
        model.reload()
    assert told.args == [TOTAL]
    assert model.rowCount() == PAGE_ROWS
    with qtbot.waitSignal(model.rowsInserted):
        model.fetchMore(QModelIndex())
        model.fetchMore(QModelIndex())
    assert model.rowCount() == 2 * PAGE_ROWS
    index = model.index(PAGE_ROWS + 3, 0)
    assert model.data(index) == str(PAGE_ROWS + 3)
    assert model.data(index, ITEM) == PAGE_ROWS + 3
    assert model.headerData(0, Qt.Orientation.Horizontal) == ""


def test_rows_can_be_replaced_and_dropped(model, qtbot):
    with qtbot.waitSignal(model.loaded):
        model.reload()
    model.replace(lambda item: item == 2, -2)
    assert model.rows[2] == -2
    model.drop(lambda item: item in {0, 5})
    assert model.rowCount() == PAGE_ROWS - 2
    assert model.total == TOTAL - 2


def test_a_failure_is_told_and_can_be_tried_again(model, qtbot):
    def broken(_limit, _cursor):
        raise RuntimeError

    with qtbot.waitSignal(model.failed):
        model.reload(broken)
    with qtbot.waitSignal(model.loaded):
        model.reload(fetch)


def test_the_end_is_the_end(model, qtbot):
    with qtbot.waitSignal(model.loaded):
        model.reload(lambda _limit, _cursor: Page([1, 2], 2))
    assert not model.canFetchMore(QModelIndex())
