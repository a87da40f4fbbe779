"""Secrets are recognized by form, check digits or name; lookalikes are not."""

from __future__ import annotations

import time

import pytest

from memdesk.domain.caches import forget_all
from memdesk.domain.reading.private import masked, masked_field
from memdesk.domain.reading.secrets import secrets_in, sentences_with_secrets, without_secrets
from tests.helpers.parser import parsed
from tests.helpers.planted import told_secrets


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My card is 4111 1111 1111 1111.", "card number"),
        ("My IBAN is DE89 3704 0044 0532 0130 00.", "account number"),
        ("My password is hunter2.", "password"),
        ("the wifi password is swordfish", "password"),
        ("My password is bluebird and my cat is Otto.", "password"),
        ("My password is bluebird, I use it everywhere.", "password"),
        ("Mein Passwort ist Sonnenblume und Otto kennt es.", "password"),
        ("The passphrase is correct horse battery staple", "password"),
        ("The wifi key is greenhouse", "password"),
        ("The alarm code changed to 8812", "password"),
        ("Der Türcode lautet jetzt 8812", "password"),
        ("My bank PIN: 4821", "password"),
        ("Mein Passwort ist Sommer2024!", "password"),
        ("Mon mot de passe est azerty99", "password"),
        ("I use AKIAIOSFODNN7EXAMPLE for that.", "key"),
        ("here: ghp_0123456789abcdefghijABCDEFGHIJ012345", "key"),
        ("token=f3Zk9QpL2xVb7NwRt5Yc8Hd1", "key"),
        ("My SSN is 219-09-9999.", "social security number"),
        ("My card: 4111.1111.1111.1111", "card number"),
        ("\uff14\uff11\uff11\uff11 1111 1111 1111 is my card.", "card number"),
        ("Meine Steuer-ID ist 86 095 742 719.", "identity number"),
        ("Mon numéro est le 2 69 05 49 588 157 80.", "identity number"),
        ("Mi DNI es 12345678Z y mi NIE X1234567L.", "identity number"),
        ("Sono RSSMRA85T10A562S.", "identity number"),
        ("Mijn BSN is 111222333.", "password"),
        ("My passport number is C01X00T47.", "password"),
        ("My passport number is 98765432K.", "password"),
        ("The login for the router is admin / Hunter2Banana!", "password"),
        ("Zugangsdaten zum Router: karl/birne7", "password"),
        ("pw: hunter22", "password"),
        ("My safe's combination is 12-34-56.", "password"),
        ('my passphrase is "seven blue herons fly"', "password"),
        ("Mon code de carte bleue est 7741.", "password"),
        ("-----BEGIN RSA PRIVATE KEY-----", "key"),
        (
            "My seed phrase: apple river stone cloud tiger green table music horse light ocean paper",
            "recovery phrase",
        ),
        (
            "Remember: legal winner thank year wave sausage worth useful legal winner thank yellow I live in Graz",
            "recovery phrase",
        ),
        ("CVV 737", "password"),
        ("my iban is de89370400440532013000", "account number"),
        ("DE89 3704 0044 0532 0130 00 I use it for rent", "account number"),
        ("Meine Personalausweisnummer ist L01X00T47.", "password"),
        ("My driver's licence number is MORGA657054SM9IJ.", "password"),
        ("The code for the safe is 7731.", "password"),
        ("the alarm code is 4471", "password"),
        ("gate: 9034#", "password"),
        ("The lock combination: 4 - 19 - 33", "password"),
        ("My vault code is 22 44 66", "password"),
        ("The garage opens with 5528", "password"),
        ("code 5512 opens the shed", "password"),
        ("The code is 7731.", "password"),
        ("Der Türcode ist 4402.", "password"),
        ("Le code de la porte est 4590B", "password"),
        ("El código de la alarma es 7781", "password"),
        ("Il codice della porta è 3312.", "password"),
        ("My AWS secret access key is wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY.", "password"),
        ("By the way, the wifi is Tulip88Rain, in case you need it.", "password"),
        ("Unser WLAN ist Dachs4711Bau.", "password"),
        ("The SIM unlock is 9921.", "password"),
        ("Log into the NAS as admin with Gr4nite!Fox", "password"),
        ("Melde dich als admin mit Fuchs88! an.", "password"),
        ("here is my backup code for github 83921-77420, the first one is used", "password"),
    ],
)
def test_a_secret_is_seen(text, kind):
    assert kind in {secret.kind for secret in secrets_in(text)}


