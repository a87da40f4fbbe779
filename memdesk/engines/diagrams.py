"""Diagrams: Mermaid in a child process that holds no lock of ours, stopped when idle."""

from collections.abc import Sequence
from typing import Any, Final

from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import DiagramColors, DrawnDiagram, Workers, WorkerSpec

#: Longer sources are shown as they are.
MOST_CHARS: Final = 20_000
IDLE_SECONDS: Final = 30.0
#: Seconds without a sign of life, loading and drawing. A flowchart of 50 nodes takes 2.3 s of a core, one of 200 19 s.
START_SECONDS: Final = 60.0
DRAW_SECONDS: Final = 30.0
#: Share of a hue in backgrounds with text, and without.
_BEHIND_WORDS, _BESIDE_WORDS = 0.35, 0.55


class MermaidDrawer:
    """``ports.DiagramDrawer`` over a supervised process.

    Args:
        workers: starts the process with the first diagram.
        draw_seconds: timeout of a diagram.
    """

    def __init__(self, workers: Workers, *, draw_seconds: float = DRAW_SECONDS) -> None:
        self._worker = workers.make(
            WorkerSpec(
                name="diagrams",
                kind="diagrams",
                target="memdesk.engines.diagram_worker:DiagramWorker",
                model="Mermaid",
                idle_seconds=IDLE_SECONDS,
                preempt=False,
                start_timeout=START_SECONDS,
                answer_timeout=draw_seconds,
                nice=5,
            )
        )

    def draw(self, source: str, colors: DiagramColors) -> DrawnDiagram:
        if len(source) > MOST_CHARS:
            raise BadRequestError(say("It is too long for a picture."))
        args = {"config": config_for(colors), "background": colors.background}
        header, png = self._worker.call("draw", args, blob=source.encode("utf-8", "replace"))
        match header.get("fault"):
            case "font":
                raise BadRequestError(say("The font for diagrams has no “{sign}”.", sign=header["words"]))
            case "source":
                raise BadRequestError(say("Mermaid says: {reason}.", reason=header["words"]))
            case "size":
                raise BadRequestError(say("It is too large for a picture."))
        return DrawnDiagram(png=png, scale=float(header["scale"]), left_out=str(header["left_out"]))


def config_for(colors: DiagramColors) -> dict[str, Any]:
    """Return Mermaid's settings for these colors: its theme ``base`` takes all colors from variables."""
    behind = [_mix(hue, colors.background, _BEHIND_WORDS) for hue in colors.hues]
    beside = [_mix(hue, colors.background, _BESIDE_WORDS) for hue in colors.hues]
    words = dict.fromkeys(
        ("primaryTextColor", "secondaryTextColor", "tertiaryTextColor", "textColor", "titleColor", "nodeTextColor"),
        colors.text,
    )
    variables: dict[str, Any] = {
        **words,
        **{f"cScale{n}": color for n, color in enumerate(_repeated(behind, 12))},
        **{f"cScaleLabel{n}": colors.text for n in range(12)},
        **{f"cScaleInv{n}": color for n, color in enumerate(_repeated(beside, 12))},
        **{f"cScalePeer{n}": color for n, color in enumerate(_repeated(beside, 12))},
        **{f"fillType{n}": color for n, color in enumerate(_repeated(behind, 8))},
        **{f"git{n}": color for n, color in enumerate(_repeated(beside, 8))},
        **{f"gitBranchLabel{n}": colors.text for n in range(8)},
        **{f"pie{n + 1}": color for n, color in enumerate(_repeated(beside, 12))},
        "darkMode": colors.dark,
        "background": colors.background,
        "primaryColor": behind[0],
        "secondaryColor": behind[1],
        "tertiaryColor": colors.raised,
        "primaryBorderColor": colors.hues[0],
        "secondaryBorderColor": colors.border,
        "tertiaryBorderColor": colors.border,
        "lineColor": colors.line,
        "edgeLabelBackground": colors.raised,
        "pieStrokeColor": colors.background,
        "pieOuterStrokeColor": colors.border,
        "pieOpacity": "1",
        "quadrantPointFill": colors.hues[0],
        "xyChart": {"plotColorPalette": ",".join(beside)},
        # The font that widths are measured with, whatever else the machine has.
        "fontFamily": "DejaVu Sans",
        "fontSize": "14px",
    }
    # Entities have no color of their own, and would be black.
    css = f".label, .nodeLabel, .edgeLabel, .nodeLabel p, .edgeLabel p {{ color: {colors.text}; }}"
    return {"theme": "base", "themeVariables": variables, "themeCSS": css, "maxTextSize": MOST_CHARS}


def _repeated(colors: Sequence[str], length: int) -> list[str]:
    return [colors[n % len(colors)] for n in range(length)]


def _mix(hue: str, ground: str, part: float) -> str:
    """Return one color (``#rrggbb``) blended over another."""
    pairs = ((int(hue[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one * part + other * (1 - part)):02x}" for one, other in pairs)
