"""The output of ``memdesk consolidate`` for a pass stopped elsewhere."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from memdesk.cli.commands import consolidate
from memdesk.cli.exits import Exit


@pytest.mark.parametrize(("status", "code"), [("cancelled", Exit.PARTIAL), ("done", Exit.OK)])
def test_a_pass_that_was_stopped_in_the_window_is_partly_done(monkeypatch, capsys, status, code):
    run = {"id": "r1", "status": status, "counts": {"decay": 3}, "message": "What became of it."}
    client = SimpleNamespace(post=lambda *_args, **_more: {"run": run, "changes": [], "texts": {}})
    monkeypatch.setattr(consolidate, "connect", lambda _options: nullcontext(client))
    options = SimpleNamespace(runs=False, undo=None, dry_run=False, agent=None, json=False)
    assert consolidate.run(options) == code
    assert "What became of it." in capsys.readouterr().err
