"""Contents of archives besides messages: counted by kind, so that nothing is dropped silently."""

from collections import Counter
from typing import Any, Final

THOUGHTS: Final = "thoughts"
TOOLS: Final = "tools"
FILES: Final = "files"
INSTRUCTIONS: Final = "instructions"
VERSIONS: Final = "versions"
#: Kinds with a label; counts under other names are of unknown parts.
KINDS: Final = (THOUGHTS, TOOLS, FILES, INSTRUCTIONS, VERSIONS)

#: The apps' names of parts, content types and steps, by kind.
_NAMES: Final[dict[str, str]] = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("think", "thinking", "redacted_thinking", "reasoning", "thoughts", "reasoning_recap"), THOUGHTS),
    **dict.fromkeys(
        (
            *("tool_use", "tool_result", "tool_call", "tool_calls", "code_interpreter", "code", "execution_output"),
            *("toolCallRequest", "toolCallResult", "toolStatus", "debugInfoBlock", "computer_output", "system_error"),
            *("tether_browsing_code", "tether_browsing_display", "tether_quote", "sonic_webpage", "super_widget"),
            *("citable_code_output", "app_pairing_content", "tool", "function"),
        ),
        TOOLS,
    ),
    **dict.fromkeys(
        (
            *("image", "image_url", "image_asset_pointer", "audio_asset_pointer", "video_container_asset_pointer"),
            *("real_time_user_audio_video_asset_pointer", "input_image", "input_audio", "input_file", "file"),
            *("document", "audio", "video"),
        ),
        FILES,
    ),
    **dict.fromkeys(
        ("user_editable_context", "model_editable_context", "system", "developer", "token_budget"), INSTRUCTIONS
    ),
}
_NAME_CHARS: Final = 40


class Beside(Counter[str]):
    """Counts the omitted parts of one chat."""

    def part(self, name: Any, number: int = 1) -> None:
        """Count parts by the app's name for them; unknown ones keep it."""
        word = str(name or "unnamed")
        self[_NAMES.get(word) or word[:_NAME_CHARS]] += number

    def several(self, value: Any, kind: str) -> None:
        """Count the entries of a list; anything else counts as none."""
        if isinstance(value, list) and value:
            self[kind] += len(value)
