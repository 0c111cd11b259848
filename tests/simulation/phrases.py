"""What is said on ordinary days: templates with slots, by strand of life. All of it is written for this generator."""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.simulation.people import Circle


@dataclass(frozen=True, slots=True)
class Strand:
    """One thread of a life: with whom, and what there is to tell of it."""

    name: str
    circle: Circle
    told: tuple[str, ...]


def _listed(*lines: str) -> tuple[str, ...]:
    """What stands between commas."""
    return tuple(each.strip() for line in lines for each in line.split(","))


SLOTS: Mapping[str, tuple[str, ...]] = {
    "food": _listed(
        "lentil soup, mushroom risotto, a potato gratin, fish pie, beetroot salad, onion tart, dumplings",
        "rye bread with herring, pea soup, a pan of paella, stuffed peppers, plum cake",
        "a tray of cinnamon buns, fried noodles, leek quiche, baked celeriac, cabbage rolls, apple pancakes",
        "barley stew, pickled cucumbers",
    ),
    "weather": _listed(
        "grey and windy, bright and cold, foggy until noon, wet all day, mild for the season, clear and still",
        "stormy, too hot to think, crisp with a low sun, drizzling without end, full of swifts",
        "heavy with thunder",
    ),
    "object": _listed(
        "a sea chart of 1788, the folded town plan, a globe with a torn gore, the tax map on vellum",
        "a railway map in six sheets, the harbour survey, a portolan with wormholes, the estate atlas",
        "a moon map, the tide tables, a school wall map, the canal drawings, a blueprint of the lighthouse",
        "a pilot's handbook, the road book of 1830",
    ),
    "fault": _listed(
        "foxing along the fold, a tide line in one corner, old glue under the linen",
        "verdigris that eats the green, a split spine, silverfish damage, brittle tape, a missing cartouche",
        "pencil notes on the back, mould on the margin, flaking red ink, a burn from a lamp",
    ),
    "piece": _listed(
        "the Rheinberger mass, a Swedish summer hymn, the evening song, Tallis, the new commission",
        "three sea shanties, the Fauré requiem, a round in five parts, the carols, a Bulgarian folk song",
        "the motet in Latin, the wedding anthem",
    ),
    "crop": _listed(
        "beans, garlic, potatoes, kale, sweet peas, chard, leeks, pumpkins, raspberries, parsnips, tomatoes",
        "broad beans, rhubarb, sunflowers, carrots, artichokes",
    ),
    "pest": _listed(
        "slugs, blight, pigeons, aphids, leaf miners, a mole, flea beetles, rust on the leeks",
    ),
    "part": _listed(
        "the garboard plank, a rotten frame, the rudder head, the bilge pump, a deck beam, the mast step",
        "the centreboard case, three bronze screws, the gunwale, the tiller, a seam below the waterline",
        "the hatch coaming",
    ),
    "tool": _listed(
        "a bevel gauge, the steam box, caulking irons, a spokeshave, the big clamps, a heat gun",
        "the moisture meter, a Japanese saw",
    ),
    "book": _listed(
        "a novel about a lighthouse keeper, essays on walking, a history of salt, letters of a botanist",
        "a thriller set in Riga, poems by a fisherman, a biography of a clockmaker, a book on moss",
        "short stories from Chile, a memoir of a ferry pilot",
    ),
    "ailment": _listed(
        "a stiff shoulder, a blocked nose, a headache behind the eyes, a sore knee, a cough, a bad night",
        "tired eyes, a twisted ankle",
    ),
    "route": _listed(
        "along the canal, up to the water tower, round the lake, through the beech wood, over both bridges",
        "out to the lighthouse, past the old brewery, by the railway cutting",
    ),
    "place": _listed(
        "Fårö, the Azores, Trieste, the Lofoten islands, Ghent, the Harz, Porto, Tallinn, the Peak District",
        "Bornholm",
    ),
    "mood": _listed(
        "I am so glad about it, it made me furious, it left me a bit sad, I could not stop laughing",
        "I am worried about it, it was a relief, I am proud of that, it scared me for a moment",
        "I felt calm afterwards, it was a disappointment",
    ),
    "moment": _listed(
        "this morning, at lunch, before supper, late last night, on the way home, just after nine",
        "in the break, around four",
    ),
}

