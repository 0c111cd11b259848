"""Persons whom a clause names, and what it shows of them, in English and Spanish.

A name counts as a person's only where a word beside it says so: a word of kin or office before it ("my sister Ana"),
something that only persons do after it ("Ana promised"), or a meeting ("dinner with Ana"). Places and firms have names
too, and a person made of one of them is worse than a person missed.

Source: constants.md 2.8, Person mentions.
"""

import re
from collections.abc import Iterable

from graph_memory.domain.people import EvidenceType

_WORD = r"[A-ZÁÉÍÓÚÑ](?:\w*[a-záéíóúñü]\w*|['’][A-Z]\w+)(?:['’-][A-ZÁÉÍÓÚÑ]\w+)?"
_NAME = rf"(?:{_WORD}(?:\s+(?:(?:de|del|la|van|von|da|dos)\s+)?{_WORD})?)"
_KIN = (
    r"(?:(?:mother|father|mom|mum|dad|parent|sister|brother|sibling|son|daughter|kid|child|cousin|aunt|uncle|nephew"
    r"|niece"
    r"|grandma|grandpa|grandmother|grandfather|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|friend"
    r"|buddy"
    r"|roommate|flatmate|neighbou?r|boss|manager|colleague|coworker|co-worker|teammate|mentor|coach|teacher|doctor"
    r"|therapist|dentist|landlord|landlady|professor|(?:mother|father|sister|brother|son|daughter)-in-law"
    r"|hermana|hermano|prima|primo|tía|tío|sobrina|sobrino|abuela|abuelo|esposa|esposo|marido|mujer|pareja|novia|novio"
    r"|amiga|amigo|vecina|vecino|jefa|jefe|compañera|compañero|suegra|suegro|cuñada|cuñado|hija|hijo|madre|padre"
    r"|profesora?|médica|médico)s?)"
)
# A clause that begins with somebody's relative: "my cousin", "our older brother".
KINSHIP = re.compile(
    rf"\W*(?:my|our|his|her|their|mis?|nuestr[oa]s?)\s+(?:[\w-]+\s+){{0,2}}?(?P<kin>{_KIN})\b", re.IGNORECASE
)
_ASIDE = (
    r"(?:(?:also|just|really|never|always|still|has|had|have|didn['’]t|finally|often|usually|once|again|ya|me"
    r"|nos|no|también)\s+)*"
)
_DEEDS = (
    r"(?:said|says|told|tells|asked|asks|called|calls|texted|texts|emailed|wrote|promised|promises|helped|thinks"
    r"|thought"
    r"|believes|wanted|knew|loves|loved|hates|hated|likes|liked|prefers|enjoys|lives|lived|works at|works as|works for"
    r"|worked|studies|studied|teaches|taught|moved|married|graduated|retired|died|passed away|laughed|cried|smiled|lied"
    r"|broke|kept|forgot|remembered|invited|visited|recommended|suggested|introduced|lent|borrowed|cooked|drove|picked"
    r"|agreed|disagreed|refused|ignored|listened|comforted|cheered|apologi[sz]ed|thanked|yelled|shouted|complained"
    r"|explained|was (?:born|there|right|wrong|angry|kind|rude|late|very kind|so kind)|let (?:me|us)|stood me"
    r"|didn['’]t show"
    r"|is (?:(?:my|our) (?:[\w-]+ )?KIN\b|coming|getting married|pregnant|married|engaged|angry|kind|rude|allergic)"
    r"|bailed|cancell?ed on|plays (?:the|in|for)|sings|trains|leads|came (?:over|to visit|by)|gave me|brought me"
    r"|dijo|dice|llamó|llama|prometió|ayudó|ayuda|piensa|quiere|odia|prefiere|vive|trabaja|estudia|se mudó|se casó"
    r"|murió"
    r"|mintió|cumplió|olvidó|vino|es mi|le gusta|me (?:dijo|ayudó|llamó|escuchó|mintió|prometió))"
).replace("KIN", _KIN)
_TOGETHER = r"(?:live|work|study|got|are|were|have|moved|met|broke|married|love|viven|trabajan|se casaron|son)"
_OF_KIN = rf"['’]s\s+(?:{_KIN}|birthday|wedding|house|place|party|advice|idea|family|name)"
_MEETING = (
    r"(?:(?:met|meeting)(?: up)?(?: with)?|(?:talk|talked|talking|spoke|speaking|chat|chatted|argued|fought) (?:to"
    r"|with)"
    r"|(?:lunch|dinner|coffee|breakfast|drinks|date|hang out|hung out|hanging out|married|engaged|friends) (?:to|with)"
    r"|(?:I|we|and|just|then|also|already|to|will) (?:call|called|text|texted|email|emailed|visit|visited|invite"
    r"|invited)"
    r"|thanks to|thanked|hugged|dating|(?:told|asked|helped|adore|trust)"
    r"|(?:cené|comí|hablé|hablado|quedé|quedado|cena|comida|café) con|vi a|llamé a|visité a|conocí a|ayudé a|gracias a)"
)
_NO_PERSON = frozenset(
    """
    i it he she they we you this that these those there the my our your his her their god lord christmas easter monday
    tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october
    november december just music nature art therapy yoga coffee thankfully luckily hopefully family life work school
    english spanish french german italian chinese japanese mom dad mum grandma grandpa everyone
    everybody
    someone somebody nobody yo él ella ellos nosotros today yesterday tomorrow what who how when where why yes no ok
    """.split()
)
_CUES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?i:my|our|his|her|their|the|a|mi|su|nuestr[oa])\s+(?:[\w-]+\s+){{0,2}}?(?i:{_KIN}),?\s+(?:(?:named"
        rf"|called|llamad[oa])\s+)?(?P<name>{_NAME})",
        rf"(?<![\w.])(?P<name>{_NAME})(?:,\s+(?i:my|our|mi)\s+[\w\s-]{{2,30}},)?\s+{_ASIDE}{_DEEDS}\b",
        rf"(?<![\w.])(?P<name>{_NAME}){_OF_KIN}\b",
        rf"(?<![\w.])(?P<name>{_NAME}),\s+(?i:my|our|mi)\s+(?:[\w-]+\s+)?(?i:{_KIN})\b",
        rf"(?<![\w.])(?P<name>{_NAME})\s+(?:and|y)\s+(?:I|yo)\b",
        rf"\b(?:and|y)\s+(?P<name>{_NAME})\s+{_ASIDE}(?:{_DEEDS}|{_TOGETHER})\b",
        rf"(?<![\w.])(?P<name>{_NAME})\s+(?:and|y)\s+{_NAME}\s+{_ASIDE}(?:{_DEEDS}|{_TOGETHER})\b",
        rf"\b(?i:{_MEETING})\s+(?P<name>{_NAME})",
        rf"\b(?i:(?:mr|mrs|ms|dr|prof|sra?|dra)\.?)\s+(?P<name>{_NAME})",
        rf"\b(?i:my|our|mi)\s+(?:[\w-]+\s+)?(?i:{_KIN})\s+(?:is|es|se llama)\s+(?P<name>{_NAME})",
    )
)

