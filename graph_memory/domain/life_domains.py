"""Which domains of life a clause speaks of, by words that show it, in English and Spanish."""

from graph_memory.domain.statement import Wording, read
from graph_memory.domain.word_forms import same_word

_WORDING = Wording()
_DOMAINS = {
    "technology": """
        software database server code program api app laptop computer phone deploy framework library python java
        javascript postgres mysql linux cloud backend frontend website data programación ordenador servidor
        """,
    "work": """
        job boss office colleague coworker manager meeting project client company deadline promotion interview salary
        career
        intern business startup contract trabajo jefe jefa oficina proyecto empresa reunión cliente
        """,
    "health": """
        doctor hospital surgery allergic allergy medicine therapy therapist dentist sick illness diet vegan
        vegetarian sleep
        pain injury exercise gym diabetes pregnant médico alergia hospital dieta salud
        """,
    "finance": "money budget rent mortgage loan invest investment tax savings bank price debt dinero alquiler banco",
    "travel": "trip flight travel hotel vacation holiday airport passport visa journey viaje vuelo hotel vacaciones",
    "food": """
        eat cook recipe restaurant dinner lunch breakfast coffee tea cake bake cheese bread olive fish meat wine
        comer cocina
        receta restaurante cena café té
        """,
    "education": """
        school university college study student exam class course teacher degree learn lesson thesis escuela universidad
        estudiar examen clase curso
        """,
    "home": "house flat apartment garden kitchen furniture move renovate landlord roof casa piso jardín mudanza",
    "family": """
        mother father mom dad sister brother son daughter kid child wife husband cousin aunt uncle grandma grandpa
        parent
        family wedding madre padre hermana hermano hijo hija familia boda
        """,
    "sport": "run running marathon football soccer basketball tennis swim climb yoga race team match bike fútbol",
    "arts": "paint painting music song piano guitar oboe choir write novel book film movie theatre dance música libro",
}
_WORDS = {word: domain for domain, words in _DOMAINS.items() for word in words.split()}


def domains_of(clause: str, *, most: int = 3) -> tuple[str, ...]:
    """The domains that the words of `clause` show, the one with most words first; ties as listed above."""
    counts = dict.fromkeys(_DOMAINS, 0)
    for token in read(clause, _WORDING).tokens:
        if domain := _domain(token):
            counts[domain] += 1
    ranked = sorted((domain for domain in counts if counts[domain]), key=lambda domain: -counts[domain])
    return tuple(ranked[:most])


def _domain(token: str) -> str | None:
    if token in _WORDS:
        return _WORDS[token]
    return next((domain for word, domain in _WORDS.items() if same_word(token, word)), None)
