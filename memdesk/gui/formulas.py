"""Formulas in TeX as pictures, by ziamath (TeX to MathML to outlines of STIX Two Math). Knows no Qt.

Layout takes some 3 to 25 ms, so it is done on a lane together with the text, and cached.
"""

import base64
import logging
import threading
from dataclasses import dataclass
from typing import Final

from memdesk.domain.caches import remembered

log = logging.getLogger(__name__)

#: URL scheme of formulas in drawn text.
SCHEME: Final = "formula"
#: A longer formula is shown as it was written.
MOST_CHARS: Final = 2000
#: Layout size of formulas; they are scaled to the surrounding text.
_EM: Final = 20.0
#: Placeholder for the text color in a picture.
_INK: Final = "black"
_laying_out = threading.Lock()


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula's layout: an SVG, and its dimensions as multiples of the font size."""

    svg: str
    width: float
    height: float
    #: from the top to the baseline.
    ascent: float

    def colored(self, color: str) -> str:
        """Return the SVG in the text color, such as ``#202124``."""
        return self.svg.replace(f'="{_INK}"', f'="{color}"')


def address(tex: str, *, display: bool) -> str:
    """Return the URL of a formula in drawn text; :func:`named` reads it."""
    code = base64.urlsafe_b64encode(tex.encode("utf-8", "surrogatepass")).decode("ascii")
    return f"{SCHEME}:{'d' if display else 'i'}{code}"


def named(address_: str) -> tuple[str, bool] | None:
    """Return a URL's TeX, and whether it is a display formula; None for other URLs."""
    scheme, _, rest = address_.partition(":")
    if scheme != SCHEME or not rest:
        return None
    return base64.urlsafe_b64decode(rest[1:]).decode("utf-8", "surrogatepass"), rest[0] == "d"


@remembered(512)
def formula(tex: str, *, display: bool) -> Formula | None:
    """Lay out a formula; None if that fails: unknown, unfinished or very long."""
    if len(tex) > MOST_CHARS:
        return None
    from ziamath.config import config
    from ziamath.zmath import Latex

    with _laying_out:
        # Qt supports only SVG 1, and the library has this option only per process.
        config.svg2 = False
        try:
            made = Latex(tex, size=_EM, inline=not display)
            svg = made.svgxml()
        except Exception as error:  # noqa: BLE001 - a model may write anything, and each command fails in its own way
            log.debug("a formula is shown as it was written: %s", type(error).__name__)
            return None
    if "\\" in made.mathmlstr():
        # Unknown commands stay in the text.
        return None
    _left, top, width, height = map(float, str(svg.get("viewBox")).split())
    from xml.etree.ElementTree import tostring

    return Formula(tostring(svg, encoding="unicode"), width / _EM, height / _EM, -top / _EM)
