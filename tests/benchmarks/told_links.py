"""A made life whose links were told: what each family of links is worth where somebody says what belongs together.

The public sets hold no links of cause, order, mood or likeness but those that rules find. Here an application says that
one thing led to, came before, felt like or resembles another. The two share no telling word, so that neither the
vector nor the full text finds the second by a question about the first. Around them lie the turns of a public
conversation. All sentences are invented.
"""

from dataclasses import dataclass

from graph_memory.domain.draft import MemoryDraft
from graph_memory.domain.link import LinkType
from tests.benchmarks.corpora import Case, Corpus, Tie, locomo


@dataclass(frozen=True, slots=True)
class _Told:
    """What a question is about, what is linked to it and answers, and the question."""

    known: str
    linked: str
    question: str


def told_links() -> list[Corpus]:
    """One corpus: twelve pairs of memories for each family with a question each, among the turns of a conversation."""
    crowd = locomo()[1].drafts
    drafts, cases, ties = list(crowd), [], []
    for kind, (link_type, told) in _FAMILIES.items():
        for number, each in enumerate(told):
            known, linked = f"{kind}-{number}-known", f"{kind}-{number}-linked"
            drafts += [
                MemoryDraft(text=each.known, external_id=known),
                MemoryDraft(text=each.linked, external_id=linked),
            ]
            cases.append(Case(each.question, kind, frozenset({linked})))
            ties.append(
                Tie(linked, link_type, known) if link_type is LinkType.LEADS_TO else Tie(known, link_type, linked)
            )
    return [Corpus("told-links", tuple(drafts), tuple(cases), tuple(ties))]


