"""When a new statement replaces or ends a known one although their fields do not prove it.

"Otis has started at Fairfield Academy" ends "Otis goes to St Mark's primary", though no rule says that children
attend one school at a time. The bundled model classifies the known line and the new sentence, fine-tuned on labeled pairs
by ``memdesk bench succession FILE... --train`` (``resources/models/succession.safetensors``). It knows only English.
"""

from typing import Final

LANGUAGE: Final = "en"
#: Name of the adapter, and the classes for "says the same again" and "ends"; the first class is "another thing".
TASK: Final = "succession"
AGAIN: Final = 1
OVER: Final = 2
#: Minimum probability for ending a known statement, and for asking the user.
ENDS: Final = 0.5
ASKS: Final = 0.3
#: Minimum probability for taking a sentence for a repetition.
REPEATS: Final = 0.5
