"""The forty people of the life: who they are to the one who tells it. All of them are invented."""

from dataclasses import dataclass
from enum import StrEnum


class Circle(StrEnum):
    """Where somebody is met."""

    FAMILY = "family"
    WORK = "work"
    CHOIR = "choir"
    ALLOTMENT = "allotment"
    YARD = "yard"
    STREET = "street"


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """One person: name, circle, and what they are."""

    name: str
    circle: Circle
    role: str


_TOLD = {
    Circle.FAMILY: (
        ("Ilse Marder", "my sister"),
        ("Joris Marder", "my brother-in-law"),
        ("Wanda Brock", "my mother"),
        ("Edvin Brock", "my father"),
        ("Pia Marder", "my niece"),
        ("Lasse Marder", "my nephew"),
        ("Odile Brock", "my aunt"),
    ),
    Circle.WORK: (
        ("Tobiah Renn", "head of the map room"),
        ("Marit Oske", "a paper conservator"),
        ("Denise Kallio", "the registrar"),
        ("Ferran Puig", "the photographer"),
        ("Gudrun Vael", "the director"),
        ("Imre Halasz", "an intern"),
        ("Solveig Amdal", "a curator"),
        ("Kwame Adjei", "head of security"),
    ),
    Circle.CHOIR: (
        ("Benedikt Oort", "our conductor"),
        ("Lucia Ferrante", "first alto"),
        ("Harald Nyberg", "a bass"),
        ("Yuna Takeda", "the pianist"),
        ("Clara Winge", "a soprano"),
        ("Pavel Dusek", "the treasurer of the choir"),
        ("Noor Haddad", "a tenor"),
    ),
    Circle.ALLOTMENT: (
        ("Hanne Lund", "from the plot beside mine"),
        ("Cosmo Varga", "who keeps the bees"),
        ("Trude Iversen", "chair of the allotments"),
        ("Anselm Fry", "who lends tools"),
        ("Marguerite Sol", "who swaps seeds"),
        ("Bo Ekdahl", "who fixes the pump"),
    ),
    Circle.YARD: (
        ("Stellan Graff", "who owns the boat with me"),
        ("Rosa Quint", "the shipwright"),
        ("Mads Holt", "the sailmaker"),
        ("Ove Tangen", "the harbour master"),
        ("Livia Bonnet", "who sells the paint"),
        ("Aksel Thorne", "who rents us the crane"),
    ),
    Circle.STREET: (
        ("Filippa Crane", "my downstairs neighbour"),
        ("Otto Lindqvist", "who runs the bakery"),
        ("Zeynep Aksoy", "my doctor"),
        ("Viggo Sand", "my landlord"),
        ("Mirela Popa", "my physiotherapist"),
        ("Quentin Hale", "who walks the grey dog"),
    ),
}

PEOPLE = tuple(Acquaintance(name, circle, role) for circle, told in _TOLD.items() for name, role in told)


def in_circle(circle: Circle) -> tuple[Acquaintance, ...]:
    """Everybody who is met there."""
    return tuple(each for each in PEOPLE if each.circle is circle)
