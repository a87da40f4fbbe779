"""Formulas in TeX as pictures, by ziamath (TeX to MathML to outlines of STIX Two Math). Knows no Qt.

Laying one out takes some 3 to 25 ms, so it is done on a lane with the words around it and remembered.
"""

import base64
import logging
import threading
from dataclasses import dataclass
from typing import Final

from memdesk.domain.caches import remembered

log = logging.getLogger(__name__)

#: Scheme of the addresses by which a drawn text names its formulas.
SCHEME: Final = "formula"
#: A longer formula is shown as it was written.
MOST_CHARS: Final = 2000
#: Size that formulas are laid out in; they are scaled to that of the words around.
_EM: Final = 20.0
#: Placeholder for the text color in a picture.
_INK: Final = "black"
_laying_out = threading.Lock()


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula laid out: an SVG, and its measures as multiples of the size of its letters."""

    svg: str
    width: float
    height: float
    #: from the top down to the line that letters stand on.
    ascent: float

    def colored(self, color: str) -> str:
        """Return the SVG in the color of the words, such as ``#202124``."""
        return self.svg.replace(f'="{_INK}"', f'="{color}"')


def address(tex: str, *, display: bool) -> str:
    """Return by what a drawn text names a formula; it holds all that :func:`named` needs."""
    code = base64.urlsafe_b64encode(tex.encode("utf-8", "surrogatepass")).decode("ascii")
    return f"{SCHEME}:{'d' if display else 'i'}{code}"


def named(address_: str) -> tuple[str, bool] | None:
    """Return TeX, and whether it stands by itself, of an address; None for another kind of address."""
    scheme, _, rest = address_.partition(":")
    if scheme != SCHEME or not rest:
        return None
    return base64.urlsafe_b64decode(rest[1:]).decode("utf-8", "surrogatepass"), rest[0] == "d"


@remembered(512)
def formula(tex: str, *, display: bool) -> Formula | None:
    """Lay a formula out; None where that cannot be done: it is unknown, unfinished or very long."""
    if len(tex) > MOST_CHARS:
        return None
    from ziamath.config import config
    from ziamath.zmath import Latex

    with _laying_out:
        # Qt draws SVG 1 alone, and the library keeps this choice for the whole process.
        config.svg2 = False
        try:
            made = Latex(tex, size=_EM, inline=not display)
            svg = made.svgxml()
        except Exception as error:  # noqa: BLE001 - a model may write anything, and each command fails in its own way
            log.debug("a formula is shown as it was written: %s", type(error).__name__)
            return None
    if "\\" in made.mathmlstr():
        # A command that it does not know stays in the words.
        return None
    _left, top, width, height = map(float, str(svg.get("viewBox")).split())
    from xml.etree.ElementTree import tostring

    return Formula(tostring(svg, encoding="unicode"), width / _EM, height / _EM, -top / _EM)