@pytest.mark.parametrize(
    "text",
    [
        "My phone number is +49 170 1234567.",
        "I was born on 1984-03-05 and weigh 82.5 kg.",
        "My order number is 4111 1111 1111 1112.",
        "My password is too long to remember.",
        "I forgot my password.",
        "My password manager is Bitwarden.",
        "My password is long and hard to remember.",
        "The password is stored in a vault and I forgot where.",
        "The door code is now handled by the landlord.",
        "The combination was unusual but tasty.",
        "The combination of rice and beans is great.",
        "My pin collection is huge.",
        "I work on the internationalization-of-everything project.",
        "The file is at /usr/share/applications/org.example.Application1.desktop.",
        "My shoe size is 43 and I have two cats.",
        "The login is slow since 2 / 3 of the team moved.",
        "We met on 2024.1123.1030.4411 as the file is called.",
        "My ticket has the number 86 095 742 718.",
        "De pin van mijn oma is uit 1920.",
        "My passport photo is from 2019.",
        "My bank account number changed in 2020.",
        "Our invoice 12345678A was paid, the part is 98765432X.",
        "It cost 12 345 678 901 yen.",
        "Ich heiße Rindfleischetikettierungsüberwachung.",
        "Our postcode is 9034 by the gate.",
        "The HTTP code 4041 means nothing.",
        "Der Quellcode ist 2000 Zeilen lang.",
        "Mon code postal est 33000.",
        "My alarm is at 0630 and the lock is from 1999.",
        "The gate is 12, 14 or 16 years old.",
        "It is safe to say the code is 1200 lines.",
        "Our wifi is 300Mbps and has 250 devices.",
        "I log into Teams with Office365 every day.",
        "Level 9 unlocks are 5000 points.",
        "My token came with 120000 credits.",
    ],
)
def test_what_is_no_secret_stays(text):
    assert secrets_in(text) == []


@pytest.mark.parametrize(
    ("excerpt", "whole", "left"),
    [
        ("\u2026 It's 5508 now.", "I got a new PIN. It's 5508 now.", "\u2026 It's [password] now."),
        ("Room 15508, not 5508!", "My PIN is 5508. Room 15508, not 5508!", "Room 15508, not [password]!"),
        ("Take 4111 1111 1111 1111", "Take 4111 1111\n1111 1111.", "Take [card number]"),
        ("My PIN is 5508.", "My PIN is 5508. Bye.", "My PIN is [password]"),
        ("Nothing else.", "My PIN is 5508. Nothing else.", "Nothing else."),
    ],
)
def test_an_excerpt_is_masked_by_what_the_whole_message_tells(excerpt, whole, left):
    assert masked(excerpt, whole) == left


@pytest.mark.parametrize(("text", "part"), told_secrets("secrets"))
def test_a_secret_is_left_out_however_it_is_told(text, part):
    for told in (text, f"{text} I live in Graz."):
        assert part not in without_secrets(told)[0]
        assert part not in masked(told)


def test_what_is_told_like_a_secret_and_is_none_stays():
    held = [text for text in told_secrets("alike") if secrets_in(text)]
    assert len(held) <= 2, held


def test_a_recovery_phrase_is_left_out_as_a_numbered_list_too():
    words = [
        "legal",
        "winner",
        "thank",
        "year",
        "wave",
        "sausage",
        "worth",
        "useful",
        "legal",
        "winner",
        "thank",
        "yellow",
    ]
    for between in (" ", "\n"):
        listed = between.join(f"{number}. {word}" for number, word in enumerate(words, 1))
        assert "sausage" not in without_secrets(f"Mine: {listed}")[0]
    last = [*words[:-1], "zoo"]
    assert secrets_in(" ".join(last)) == []  # the checksum does not hold


