"""What is kept of a sentence says what was said: of whom, of what and when, in words that one would write."""

from __future__ import annotations

from datetime import date

import pytest

from memdesk.domain.reading.candidates import ASSISTANT, SourceTurn
from tests.helpers.parser import read_turns

pytestmark = pytest.mark.model
DAY = date(2025, 3, 3)


def kept(said):
    """Return the lines of one message that join nothing, tentative ones too."""
    turn = SourceTurn(id="t", speaker="the user", listener=ASSISTANT, text=said, day=DAY, own=True)
    return [one.text for one in read_turns([turn]).candidates if len(one.spans) == 1]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("I bought a thank-you gift for my neighbour Elsa.", "The user bought a thank-you gift for their neighbour Elsa."),
        ("I owe my old teacher a thank you letter.", "The user owes their old teacher a thank you letter."),
        ("My phone is on a pay-as-you-go plan.", "The user's phone is on a pay-as-you-go plan."),
        ("With my dad's operation we've put the wedding off until September 20.", "With the user's dad's operation the user has put the wedding off until September 20."),
        ("With my partner Jo we run a bakery.", "With the user's partner Jo the user and their partner Jo run a bakery."),
        ("I've registered with another practice and from now on my doctor is Dr Pemberton.", "From now on the user's doctor is Dr Pemberton."),
        ("Plus one for the Christmas do is Beth, who I'm together with.", "Plus one for the Christmas do is Beth, who the user is together with."),
        ("My plus one is Omar, my boyfriend.", "The user's plus one is Omar, their boyfriend."),
        ("My team's got bigger again, there are eleven of us now.", "There are eleven of the user's team now."),
        ("There are five of us in the band.", "The user said: \u201cThere are five of us in the band\u201d"),
        ("We own a tiny cottage in Wales that we let out", "The user owns a tiny cottage in Wales that the user lets out."),
        ("I read everything on my Kindle", "The user reads everything on their Kindle."),
        ("I put my toddler to bed at seven", "The user puts their toddler to bed at seven."),
        ("I read three books last month.", "The user read three books last month (February 2025)."),
        ("I cut sugar out of my diet.", "The user cut sugar out of their diet."),
        ("I broke my arm and hurt my back.", "The user hurt their back."),
        ("My bank's Starling these days.", "The user's bank is Starling these days."),
        ("The wedding is 08/08, help with the seating plan please.", "The wedding is 08/08."),
        ("Our dog weighs 30 kg, food advice please.", "The user's dog weighs 30 kg."),
        ("Parent of two here", "The user is a parent of two."),
        ("French speaker here.", "The user is a French speaker."),
        ("Shellfish makes my throat swell up, I have an allergy to it", "The user has an allergy to shellfish."),
        ("Penicillin gives my son a rash, he has an allergy to it.", "The user's son has an allergy to penicillin."),
        ("Dairy makes my skin flare up, I stay away from it.", "The user said: \u201cDairy makes my skin flare up, I stay away from it.\u201d"),
        ("This year's summer holiday is in Crete", "This year's (2025) summer holiday is in Crete."),
        ("Managed to haggle it down, so we're paying 890 instead of 950 now.", "The user managed to haggle it down, so the user is paying 890 instead of 950 now."),
        ("We're Utility Warehouse people.", "The user is a Utility Warehouse person."),
        ("We're officially parents of a seventh grader.", "The user is officially a parent of a seventh grader."),
        ("The CEO of our supplier is visiting on Wednesday.", "The CEO of the user's supplier is visiting on Wednesday (5 March 2025)."),
        ("Here at Halvorsen Marine we still fax things, if you can believe that.", "Here at Halvorsen Marine the user still faxes things, if one can believe that."),
        ("Our village has a pool where you can swim all year.", "The user's village has a pool where one can swim all year."),
        ("Mum finished paying off her catalogue, she's debt free at seventy.", "The user's mum is debt free at seventy."),
        ("Fifty drivers answer to my mother-in-law, and she scares them all.", "The user's mother-in-law scares them all."),
        ("My daughter's train is the 18:12, I need to meet her.", "The user needs to meet their daughter."),
        ("I have ADHD so keep explanations in small steps please", "The user asks the assistant to keep explanations in small steps."),
        ("I have macular degeneration so please write in short paragraphs.", "The user asks the assistant to write in short paragraphs."),
        ("We fly on 9 May, packing list please.", "The user flies on 9 May."),
        ("We were in room 14, we do engineering both.", "The user said: \u201cWe do engineering both\u201d"),
        ("Simone isn't my boss any more, she left on Friday.", "Simone isn't the user's boss anymore."),
        ("I start work at 6 and finish at 2.", "The user finishes at 2."),
        ("Notes are in Joplin now.", "The user's notes are in Joplin now."),
        ("I crew for the RNLI in Howth.", "The user crews for the RNLI in Howth."),
        ("We were just living together.", "The user said: \u201cWe were just living together\u201d"),
        ("Exams are cruel to kids with ADHD.", "Exams are cruel to kids with ADHD."),
        ("I quite like the new Wes Anderson.", "The user quite likes the new Wes Anderson."),
    ],
)  # fmt: skip
def test_a_line_says_what_was_said(said, line):
    assert line in kept(said)


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("Changed our minds, this summer it's Slovenia.", "minds is"),
        ("We moved our meetings, from May it's Fridays.", "meetings is"),
        ("How do I reset the service light on a Honda Jazz? It's what I drive now.", "service light is"),
        ("My order hasn't arrived and it's been an hour and a half.", "order has been"),
        ("Nearly had a heart attack doing the form, it's 45 now.", "attack is"),
        ("I sold my camera, it's phone only from here.", "camera is"),
        ("The Chicago Tribune gets thrown on my porch around 5 am, so I'm up early with it.", "with their porch"),
        ("Done with Succession, and we've moved on to Industry.", "and Succession"),
        ("Our plumber picks up on 0161 496 0194, add him to the list.", "add"),
        ("I dropped the nickname, so from now on the CV says benjamin.osei@penmail.example.", "CV says."),
        ("Our dog gets by on Chappie, it's cheap.", "dog is cheap"),
        ("Started a Factorio save on Saturday and it is now Tuesday.", "is now Tuesday"),
        ("I'm on French horn, so explain transposing to me.", "explain"),
        ("I recently completed 31 years, so kindly revise the calculation.", "revise"),
    ],
)
def test_what_it_is_not_known_to_be_of_is_not_told_of_anything(said, wrong):
    assert not [line for line in kept(said) if wrong in line and not line.startswith("The user said:")]


def test_a_quote_that_points_back_holds_the_sentence_before():
    said = "Can you find the manual for a Bosch dryer? It's the one I own."
    assert any("Bosch dryer" in line and "I own" in line for line in kept(said))