_CAUSES = (
    _Told(
        "The bakery on Elm Row stayed shut all week",
        "Ivo broke his wrist on the ice",
        "Why was the bakery on Elm Row shut?",
    ),
    _Told(
        "We missed the night ferry to Harwich",
        "A cow stood on the railway line near Soest",
        "Why did we miss the night ferry?",
    ),
    _Told(
        "The choir sang without microphones",
        "Mice had gnawed the cable behind the stage",
        "Why did the choir sing without microphones?",
    ),
    _Told(
        "My passport photo looks terrible",
        "The neighbours' smoke alarm beeped until four",
        "Why does my passport photo look terrible?",
    ),
    _Told(
        "Grandpa sold his motorcycle",
        "The eye doctor found a cataract",
        "What was the reason that grandpa sold his motorcycle?",
    ),
    _Told(
        "The lake was closed to swimmers in July",
        "A tanker overturned on the upper bridge",
        "Why was the lake closed to swimmers?",
    ),
    _Told(
        "Our tomatoes split open",
        "It poured for two days after the dry spell",
        "What was the cause of our tomatoes splitting?",
    ),
    _Told(
        "The museum gave us a refund",
        "The escalators were stuck between floors",
        "Why did the museum give us a refund?",
    ),
    _Told(
        "Lene took up the cello",
        "Her therapist had asked what she gave up as a child",
        "Why did Lene take up the cello?",
    ),
    _Told(
        "The printer wrote only in green",
        "Somebody had swapped the cartridges as a joke",
        "Why did the printer write only in green?",
    ),
    _Told(
        "The wedding cake arrived in pieces",
        "The courier braked hard for a deer",
        "Why did the wedding cake arrive in pieces?",
    ),
    _Told(
        "I changed my bank", "They had charged me for a card I never ordered", "What was the reason I changed my bank?"
    ),
)
_ORDER = (
    _Told(
        "We climbed the north tower of the cathedral",
        "A hailstorm drove everyone into the tea room",
        "What happened after we climbed the north tower?",
    ),
    _Told(
        "The twins had their first swimming lesson",
        "Both fell asleep over their noodles",
        "What came after the first swimming lesson of the twins?",
    ),
    _Told(
        "Marek handed in his thesis",
        "He slept on our sofa for three days",
        "What did Marek do after he handed in his thesis?",
    ),
    _Told(
        "The auction of the old piano began at noon",
        "A stranger in a yellow coat carried it home",
        "What happened after the auction of the old piano?",
    ),
    _Told(
        "I had the interview at the shipping office",
        "I walked along the quay and bought smoked eel",
        "What did I do after the interview at the shipping office?",
    ),
    _Told(
        "The power failed during the quiz",
        "Somebody fetched lanterns and told ghost stories",
        "What happened after the power failed during the quiz?",
    ),
    _Told(
        "Rosa opened her pottery studio",
        "Within a month she had to hire two helpers",
        "What happened after Rosa opened her pottery studio?",
    ),
    _Told(
        "The band played its last encore",
        "The drummer proposed to the woman at the bar",
        "What happened after the last encore of the band?",
    ),
    _Told(
        "We buried the time capsule under the oak",
        "The children drew a map in chalk",
        "What did we do after we buried the time capsule?",
    ),
    _Told(
        "My flight from Lisbon was diverted",
        "I spent the evening with a beekeeper in Biarritz",
        "What happened after my flight from Lisbon was diverted?",
    ),
    _Told(
        "The council voted on the cycle lane",
        "Chains of paper bicycles appeared on every fence",
        "What happened after the council voted on the cycle lane?",
    ),
    _Told(
        "Dr Amsel removed the cast from my leg",
        "I danced in the kitchen with the broom",
        "What did I do after Dr Amsel removed the cast?",
    ),
)
_MOODS = (
    _Told(
        "I was so proud when Tilda won the chess cup",
        "My knees shook as they read out my poem on the radio",
        "What else made me feel as happy as Tilda's chess cup?",
    ),
    _Told(
        "It made me sad to clear out Aunt Wanda's flat",
        "The last cinema in our street became a car park",
        "What else made me feel as sad as Aunt Wanda's flat?",
    ),
    _Told(
        "I was afraid on the rope bridge in Nepal",
        "The lift hung between the ninth and the tenth floor",
        "When else did I feel afraid as on the rope bridge?",
    ),
    _Told(
        "I was furious about the forged signature",
        "They had painted over the children's mural",
        "What else made me feel as angry as the forged signature?",
    ),
    _Told(
        "Finding the lost violin was pure joy",
        "Snow fell on the morning of the sledge race",
        "What else made me feel as happy as finding the lost violin?",
    ),
    _Told(
        "The farewell at the airport in Oslo broke my heart",
        "We gave the old pony to the riding school",
        "What else made me feel as sad as the farewell in Oslo?",
    ),
    _Told(
        "I felt calm in the monastery garden",
        "The engine hummed while the fog lay on the fjord",
        "What put me in the same mood as the monastery garden?",
    ),
    _Told(
        "I was ashamed of my speech at the jubilee",
        "I called the new director by the wrong name",
        "What else made me feel as bad as my speech at the jubilee?",
    ),
    _Told(
        "The birth of the foal moved me to tears",
        "A whole stadium hummed my grandmother's lullaby",
        "What gave me the same emotion as the birth of the foal?",
    ),
    _Told(
        "I was jealous of Henrik's greenhouse",
        "My sister got the attic with the round window",
        "What else made me feel as I did about Henrik's greenhouse?",
    ),
    _Told(
        "The exam at the harbour school scared me",
        "A wasp sat under my helmet at full speed",
        "What else made me feel as afraid as the exam at the harbour school?",
    ),
    _Told(
        "I laughed until I cried at Bruno's puppet show",
        "The parrot answered the bishop's telephone",
        "What else put me in a mood like Bruno's puppet show?",
    ),
)
_LIKENESS = (
    _Told(
        "Nadia repairs accordions in a cellar in Graz",
        "A man in Porto restores barrel organs under the arches",
        "Which craft is like Nadia's repairing of accordions in Graz?",
    ),
    _Told(
        "The footbridge sways when joggers cross it",
        "The gallery floor at the theatre trembles with applause",
        "What is like the footbridge that sways when joggers cross?",
    ),
    _Told(
        "Our village shares one tractor by a list on a barn door",
        "In the tower block a drill wanders from flat to flat",
        "What resembles our village sharing one tractor?",
    ),
    _Told(
        "The clock in the ticket hall runs four minutes fast",
        "Mother sets the kitchen timer early on purpose",
        "What is similar to the clock in the ticket hall?",
    ),
    _Told(
        "Felix learned Georgian from cookbooks",
        "Imke picked up her Finnish from opera booklets",
        "What resembles how Felix learned Georgian?",
    ),
    _Told(
        "The stray cat chose the lawyer's office",
        "A swallow nested in the chemist's lamp",
        "What is similar to the stray cat in the lawyer's office?",
    ),
    _Told(
        "They turned the gasworks into a climbing hall",
        "The water tower of Kolding houses a library",
        "What is like the gasworks that became a climbing hall?",
    ),
    _Told(
        "The marathon was won by a postman",
        "A night nurse took the gold at the regatta",
        "What is similar to the postman who won the marathon?",
    ),
    _Told(
        "My first novel was rejected by nine publishers",
        "Olaf's patent was turned down in seven countries",
        "What resembles the rejection of my first novel?",
    ),
    _Told(
        "The mill grinds only at spring tide",
        "The paddle steamer sails when the dam is opened",
        "What is like the mill that grinds only at spring tide?",
    ),
    _Told(
        "Every letter from Uncle Rafael smelled of coffee",
        "The library books of Miss Lund held pressed lavender",
        "What is similar to the letters from Uncle Rafael?",
    ),
    _Told(
        "The goalkeeper counts the blades of grass before a penalty",
        "The surgeon ties her shoes twice each morning",
        "What resembles the goalkeeper who counts blades of grass?",
    ),
)
_FAMILIES = {
    "causal": (LinkType.LEADS_TO, _CAUSES),
    "temporal": (LinkType.PRECEDES, _ORDER),
    "emotional": (LinkType.SHARES_EMOTION, _MOODS),
    "semantic": (LinkType.SIMILAR_TO, _LIKENESS),
}