def test_only_the_sentence_with_the_secret_goes():
    text = "I live in Graz. My password is hunter2. I have two cats."
    assert without_secrets(text) == ("I live in Graz. I have two cats.", ("password",))
    assert without_secrets("I live in Graz.") == ("I live in Graz.", ())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("My landlord is Mr Petrov and the door code is 4471#.", "My landlord is Mr Petrov."),
        ("I live at 14 Quarry Lane and the gate code is 4471.", "I live at 14 Quarry Lane."),
        ("The alarm code is 9031 and my neighbor Olga has a spare key.", "my neighbor Olga has a spare key."),
        ("My card is 4111 1111 1111 1111, I live in Graz and I have two dogs.", "I live in Graz. I have two dogs."),
        ("I work at Acme; my login is admin / hunter22. I like tea.", "I work at Acme. I like tea."),
        # What may be another secret, or goes with one, is left out with it.
        ("The door code is 4471 and the alarm is 9921.", ""),
        ("My password is hunter2 and my husband's is daisy.", ""),
        ("My password is hunter2 and mine at work is daisy.", ""),
        ("My password is hunter2 and the other is daisy.", ""),
        ("My password is hunter2 and the old one was daisy.", ""),
        ("My wifi password is Tulip88Rain and my daughter chose Rose77Rain.", ""),
        ("My PIN is 8842 and my wife knows it too.", ""),
        ("The PIN is 8842 and the safe is behind my books.", ""),
        ("If you come over, the code is 4471#.", ""),
        ("Did you note that my landlord is Mr Petrov and the door code is 4471#?", ""),
        # Nothing parses these.
        ("Mein Vermieter ist Herr Petrov und der Türcode ist 4471#.", ""),
    ],
)
def test_clauses_that_stand_apart_from_a_secret_stay(text, left):
    assert without_secrets(text, parsed)[0] == left
    assert without_secrets(text, parsed)[1] == without_secrets(text)[1] != ()


def test_no_clause_stays_where_nothing_parses():
    assert without_secrets("My landlord is Mr Petrov and the door code is 4471#.", lambda _: []) == ("", ("password",))


def test_what_is_parsed_holds_no_secret():
    shown = []
    without_secrets("My landlord is Mr Petrov and my PIN is 8842.", lambda texts: shown.extend(texts) or [])
    assert shown == ["My landlord is Mr Petrov and my PIN is 0000."]


def test_a_private_key_over_several_lines_leaves_nothing():
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n-----END PRIVATE KEY-----"
    left, kinds = without_secrets(f"Look:\n{key}\nThanks")
    assert "MIIE" not in left
    assert kinds == ("key",)
    short = "-----BEGIN PRIVATE KEY-----\nMIIEvQIB\n-----END PRIVATE KEY----- is my key. I live in Graz."
    assert without_secrets(short) == ("is my key. I live in Graz.", ("key",))


@pytest.mark.parametrize(
    ("name", "value", "left"),
    [
        ("pin", 4821, "[password]"),
        ("wifi_password", "hunter2!x", "[password]"),
        ("bankPin", "4821", "[password]"),
        ("HTTPPassword", "hunter2!x", "[password]"),
        ("note", "My bank PIN is 4821.", "My bank PIN is [password]"),
        ("house", {"password": ["x9!k2ab", "y8?l3cd"], "rooms": 3}, {"password": ["[password]"] * 2, "rooms": 3}),
        ("house", {"ghp_0123456789abcdefghijABCDEFGHIJ012345": None}, {"[key]": None}),
        ("count", 4821, 4821),
        ("on", True, True),
        ("favorite_color", "blue", "blue"),
        ("requestId", "cd613e30-d8f1-4adf-91b7-584a2265b1f5", "cd613e30-d8f1-4adf-91b7-584a2265b1f5"),
        ("api_key", "cd613e30-d8f1-4adf-91b7-584a2265b1f5", "[password]"),
    ],
)
def test_a_fields_name_shows_what_its_value_is(name, value, left):
    assert masked_field(name, value) == left


@pytest.mark.parametrize(
    "words", ["my pin is for my ", "the password is not for unit B1204x ", "das passwort manager "]
)
def test_one_endless_sentence_is_read_in_the_time_that_its_length_takes(words):
    def taken(times):
        forget_all()
        began = time.process_time()
        assert secrets_in(words * times) == []
        return time.process_time() - began

    taken(10)  # the patterns are made once
    assert min(taken(8000) for _ in range(3)) < 10 * min(taken(2000) for _ in range(3))


def test_only_the_sentence_that_tells_a_secret_named_before_goes():
    text = "I moved to Graz. I forgot my passcode. I set it to 590311 instead. I have two cats."
    assert without_secrets(text) == ("I moved to Graz. I forgot my passcode. I have two cats.", ("password",))
    assert sentences_with_secrets(text) == ["I set it to 590311 instead."]


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my password. Nothing else happened. We talked for an hour. Then I typed in Falcon2210.",
        "I forgot my password. My phone is set to Pixel8Pro mode.",
        "I have a password. I use Windows11 every day.",
        "The PIN came by post. It's 2024 and they still send letters.",
    ],
)
def test_what_is_named_by_something_else_or_later_is_no_secret(text):
    assert secrets_in(text) == []
