"""The diagram child process: Mermaid's own code in an interpreter without a network. Imported only there."""

import math
import sys
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from memdesk.errors import BadRequestError
from memdesk.messages import say

#: Largest area of a picture, in pixels; 64 MB in memory.
MOST_PIXELS = 16_000_000
#: Scales of pictures: sharp on a screen at 200 %, and the smallest that is readable.
SHARP, SMALLEST = 2.0, 0.4
#: Longest error message of Mermaid that is passed on, in characters.
MOST_WORDS = 200
#: Address space of this process, in bytes; it takes 115 MB of memory for a diagram of some twenty parts.
MOST_MEMORY = 2 << 30


class DiagramWorker:
    """Answers ``draw``.

    Args:
        config: nothing yet.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        del config
        if sys.platform == "linux":
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        import novasvg.fonts
        from mermaidx import diagram, raster

        sys.addaudithook(_refuse_network)
        self._render, self._bitmap = diagram.Diagram, raster.render_bitmap
        self._load = novasvg.Document.load_from_data
        self._known = set(novasvg.fonts.get_font_face("DejaVu Sans", False, False).codepoints())

    def info(self) -> dict[str, Any]:
        """Say that it is ready."""
        return {}

    def may_pause(self) -> bool:
        """The interpreter cannot be interrupted."""
        return False

    def handle(
        self, op: str, args: dict[str, Any], blob: bytes, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        """Answer one request with the picture as PNG and ``left_out``, the characters that are not in it.

        A diagram that cannot be drawn is not a failure of the process: ``fault`` says why (``font``, ``size`` or
        ``source``), ``words`` more.
        """
        del cancelled
        if op != "draw":
            raise BadRequestError(say("Unknown operation {op}.", op=op))
        source = blob.decode("utf-8", "replace")
        unknown = {sign for sign in source if ord(sign) not in self._known and sign not in "\n\r\t"}
        # Missing letters or digits would change the text; missing emoji do not.
        if written := sorted(sign for sign in unknown if unicodedata.category(sign)[0] in "LN"):
            yield {"fault": "font", "words": written[0]}, b""
            return
        source = source.translate(dict.fromkeys(map(ord, unknown)))
        try:
            svg = self._render(source, config=args["config"]).svg()
        except RuntimeError as error:
            # "Mermaid rendering failed: Error: Parse error on line 2:", and below it the line itself
            words = (str(error).partition("failed: ")[2] or str(error)).removeprefix("Error: ")
            yield {"fault": "source", "words": words.split("\n", 1)[0].rstrip(":. ")[:MOST_WORDS]}, b""
            return
        page = self._load(svg)
        scale = min(SHARP, math.sqrt(MOST_PIXELS / max(1.0, page.width * page.height)))
        if scale < SMALLEST:
            yield {"fault": "size"}, b""
            return
        bitmap = self._bitmap(svg, scale=scale, background=args["background"])
        left_out = "".join(sorted(sign for sign in unknown if unicodedata.category(sign)[0] in "SP"))
        yield {"left_out": left_out, "scale": scale}, bitmap.to_bytes("png", quality=90)


def _refuse_network(event: str, args: tuple[object, ...]) -> None:
    """Cut this process off the network; neither library tries to use it, and nothing they load may."""
    del args
    if event.startswith("socket."):
        raise PermissionError(event)
