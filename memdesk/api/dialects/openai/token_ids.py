"""Decodes texts that clients send as token ids, as LangChain's ``OpenAIEmbeddings`` does.

The ids are those of ``cl100k_base``: OpenAI's embedding models use it, and clients assume it for unknown models.
``resources/models/cl100k_base.xz`` contains its tokens by id, each after a byte with its length: the vocabulary of
tiktoken (MIT, sha256 of its file 223921b7...), whose other half, how to split a text, is not needed here.
"""

import lzma
from collections.abc import Sequence
from functools import cache

from memdesk.errors import BadRequestError
from memdesk.settings.resources import resources_root


def text_of(ids: Sequence[int]) -> str:
    """Return the text of token ids; a character truncated at either end becomes a replacement character.

    Raises:
        BadRequestError: an id that is not in the vocabulary.
    """
    tokens = _tokens()
    unknown = next((each for each in ids if not 0 <= each < len(tokens)), None)
    if unknown is not None:
        raise BadRequestError(
            f"There is no token {unknown} in cl100k_base.", hint="Send texts, or ids of that vocabulary."
        )
    return b"".join(tokens[each] for each in ids).decode("utf-8", "replace")


@cache
def _tokens() -> tuple[bytes, ...]:
    data = lzma.decompress((resources_root() / "models" / "cl100k_base.xz").read_bytes())
    found, at = [], 0
    while at < len(data):
        found.append(data[at + 1 : at + 1 + data[at]])
        at += 1 + data[at]
    return tuple(found)