# The surest first: a promise broken is more than a harsh word.
_SHOWN = tuple(
    (kind, sign, re.compile(pattern, re.IGNORECASE))
    for kind, sign, pattern in (
        (
            EvidenceType.PROMISE_BROKEN,
            -1,
            r"\b(?:broke (?:his|her|their|a|the|another) (?:promise|word)|(?:did not|didn['’]t|never) (?:keep"
            r"|kept) (?:his|her|their|the) (?:promise|word)"
            r"|let me down|let us down|stood me up|(?:never|didn['’]t) show(?:ed)? up|bailed on|cancell?ed on (?:me"
            r"|us)|went back on (?:his|her|their)"
            r"|no cumplió|rompió su promesa|me (?:falló|dejó plantad[oa]))\b",
        ),
        (
            EvidenceType.PROMISE_KEPT,
            1,
            r"\b(?:kept (?:his|her|their|the) (?:promise|word)|as (?:he|she|they) (?:had )?promised|just like (?:he"
            r"|she|they) (?:said|promised)"
            r"|came through for|followed through|cumplió su (?:promesa|palabra))\b",
        ),
        (
            EvidenceType.INACCURATE_INFO,
            -1,
            r"\b(?:was wrong (?:about|again)|were wrong about|lied (?:to|about)|got it (?:all )?wrong"
            r"|gave me the wrong|misled me|me mintió|se equivocó)\b",
        ),
        (
            EvidenceType.ACCURATE_INFO,
            1,
            r"\b(?:was right (?:about|again|all along)|were right about|turned out to be right|tenía razón)\b",
        ),
        (
            EvidenceType.UNHELPFUL_ACTION,
            -1,
            r"\b(?:refused to help|(?:did not|didn['’]t|won['’]t|wouldn['’]t|never) helps?|ignored (?:me|us|my)"
            r"|was no help|no me ayudó|me ignoró)\b",
        ),
        (
            EvidenceType.EMOTIONAL_SUPPORT,
            1,
            r"\b(?:was there for (?:me|us)|comforted (?:me|us)|cheered (?:me|us) up|listened to (?:me|us)"
            r"|supports? (?:me|us)|supported (?:me|us)"
            r"|encouraged (?:me|us)|held my hand|estuvo (?:ahí|a mi lado)|me (?:escuchó|consoló|apoyó|animó))\b",
        ),
        (
            EvidenceType.HELPFUL_ACTION,
            1,
            r"\b(?:help(?:ed|s) (?:me|us)|did (?:me|us) a favou?r|lent (?:me|us)|drove (?:me|us)|picked (?:me|us) up"
            r"|fixed (?:my|our)|took care of (?:me|us|my|our)"
            r"|taught (?:me|us)|gave (?:me|us) a (?:hand|ride|lift)|me (?:ayudó|prestó|llevó|enseñó))\b",
        ),
    )
)
_LEAST_SIGN = 0.5  # what is shown by deeds counts at least so much


def persons_in(clause: str) -> list[str]:
    """The persons whom `clause` names, each once, in the order of their first mention."""
    found = {
        match.start("name"): match["name"]
        for cue in _CUES
        for match in cue.finditer(clause)
        if not any(map(_is_no_person, match["name"].split()))
    }
    return list(dict.fromkeys(found[place] for place in sorted(found)))


def _is_no_person(word: str) -> bool:
    return word.lower() in _NO_PERSON or word.endswith(("ing", "ly", "tion", "ness", "ment"))


def shown_by(clause: str, felt: float) -> tuple[EvidenceType, float]:
    """What `clause` shows of the person in it, and how much for or against them, -1..1.

    Args:
        felt: the sentiment of its words; a deed that shows more overrules its sign.
    """
    for kind, sign, pattern in _SHOWN:
        if pattern.search(clause):
            return kind, sign * max(_LEAST_SIGN, abs(felt))
    return (EvidenceType.USER_STATED if felt else EvidenceType.OBSERVED), felt


def is_self(name: str, own_names: Iterable[str]) -> bool:
    """Whether a name is one of those of who speaks, whole or by its first word."""
    folded = name.casefold().split()
    return any(folded == own or folded[:1] == own[:1] for own in (each.casefold().split() for each in own_names))
