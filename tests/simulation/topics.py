"""What is true of the life for a while, and how the memory hears that it changed. All of it is invented."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from graph_memory.domain.vocabulary import Category


class Telling(StrEnum):
    """How the memory learns that something else holds now."""

    NUMBER = "number"  # the same words with another number: curation sees it by itself
    DENIAL = "denial"  # what was said is denied: curation sees it by itself
    SUPERSEDED = "superseded"  # the agent says which memory the new one takes the place of
    UNTOLD = "untold"  # it is said anew, and nobody says what it replaces


@dataclass(frozen=True, slots=True)
class Topic:
    """Something about the life that has one answer at a time; `texts` are its values in their order."""

    name: str
    telling: Telling
    category: Category
    texts: tuple[str, ...]
    questions: tuple[str, ...]


def _numbered(name: str, category: Category, template: str, values: str, *questions: str) -> Topic:
    return Topic(
        name, Telling.NUMBER, category, tuple(template.format(each) for each in values.split()), tuple(questions)
    )


def _denied(name: str, category: Category, positive: str, negative: str, *questions: str) -> Topic:
    return Topic(name, Telling.DENIAL, category, (positive, negative, positive), tuple(questions))


def _named(name: str, telling: Telling, category: Category, template: str, values: str, *questions: str) -> Topic:
    texts = tuple(template.format(each.strip()) for each in values.split(","))
    return Topic(name, telling, category, texts, tuple(questions))


_IDENTITY, _PREFERENCE, _WORK = Category.IDENTITY, Category.PREFERENCE, Category.PROFESSIONAL
_BOND, _CONTEXT, _FACT = Category.RELATIONSHIP, Category.CONTEXT, Category.FACT
_BY_HAND, _UNTOLD = Telling.SUPERSEDED, Telling.UNTOLD

TOPICS = (
    _numbered(
        "rent",
        _FACT,
        "The rent of my flat is {} euros a month",
        "740 765 810",
        "What do I pay for the flat each month?",
    ),
    _numbered("alarm", _FACT, "On workdays my alarm clock rings at {}", "6:40 6:10 7:05", "When does my alarm ring?"),
    _numbered(
        "ten kilometres",
        _FACT,
        "My best time over ten kilometres is {} minutes",
        "58 55 54 52",
        "What is my best time over ten kilometres?",
    ),
    _numbered(
        "platform", _FACT, "The train to the lab leaves from platform {}", "4 7", "From where does the lab train go?"
    ),
    _numbered("cat", _FACT, "Our cat Mica weighs {} kilos", "4.1 4.6 4.4", "How heavy is the cat Mica?"),
    _numbered(
        "locker", _FACT, "My locker at the swimming hall is number {}", "118 263", "Which locker is mine at the pool?"
    ),
    _numbered(
        "savings",
        _FACT,
        "I want to save {} euros for the new mast",
        "2400 3100 3600",
        "How much is the mast savings goal?",
    ),
    _numbered("door code", _FACT, "The code of the studio door is {}", "4711 8052 1936", "What opens the studio door?"),
    _numbered("shoe", _BOND, "My niece Pia wears shoes of size {}", "31 32 33", "Which shoe size does Pia need?"),
    _numbered("lessons", _FACT, "A cello lesson costs {} euros", "38 42", "How much is one cello lesson?"),
    _numbered(
        "interns", _WORK, "The map room has {} interns this season", "2 3 1", "How many interns work in the map room?"
    ),
    _denied(
        "coffee",
        _PREFERENCE,
        "I drink coffee after supper",
        "I do not drink coffee after supper",
        "Do I take coffee in the evening after supper?",
    ),
    _denied(
        "ferry",
        _CONTEXT,
        "I take the early ferry across the bay",
        "I do not take the early ferry across the bay",
        "Do I use the early ferry?",
    ),
    _denied("fish", _PREFERENCE, "I eat smoked fish", "I never eat smoked fish", "Is smoked fish all right for me?"),
    _denied(
        "radio",
        _PREFERENCE,
        "I keep the radio on in the studio",
        "I do not keep the radio on in the studio",
        "Should the studio radio be on?",
    ),
    _denied(
        "nights",
        _PREFERENCE,
        "I answer work calls at night",
        "I never answer work calls at night",
        "May colleagues call me at night?",
    ),
    _denied(
        "glasses",
        _IDENTITY,
        "I wear glasses when I drive",
        "I do not wear glasses when I drive",
        "Do I need my glasses for driving?",
    ),
    _named(
        "dentist",
        _BY_HAND,
        _FACT,
        "My dentist is {}",
        "Doctor Amsel, Doctor Brandt, Doctor Csonka",
        "Who is my dentist?",
    ),
    _named(
        "address",
        _BY_HAND,
        _IDENTITY,
        "I live at {}",
        "Tannery Lane 9, Quarry Steps 14",
        "Where do I live?",
        "What is my home address?",
    ),
    _named(
        "boss",
        _BY_HAND,
        _WORK,
        "{} signs my holiday requests",
        "Tobiah Renn, Gudrun Vael, Solveig Amdal",
        "Who has to sign when I ask for holidays?",
    ),
    _named(
        "breakfast",
        _BY_HAND,
        _PREFERENCE,
        "For breakfast I like {} best",
        "porridge with pears, rye toast with cheese, yoghurt and walnuts, two boiled eggs",
        "What do I like for breakfast?",
    ),
    _named(
        "shop",
        _BY_HAND,
        _PREFERENCE,
        "I buy my paper and glue from {}",
        "Kessler and Daughters, the Mill at Orre",
        "Where do I buy paper and glue?",
    ),
    _named(
        "conductor",
        _BY_HAND,
        _FACT,
        "The choir is led by {}",
        "Benedikt Oort, Clara Winge, Noor Haddad",
        "Who leads the choir?",
    ),
    _named(
        "car",
        _BY_HAND,
        _FACT,
        "We borrow {} when we need a car",
        "the blue estate of Ilse, a van from the yard, the electric one from the street",
        "Which car do we borrow?",
    ),
    _named(
        "project",
        _BY_HAND,
        _WORK,
        "My main task at the museum is {}",
        "the atlas of the estates, the harbour survey, the exhibition on lost rivers",
        "What is my main task at the museum?",
    ),
    _named(
        "language",
        _BY_HAND,
        _CONTEXT,
        "In the evenings I am learning {}",
        "Estonian, the accordion, bookbinding",
        "What am I learning in the evenings?",
    ),
    _named(
        "training",
        _BY_HAND,
        _CONTEXT,
        "My training day is {}",
        "Monday, Thursday, Saturday",
        "On which day do I train?",
    ),
    _named(
        "doctor", _BY_HAND, _FACT, "{} looks after my shoulder", "Zeynep Aksoy, Mirela Popa", "Who treats my shoulder?"
    ),
    _named(
        "tea",
        _UNTOLD,
        _PREFERENCE,
        "My favourite tea is {}",
        "smoky lapsang, jasmine, mint from the plot",
        "Which tea is my favourite?",
    ),
    _named(
        "cafe",
        _UNTOLD,
        _PREFERENCE,
        "I meet friends at {}",
        "the Copper Kettle, Café Morgenrot, the tea room by the lock",
        "Where do I meet my friends?",
    ),
    _named(
        "gift",
        _UNTOLD,
        _BOND,
        "For his birthday Lasse wishes for {}",
        "a telescope, a skateboard",
        "What does Lasse want for his birthday?",
    ),
    _named(
        "series",
        _UNTOLD,
        _CONTEXT,
        "The series we watch on Fridays is {}",
        "the one about the ice pilots, the Danish kitchen one, the old detective one",
        "Which series do we watch on Fridays?",
    ),
    _named(
        "holiday",
        _UNTOLD,
        _CONTEXT,
        "Our next long holiday goes to {}",
        "the Azores, Trieste, Bornholm",
        "Where does our next long holiday go?",
    ),
    _named(
        "singer",
        _UNTOLD,
        _PREFERENCE,
        "The singer I listen to most is {}",
        "Maren Dahl, Tunde Okafor",
        "Which singer do I listen to most?",
    ),
    Topic(
        "blood",
        _BY_HAND,
        _IDENTITY,
        ("My blood group is zero negative",),
        ("What is my blood group?",),
    ),
    Topic("birthday", _BY_HAND, _IDENTITY, ("My birthday is on the ninth of March",), ("When is my birthday?",)),
    Topic(
        "hometown",
        _BY_HAND,
        _IDENTITY,
        ("I grew up in a lock keeper's house near Orre",),
        ("Where did I grow up?",),
    ),
    Topic("degree", _BY_HAND, _IDENTITY, ("I studied paper chemistry in Ghent",), ("What did I study, and where?",)),
)

PINNED = (
    "Never give the alarm code of the museum to anybody",
    "I am allergic to penicillin",
    "In an emergency call my sister Ilse first",
    "Do not send prices to clients before Gudrun has seen them",
    "The insurance of the boat ends with the calendar year",
    "Ask me before you book anything that costs money",
)

# Facts for asking at growing gaps and in bursts; each with a question that finds it and nothing else.
CURIOUS = (
    ("The spare key of the boathouse hangs behind the fuse box", "Where hangs the spare key of the boathouse?"),
    ("The deep well on the farm is called Old Bertha", "What is the deep well on the farm called?"),
    ("Grandfather's violin lies in a bank vault in Lund", "Where lies grandfather's violin?"),
    ("The signal flare pistol needs size nine cartridges", "Which cartridges does the signal flare pistol need?"),
    ("The beehive with the green roof belongs to a monk", "To whom belongs the beehive with the green roof?"),
    ("The password of the weather station is petrel", "What is the password of the weather station?"),
    ("The tallest tulip tree stands behind the brickworks", "Where stands the tallest tulip tree?"),
    ("The recipe for goose fat soap came from a ropemaker", "From whom came the recipe for goose fat soap?"),
    ("The chapel organ was tuned to four hundred and thirty hertz", "To how many hertz was the chapel organ tuned?"),
    ("The blue paint on the skiff is mixed with cobalt", "What is the blue paint on the skiff mixed with?"),
    ("The lost glove of the mayor is in the lobster tank", "Where is the lost glove of the mayor?"),
    ("The tunnel under the brewery comes out at a nunnery", "Where does the tunnel under the brewery come out?"),
)

HABITS = (
    "Skips lunch on days with meetings",
    "Hums while lining maps",
    "Writes to Ilse before breakfast on Sundays",
    "Postpones telephone calls to the afternoon",
    "Gets cross when tools are not put back",
    "Prefers walking to the tram when it is dry",
    "Sleeps late after choir evenings",
    "Plans the week on Thursday evenings",
    "Talks about the boat when tired",
    "Counts stairs when nervous",
    "Forgets umbrellas in shops",
    "Buys two of everything for the allotment",
)

# Decisions by domain and topic, each with its reason; the next one of a topic takes the place of the one before.
DECISIONS: Mapping[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("boat", "hull paint"): (
        ("Paint the hull with linseed oil paint", "it breathes and smells of childhood"),
        ("Paint the hull with two-part epoxy", "linseed took nine days to dry"),
        ("Paint the hull with linseed oil paint after all", "epoxy would crack on old planks"),
    ),
    ("boat", "launch"): (
        ("Launch the boat in the first week of May", "the crane is free then"),
        ("Launch the boat in June", "the garboard plank is not in yet"),
    ),
    ("boat", "mast"): (
        ("Order a new mast of spruce", "the old one is soft at the step"),
        ("Repair the old mast with a scarf joint", "a new mast costs more than we have"),
    ),
    ("museum", "lighting"): (
        ("Light the map room with fifty lux", "the green pigment fades"),
        ("Light the map room with seventy lux on open days", "visitors could not read the captions"),
    ),
    ("museum", "loans"): (
        ("Lend the moon map to Ghent", "they have a better case"),
        ("Do not lend the moon map to Ghent", "the courier cannot keep the humidity"),
    ),
    ("museum", "glue"): (
        ("Use wheat starch paste for all linings", "it comes off again"),
        ("Use methyl cellulose for vellum", "paste pulls vellum flat"),
    ),
    ("museum", "scanner"): (("Rent the large scanner instead of buying one", "we need it six weeks a year"),),
    ("choir", "festival"): (
        ("Sing at the festival in September", "everybody has time"),
        ("Do not sing at the festival in September", "two tenors left"),
        ("Sing at the festival with guests from the other choir", "Noor found four tenors"),
    ),
    ("choir", "fee"): (
        ("Set the choir fee at twelve euros", "the hall got dearer"),
        ("Set the choir fee at ten euros", "the town pays for the hall again"),
    ),
    ("allotment", "water"): (
        ("Collect rain in two barrels", "the pump fails in July"),
        ("Dig a small well with the neighbours", "two barrels were empty by June"),
    ),
    ("allotment", "hedge"): (("Plant hornbeam along the path", "birds like it"),),
    ("home", "heating"): (
        ("Keep the flat at nineteen degrees", "gas is dear"),
        ("Keep the flat at twenty degrees", "my shoulder hurts in the cold"),
    ),
    ("home", "moving"): (
        ("Stay in the flat for another year", "the rent is fair"),
        ("Look for a flat near the yard", "the rent went up twice"),
        ("Stay in the flat after all", "nothing near the yard has light"),
    ),
    ("home", "bicycle"): (("Buy a used cargo bicycle", "the tram is always late"),),
    ("health", "running"): (
        ("Train for the autumn half marathon", "I want a goal"),
        ("Do not run the half marathon", "my knee needs a rest"),
    ),
    ("health", "shoulder"): (("Go to physiotherapy twice a week", "the shoulder does not get better by itself"),),
    ("family", "summer"): (
        ("Spend the summer week with Ilse by the lake", "the children asked"),
        ("Spend the summer week on Bornholm with Ilse", "the lake house is let"),
    ),
    ("family", "piano"): (("Give the old piano to Pia", "she practises every day"),),
}