STRANDS = (
    Strand(
        "maps",
        Circle.WORK,
        (
            "{moment} {person} and I unrolled {object}; it has {fault}.",
            "We spent hours in the map room on {object}, mostly because of {fault}.",
            "{person} photographed {object} and found {fault}, {mood}.",
            "The loan of {object} was put off again; {person} called about it {moment}.",
            "I lined {object} with kozo paper {moment}, slow work but good.",
            "{person} showed a school class round the map room, and they loved {object}.",
            "There was a long meeting with {person} about the price of treating {object}.",
            "I humidified {object} in the chamber, and {fault} came out clearly.",
            "{person} thinks {object} was drawn by two hands, {mood}.",
        ),
    ),
    Strand(
        "choir",
        Circle.CHOIR,
        (
            "We rehearsed {piece} tonight and {person} came in a bar early every time.",
            "At choir {person} brought {food} for the break.",
            "{person} has the solo in {piece}, {mood}.",
            "My voice was gone by the end of {piece}, and {person} gave me a lozenge.",
            "The hall was freezing, so we sang {piece} with our coats on.",
            "{person} wants the choir to take {piece} to the festival.",
            "Only nine of us came to choir, yet {piece} sounded well; {person} was pleased.",
            "{person} and I went through the second page of {piece} {moment}.",
        ),
    ),
    Strand(
        "garden",
        Circle.ALLOTMENT,
        (
            "I dug over the bed for {crop} at the allotment {moment}; it was {weather}.",
            "{pest} got into the {crop}, {mood}.",
            "{person} gave me a bag of {crop} over the fence.",
            "{person} and I mended the water pump, then shared {food} on the bench.",
            "First {crop} of the year at the plot, I took half of it to {person}.",
            "I sowed {crop} in the cold frame, and {person} says it is too early.",
            "The allotment was {weather}, nobody there but {person}.",
            "I turned the compost and planted out the {crop} with {person}.",
        ),
    ),
    Strand(
        "boat",
        Circle.YARD,
        (
            "{person} and I took out {part} at the yard; it was {weather}.",
            "{person} lent us {tool}, so {part} is fitted now.",
            "We found more rot near {part} on the boat, {mood}.",
            "The boat yard was {weather}, and {person} talked about {part} for an hour.",
            "I varnished {part} twice {moment}; {person} held the lamp.",
            "{person} sent the bill for {part}, {mood}.",
            "Two coats on {part}, then {food} with {person} under the tarpaulin.",
        ),
    ),
    Strand(
        "family",
        Circle.FAMILY,
        (
            "{person} rang {moment}, we talked about {book}.",
            "I cooked {food} for {person}, {mood}.",
            "{person} has {ailment} again, so I went round with {food}.",
            "Sunday with {person}: a walk {route} in weather that was {weather}.",
            "{person} sent a photo of {food} and asked for the recipe.",
            "{person} would like to see {place} one day, we looked at maps of it.",
            "I helped {person} clear out the cellar and found {book}.",
            "{person} and I played cards until late, {mood}.",
        ),
    ),
    Strand(
        "street",
        Circle.STREET,
        (
            "I met {person} on the stairs {moment}, it was {weather} outside.",
            "{person} kept a parcel for me, it was {book}.",
            "Ran {route} {moment}, then chatted with {person}.",
            "I had {ailment} and {person} told me to rest.",
            "{person} left {food} at my door, {mood}.",
            "The street was closed for pipes; {person} complained about it {moment}.",
        ),
    ),
)

SMALL_TALK = (
    "Morning! It is {weather} here.",
    "I slept badly, {ailment}.",
    "I am reading {book} at the moment.",
    "Lunch was {food}, better than yesterday.",
    "Nothing much today, it was {weather}.",
    "I walked {route} to clear my head.",
    "What would go well with {food}?",
    "The tram was late again {moment}.",
    "I watched a film about {place} {moment}.",
    "Coffee first, then the rest of the world.",
    "I could do with a holiday in {place}.",
    "Somebody was practising the trumpet {moment}, {mood}.",
    "I burnt {food} while I was on the phone.",
    "The flat smells of {food}.",
    "It was {weather} when I ran {route}.",
)

TRAVEL = (
    "We arrived in {place} {moment}, and it is {weather}.",
    "In {place} everybody eats {food}, {mood}.",
    "A long walk {route} here in {place}, my feet hurt.",
    "The museum in {place} has {object}, with {fault}.",
    "{person} came along to {place} and reads {book} all day.",
    "The ferry from {place} was late, it was {weather}.",
    "I sent {person} a card from {place}.",
)

LOOKING_UP = ("Let me look.", "One moment.", "I have it somewhere.", "Let me think.")

REPLIES = (
    "That sounds like a full day.",
    "Shall I make a note of it?",
    "How did that end?",
    "Good to know.",
    "I can look that up for you.",
    "That must have taken patience.",
    "Do you want to talk about it?",
    "Noted.",
    "And how are you now?",
    "Lovely.",
    "I see. What comes next?",
    "Tell me more when you have time.",
)
