"""Chooses the next token; runs only in the llama.cpp child process."""

import ctypes
import json
import math
import secrets
from typing import Any, Final

import llama_cpp
import numpy as np
from llama_cpp import _internals as internals
from llama_cpp.llama_grammar import LlamaGrammar

from memdesk.errors import BadRequestError
from memdesk.messages import say

#: How many of the last tokens the repetition penalty covers: a paragraph, since small models repeat sentences.
PENALTY_TOKENS: Final = 256


class Sampler:
    """One request's sampling chain, with an optional grammar in front of it.

    A grammar checks one token instead of the whole vocabulary: the chain chooses freely, and only if the grammar
    rejects its choice is every token checked (as in llama.cpp's own programs). With a vocabulary of 49,152 tokens that
    saves most of the cost of constrained answers.

    Args:
        args: ``temperature``, ``top_p``, ``top_k``, ``min_p``, ``repeat_penalty``,
            ``frequency_penalty``, ``presence_penalty``, ``seed``, ``json_schema``.
    """

    def __init__(self, model: Any, args: dict[str, Any]) -> None:
        self._model = model
        #: Whether a grammar constrains the answer.
        self.constrained = args.get("json_schema") is not None
        self._chain = _chain(model, args)
        self._grammar = _grammar(model, args["json_schema"]) if self.constrained else None
        self._all: Any = None

    def sample(self, context: Any) -> int:
        """Return the next token, given the logits of the last position."""
        token = int(self._chain.sample(context))
        if self._grammar is None:
            return token
        if not self._accepts(token):
            token = self._sample_constrained(context)
        if not llama_cpp.llama_vocab_is_eog(self._model.vocab, token):
            llama_cpp.llama_sampler_accept(self._grammar, token)
        return token

    def close(self) -> None:
        """Free native memory. Idempotent."""
        self._chain.close()
        if self._grammar is not None:
            llama_cpp.llama_sampler_free(self._grammar)
            self._grammar = None

    def _accepts(self, token: int) -> bool:
        one = (llama_cpp.llama_token_data * 1)(llama_cpp.llama_token_data(id=token, logit=1.0, p=0.0))
        array = llama_cpp.llama_token_data_array(data=one, size=1, selected=-1, sorted=False)
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(array))
        return not math.isinf(one[0].logit)

    def _sample_constrained(self, context: Any) -> int:
        size = self._model.n_vocab()
        if self._all is None:
            self._all = internals.LlamaTokenDataArray(n_vocab=size)
        self._all.copy_logits(np.ctypeslib.as_array(context.get_logits_ith(-1), shape=(size,)))
        array = self._all.candidates
        llama_cpp.llama_sampler_apply(self._grammar, ctypes.byref(array))
        llama_cpp.llama_sampler_apply(self._chain.sampler, ctypes.byref(array))
        token: int = array.data[array.selected].id
        return token


def _chain(model: Any, args: dict[str, Any]) -> Any:
    chain: Any = internals.LlamaSampler()  # type: ignore[no-untyped-call]  # the package has no types here
    # Top candidates first, then the penalty, which is slow over the whole vocabulary.
    chain.add_top_k(int(args.get("top_k") or 40))
    penalties = [float(args.get(name) or 0.0) for name in ("frequency_penalty", "presence_penalty")]
    repeat = float(args.get("repeat_penalty") or 1.0)
    # Free text only: constrained answers have to repeat keys and quotes.
    if args.get("json_schema") is None and (repeat != 1.0 or any(penalties)):
        chain.add_penalties(model.n_vocab(), PENALTY_TOKENS, repeat, *penalties)
    temperature = float(args["temperature"])
    if temperature <= 0.0:
        chain.add_greedy()
        return chain
    chain.add_top_p(float(args["top_p"]), 1)
    chain.add_min_p(float(args.get("min_p") or 0.05), 1)
    chain.add_temp(temperature)
    seed = args.get("seed")
    chain.add_dist(secrets.randbits(32) if seed is None else int(seed) & 0xFFFFFFFF)
    return chain


def _grammar(model: Any, schema: dict[str, Any]) -> Any:
    text = json.dumps(schema or {"type": "object"})
    try:
        grammar = LlamaGrammar.from_json_schema(text, verbose=False)
    except Exception as error:
        raise BadRequestError(say("This JSON schema cannot be turned into a grammar: {error}", error=error)) from error
    sampler = llama_cpp.llama_sampler_init_grammar(
        model.vocab,
        grammar._grammar.encode(),  # noqa: SLF001  # the text has no public name; the package reads it the same way
        b"root",
    )
    if not sampler:
        raise BadRequestError(say("This JSON schema cannot be turned into a grammar."))
    return sampler
