"""Does what messages ask for that leaves the conversation as it is: pictures, diagrams, memories of a selection."""

from functools import partial

from PySide6.QtWidgets import QWidget

from memdesk.gui.models.chat import ChatModel
from memdesk.gui.operations import facts as fact_operations
from memdesk.gui.pages import PageContext
from memdesk.gui.views.chat.diagram import DiagramBlock, diagram_colors, outcome
from memdesk.gui.views.chat.forget_selection import ForgetSelection
from memdesk.gui.views.chat.shown import LargePicture, Small
from memdesk.gui.views.chat.thread import ThreadView
from memdesk.ports import DrawnDiagram


def grant(context: PageContext, model: ChatModel, messages: ThreadView, page: QWidget) -> None:
    """Connect the messages' wishes; what runs on a lane belongs to the page."""

    def look(small: Small) -> None:
        context.bridge.run(
            page, small.fetch, lambda image: LargePicture(page.window(), context, image).open(), latest="picture"
        )

    def draw(block: DiagramBlock) -> None:
        def drawn(made: DrawnDiagram | str) -> None:
            # What is read below it stays in place.
            messages.hold_below(block)
            block.show_outcome(made)

        drawing = partial(outcome, context.services.diagrams, block.source, diagram_colors())
        context.bridge.run(block, drawing, drawn, latest="picture")

    def remember(turn_id: str, text: str) -> None:
        fact_operations.remember(context, page, agent_id=model.agent_id, text=text, turn_id=turn_id or None).start()

    wishes = messages.wishes
    wishes.opened.connect(look)
    wishes.drawing_wanted.connect(draw)
    wishes.remember.connect(remember)
    wishes.forget.connect(lambda _turn_id, text: ForgetSelection(context, page, model.agent_id, text).open())
