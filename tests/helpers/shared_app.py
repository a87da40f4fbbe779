"""An app shared by several tests."""

import threading

from memdesk.runtime.lanes import BACKGROUND_THREADS, INTERACTIVE_THREADS


def begin_lanes(app):
    """Begin every thread of an app's lanes, which else begin with a test and would be taken for what it left running."""
    for lane, threads in (("background", BACKGROUND_THREADS), ("interactive", INTERACTIVE_THREADS)):
        all_begun = threading.Barrier(threads)
        for future in [app.services.lanes.submit(lane, all_begun.wait) for _ in range(threads)]:
            future.result()
    app.services.lanes.later(3600, "background", lambda: None, key="warm")
    app.services.lanes.forget("warm")
