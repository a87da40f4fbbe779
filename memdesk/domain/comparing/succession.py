"""When a new statement takes the place of a known one, or ends it, where their fields do not prove it.

"Otis has started at Fairfield Academy" ends "Otis goes to St Mark's primary", though no rule knows that one is at one school at a
time. The bundled model tells it of the known line and the new sentence, as labeled pairs have taught it;
``memdesk bench succession FILE... --train`` teaches it (``resources/models/succession.safetensors``). It knows English alone.
"""

from typing import Final

LANGUAGE: Final = "en"
#: The name of what the model was taught, and the classes that mean "says the same again" and "ends"; the first is "another thing".
TASK: Final = "succession"
AGAIN: Final = 1
OVER: Final = 2
#: From which probability on a known statement is ended, and from which the user is asked.
ENDS: Final = 0.6
ASKS: Final = 0.3
