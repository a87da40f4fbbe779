"""Numbers written as words."""

from typing import Final

#: English words from zero on.
CARDINALS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
ORDINALS: Final = (
    *("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
#: German words from zero on.
GERMAN: Final = (
    *("null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
)
_TENS: Final = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred")
_DIGITS: Final = {word: str(number) for number, word in enumerate(CARDINALS)} | {
    word: str(10 * number) for number, word in enumerate(_TENS, 3)
}


def digits(words: str) -> str:
    """Return an English number word in digits; anything else as said."""
    return _DIGITS.get(words.lower(), words)
