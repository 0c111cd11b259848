"""The forms in which people say what lasts: who they are, what they like, do, decide, in English and Spanish.

A form is tried at the beginning of a clause that claims something. It names the category; what matches no form is not
worth keeping by rules. The lists are short on purpose: a wrong memory costs more than a missing one.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from graph_memory.domain.vocabulary import Category

# What stands before a reason; "since" before a time gives none.
REASONED = re.compile(
    r"[,\s]+(?:because|'?cause|so that|in order to|due to|given that|porque|ya que|puesto que|para que|debido a"
    r"|since(?!\s+(?:last|this|\d|yesterday|then|the|i was|january|february|march|april|may|june|july|august|september"
    r"|october|november|december)\b))\b",
    re.IGNORECASE,
)


class ClaimKind(StrEnum):
    """What a clause gives."""

    FACT = "fact"
    OBSERVATION = "observation"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Form:
    """A form of words, what it gives, and whether it lasts only together with a day that the clause names."""

    kind: ClaimKind
    category: Category
    pattern: re.Pattern[str]
    dated: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """What a clause gives, and of which category."""

    kind: ClaimKind
    category: Category


def claim_in(clause: str, *, is_dated: bool) -> Claim | None:
    """What the first form that fits gives; None: nothing that lasts.

    Args:
        clause: without the fillers before it.
        is_dated: whether it names a day.
    """
    said = clause.replace("’", "'")
    if _PASSING.search(REASONED.split(said, maxsplit=1)[0]):
        return None
    fitting = (form for form in FORMS if (is_dated or not form.dated) and form.pattern.match(said))
    return next((Claim(form.kind, form.category) for form in fitting), None)


_KIN = r"""(?:(?:(?:ex|step|grand|great|half|older|younger|elder|big|little|eldest|youngest|oldest|middle|twin|best
    |old|good|new|late|dear|close|childhood|baby)[-\s]*)*(?:mother|father|mom|mum|dad|parents?|sisters?|brothers?
    |siblings?|sons?|daughters?|kids?|child|children|baby|twins|cousins?|aunts?|uncles?|nephews?|nieces?|grandma
    |grandpa|granny|wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|friends?|roommates?|flatmates?
    |neighbou?rs?|boss|manager|colleagues?|coworkers?|co-workers?|teammates?|mentor|coach|teacher|doctor|therapist
    |dentist|landlord|godmother|godfather|family|in-laws?|(?:mother|father|sister|brother|son|daughter)-in-law|bestie
    |bff)(?:'s\ name)?)"""
_PARIENTE = r"""(?:madre|padre|mamá|papá|padres|hermanas?|hermanos?|hij[oa]s?|prim[oa]s?|tí[oa]s?|sobrin[oa]s?
    |abuel[oa]s?|esposa|esposo|marido|mujer|pareja|novi[oa]|amig[oa]s?|vecin[oa]s?|jef[ea]|compañer[oa]s?
    |suegr[oa]|cuñad[oa]|familia|profesora?|médic[oa]|dentista|casero|casera)(?:\ (?:mayor|menor|pequeñ[oa]))?"""
_PET = r"""(?:dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|parrots?|rabbits?|hamsters?|horses?|turtles?|fish|snakes?
    |perr[oa]s?|gat[oa]s?)"""
_ONE = r"(?:an?|one|two|three|four|five|six|seven|\d{1,2}|some|no|another|the|my|our|just|only|both)"
_ASIDE = r"""(?:(?:really|also|just|still|now|currently|actually|do|absolutely|totally|both|already|finally
    |especially|truly|only|kind\ of|kinda|officially|proudly|originally|recently|definitely|simply|mostly|mainly|all
    |even|ever|so)\s+)*"""
_DENIED = r"(?:(?:do\ not|don't|did\ not|didn't|no\ longer|never|used\ to|have\ never|have\ not|haven't)\s+)?"
# Who speaks: "I", "we", "my wife and I", "Ana and I"; a few words of time may stand before.
_WHEN = r"""(?:(?:(?:as\ of|since|in|on|last|this|next|for|these|every|each|two|three|a|until|after|before
    |about)\s[\w'\s]{1,30}?|yesterday|today|tomorrow|recently|lately|nowadays|now|currently|at\ (?:work|home
    |school))(?:\ ago)?,?\s+)?"""
_AND_I = r"(?:(?:(?:my|our)\s+[\w\s-]{2,25}?|[\w-]+)\s+and\s+)?"
_I = rf"{_WHEN}(?:{_AND_I}(?:I|we)|both\ of\ us)\s+{_ASIDE}{_DENIED}{_ASIDE}"
_I_AM = rf"{_WHEN}{_AND_I}(?:(?:I'm|we're)|(?:I|we)\s+{_ASIDE}(?:am|are|was|were))\s+{_ASIDE}(?:not\s+)?{_ASIDE}"
_I_HAVE = rf"{_WHEN}{_AND_I}(?:(?:I'?ve|we'?ve)\s+{_ASIDE}(?:got\s+)?|(?:I|we)\s+{_ASIDE}(?:have|had)\s+{_ASIDE})"
# Third persons: "my sister Ana", "our neighbour", "Ana", "Ana's brother".
_NO_NAME = r"""(?!(?:it|its|that|this|these|those|they|we|you|he|she|the|there|here|what|who|which|everyone|everybody
    |someone|nobody|people|life|love|work|music|dance|family|nature|today|yesterday|tomorrow|time|all|both|each|every
    |some|many|most|my|our|your|his|her|their|such|next|last|(?:mon|tues|wednes|thurs|fri|satur|sun)day|being|looks
    |sounds|feels|seems|just|not|no|yes|el|la|los|las|un|una|mi|mis|\w+ing)\b)"""
_NAMED = rf"(?:{_NO_NAME}(?-i:[A-ZÁÉÍÓÚÑ][\w-]+(?:\s+[A-ZÁÉÍÓÚÑ][\w-]+)?))"
_MINE = rf"(?:(?:my|our)\s+{_KIN}(?:,?\s+{_NAMED},?)?|{_NAMED}'s\s+{_KIN}(?:,?\s+{_NAMED})?)"
_THEY = rf"{_WHEN}(?:{_MINE}(?:\s+and\s+(?:{_MINE}|{_NAMED}))?|{_NAMED}\s+and\s+(?:{_NAMED}|{_MINE}))\s+{_ASIDE}"
_SOMEONE = rf"{_WHEN}{_NAMED}\s+{_ASIDE}"
_THEIR_DENIED = r"(?:(?:do\ not|does\ not|don't|doesn't|no\ longer|never|used\ to|has\ never|didn't)\s+)?"

_POINTLESS = r"""(?!(?:it|that|this|these|those|you|your|yours|him|her|them|me|us|how|what|when|where|who|one
    |something|everything|anything|nothing|any|his|their|its|another\ one|(?:a\ (?:ton|lot|bit|few)|some|more)\s*$
    |a\ (?:ton|lot|bit|few)\b|seeing|hearing|to\ (?:see|hear|say|know|admit|think|get\ your|help|share|be)
    |an?\ (?:idea|way|sound|look|vibe|color\ and|thought|pic|picture|photo|part|fact|feeling|name)
    |(?:all\ )?the\ (?!(?:sea|ocean|beach|mountains?|outdoors|rain|snow|sun|city|countryside|forest|woods|water
    |winter|summer|spring|autumn|fall|heat|smell\ of|taste\ of|sound\ of|colou?r\ (?!and|of|is)\w+)\b|(?-i:[A-Z]))\w+
    |being|getting|doing|having|so|and|but|in|at|for|with|on)\b)"""
_EVALUATION = r"""(?!(?:(?:so|very|really|pretty|quite|too|such|just|a|an|all|always|now|still|always)\s+)*(?:great
    |good|fine|ok|okay|bad|awful|amazing|awesome|fun|nice|cool|tired|sick|here|there|late|coming|asleep|dead|ready|on
    |off|over|gone|away|back|killing|happy|sad|excited|proud|it|that|what|how|wonderful|perfect|lovely|ruined
    |right)\b)"""
_NO_TRADE = r"""(?!(?:bit|little|lot|tad|mess|wreck|fool|idiot|loser|fan|sucker|big|huge|great|good|bad|firm|strong
    |long|few|couple|while|million|hundred|hair|minute|day|week|step|part|work|believer|failure|disaster|pleasure
    |shame|pity|wonderful|nice|total|complete|real|work-in-progress|sure|new|natural|true|better|happy|lucky)\b)"""

_EVERYDAY = r"""(?:mornings?|days?|nights?|evenings?|afternoons?|weeks?|months?|years?|weekends?|summers?|winters?
    |(?:mon|tues|wednes|thurs|fri|satur|sun)days?|springs?|autumns?|falls?|lunch|dinner|breakfast)"""
_OFTEN = r"""(?:usually|often|always|regularly|normally|generally|frequently|typically|sometimes|rarely|hardly\ ever
    |never|daily|weekly|tend\ to|keep(?:\ on)?\s+(?=\w+ing))"""
_OFTEN_LATER = rf"""(?:every|each|most)\s+(?:other\s+|single\s+)?{_EVERYDAY}|on\ (?:weekends|weekdays|(?:mon|tues
    |wednes|thurs|fri|satur|sun)days)|(?:once|twice|(?:two|three|four|five|\d+)\ times)\ (?:a|per|each)\ \w+
    |all\ the\ time|from\ time\ to\ time|these\ days|lately|whenever\ I|before\ bed|after\ work"""
_HABIT = r"""(?:go|get\ up|wake(?:\ up)?|eat|drink|cook|run|swim|walk|hike|bike|cycle|ride|drive|read|write|play
    |paint|draw|sing|dance|train|work|study|practi[cs]e|meditate|pray|watch|listen|visit|call|meet|take|have|make|do
    |use|buy|order|sleep|stay|skip|avoid|forget|plan|start|volunteer|travel|garden|bake|knit|shop|clean|spend|try
    |feel|get|journal|smoke|exercise|work\ out|stretch|fish|camp|climb|ski|surf|skate|jog|lift|see|talk|teach|put
    |bring|keep|check)\b(?!\ (?:it|them|him|her|that|this|you)\b)"""
_DOING = r"(?!doing\s+(?:so\ )?(?:great|good|well|fine|ok)|getting|working\ on\ (?:a|the|some)\ project)\w+ing"
_HABITUAL = r"""(?:suelo|solemos|siempre|normalmente|a\ menudo|casi\ nunca|nunca|todos\ los\ \w+|todas\ las\ \w+
    |cada\ (?:día|mañana|noche|tarde|semana|mes|lunes|martes|miércoles|jueves|viernes|sábado|domingo)|los\ (?:lunes
    |martes|miércoles|jueves|viernes|sábados|domingos)|últimamente)"""

_STATIVE = r"""(?:works?|lives?|likes?|loves?|hates?|prefers?|enjoys?|dislikes?|stud(?:y|ies)|teach(?:es)?|plays?
    |owns?|runs?|speaks?|trains?|coach(?:es)?|leads?|manages?|sings?|drives?|collects?|paints?|writes?|cooks?|bakes?
    |smokes?|volunteers?|eats?|drinks?|practi[cs]es?|moved|graduated|retired|started|became|died|passed\ away|married
    |divorced|turned|was\ born|grew\ up|worked|lived|studied|got\ (?:married|engaged|divorced|promoted|fired|hired
    |a\ new)|can't\ (?:stand|eat|drink)|is\ allergic|are\ allergic|is\ afraid|is\ scared|is\ into|are\ into|adopted
    |joined)"""
# Of a bare name, which may be a thing's, only what persons do in the present or once in a life.
_DOES = (
    r"""(?:works|lives|likes|loves|hates|prefers|enjoys|dislikes|studies|teaches|plays|owns|runs|speaks|trains
    |coaches|leads|manages|sings|drives|collects|paints|writes|cooks|bakes|smokes|volunteers|eats|drinks|moved
    |graduated|retired|died|passed\ away|was\ born|grew\ up|worked|lived|studied|got\ (?:married|engaged|divorced
    |promoted|fired|hired)|is\ (?:allergic|afraid|scared|vegan|vegetarian|diabetic|pregnant|married|divorced|engaged
    |retired|from\ (?-i:[A-Z])|working\ (?:as|at|for)|living\ in|studying|getting\ married|expecting|my\ (?:\w+\ )?"""
    + _KIN
    + r"""\b|our\ """
    + _KIN
    + r"""\b|\d{1,3}\ years)|doesn't\ (?:like|eat|drink|live|work)|can't\ (?:stand|eat|drink))"""
)
_IS_WHO = rf"""(?:is|are|was|were|'s)\s+{_ASIDE}(?:not\s+)?(?:an?\s+{_NO_TRADE}\w+|(?:my|our)\s+{_KIN}\b
    |the\s+\w+\s+(?:of|at|in)|from\ |\d{{1,3}}\b|called\ |named\ |allergic|vegan|vegetarian|diabetic|pregnant|married
    |single|divorced|engaged|retired|left-handed|celiac|coeliac|deaf|blind|expecting|studying|working\ (?:as|at|for
    |in|on)|living\ in|learning|getting\ married|moving\ to|in\ (?:college|high\ school|kindergarten|school
    |hospital))"""

_WORK = r"""(?:work\s+(?:at|for|as|in|with|from|remotely|part|full|night|freelance)|worked\s+(?:at|for|as|in
    |remotely)|stud(?:y|ied)\s(?!hard|for|with|up)|teach|taught|manage[d]?\s|run\s+(?:a|an|my|our|the)\s|founded
    |co-founded|own(?:ed)?\s+(?:a|an|my|our)\s|freelance|graduated|retired|(?:started|begin|began|got|took|landed
    |found|lost|quit|left|changed|switched|resigned)\s+(?:from\s+)?
    (?:(?:a|an|my|the|this)\ )?(?:\w+\s+){0,2}(?:jobs?|careers?
    |position|business|internship|company|firm|startup)\b|got\ (?:promoted
    |hired|fired|laid\ off|accepted|into\ \w+)|was\ (?:promoted|hired|fired|laid\ off|accepted)|started\ (?:working
    |studying|teaching|freelancing)|earn(?:ed)?\s|majored\s|dropped\ out|got\ my\ (?:degree|license))"""
_HOME = r"""(?:live[d]?\s+(?:in|at|on|near|with|alone|by|abroad|outside|downtown|together|next|across|here)|moved\s
    |(?:come|came)\s+from\s|grew\ up|was\ born|relocated|settled\ in|emigrated|immigrated|rent(?:ed)?\s+(?:a|an|my)
    |(?:bought|built)\s+(?:a|an|our|my|the)\s+(?:\w+\s+){0,2}(?:house|flat|apartment|home|cottage|cabin|farm|condo
    |place|car|boat|van|bike)\b|share\s+(?:a|an)\s+(?:flat|apartment|house|room))"""
_LIFE = (
    r"""(?:got\ (?:married|engaged|divorced|pregnant|remarried|diagnosed)|had\ (?:a|our|my)\ (?:\w+\s)?(?:baby|son
    |daughter|stroke|surgery|miscarriage)|adopted\s|gave\ birth|lost\ my\ (?:\w+\s)?(?:mom|mum|dad|mother|father
    |brother|sister|son|daughter|wife|husband|dog|cat|house|home|grandma|grandpa|grandmother|grandfather)
    |broke\ (?:my|up)|was\ diagnosed|came\ out|started\ transitioning|joined\s(?!in\b|you|them|him|her|us|forces)
    |speak\s+(?-i:[A-Z])|turned\ \d|weigh\s|go\ by\s|named\ (?:my|our)|served\ in|enlisted|voted\ for|won\s+(?:a|an
    |the|my|our|first|second|third)\s|wear\ (?:glasses|contacts)|got\ (?:a|our|my)\ (?:\w+\s){0,2}(?:"""
    + _PET
    + r""")\b|drive\ an?\s|drive\ (?-i:[A-Z]))"""
)
_STATE = r"""(?:allergic|intolerant|lactose|diabetic|asthmatic|vegan|vegetarian|pescatarian|pregnant|married|single
    |divorced|engaged|widowed|separated|left-handed|right-handed|colou?r-?blind|blind|deaf|dyslexic|autistic
    |bilingual|celiac|coeliac|bipolar|anemic|epileptic|religious|catholic|muslim|jewish|hindu|buddhist|atheist
    |christian|gay|lesbian|bisexual|trans|transgender|queer|retired|unemployed|self-employed|a\ (?:single\ (?:mom|dad
    |parent)|(?:morning|night|people|dog|cat)\ person)|\d{1,3}\ years|\d{2}\s*$|from\ (?-i:[A-Z])|born|originally
    |half[- ]|based\ in|named\ after)"""
_HAVE = rf"""(?:{_ONE}\s+(?:(?!with|for|at|and|of|from|about|where)\w+\s+){{0,3}}(?:(?!family\ \w){_KIN}|{_PET}|job
    |degree|phd|master's|mba|car|bike|boat|house|flat|garden|farm|allergy|phobia|asthma|diabetes|adhd|autism|twins?
    |tattoos?|piercing|scar|licen[cs]e|business|company|shop|studio)\b|(?:asthma|diabetes|adhd|autism|epilepsy
    |arthritis|migraines|insomnia|anxiety|depression|dyslexia|celiac|kids|twins|children|cancer|pets)\b
    |been\ (?:married|together|living|working\ (?:at|for|as|in|there)|studying|teaching|playing(?!\ ever)|learning
    |training|dating|vegan|vegetarian|sober|diagnosed|promoted)\b)"""
_TRADE = r"""(?:(?!(?:other|better|bigger|super|older|younger|never|member|(?:grand)?(?:mother|father)|brother|sister
    |daughter|summer|winter|water|dinner|believer|lover|number|monster|color|further|rather|either|another|popular
    |major|minor|senior|junior)\b)\w{3,}(?:er|or|ist|ian|eer)|accountant|assistant|consultant|student|agent|attendant
    |(?:business|fire|police|sales|post)(?:wo)?man|nurse|cook|chef|pilot|coach|judge|vet|clerk|guide|maid|barista
    |therapist|architect|mechanic|dean|freelance|intern|ceo|cto|cfo|priest|nun|monk|midwife|stay-at-home\ \w+)"""
_LIKE = r"""(?:like|love|enjoy|prefer|hate|dislike|adore|detest|loathe|despise|can't\ stand|cannot\ stand|can't\ bear
    |can't\ eat|can't\ drink|don't\ (?:eat|drink|like|smoke)|cherish|fancy|eat|drink|smoke|collect|admire)"""
_FOND = r"""(?:(?:a\s+)?(?:big\s+|huge\s+|massive\s+|great\s+)?(?:fan|lover)\ of|into|obsessed\ with|crazy\ about
    |keen\ on|fond\ of|passionate\ about|addicted\ to|afraid\ of|scared\ of|terrified\ of|allergic\ to|tired\ of
    |sick\ of|a\ sucker\ for|interested\ in)\s+"""
_ATTRIBUTE = (
    r"""(?:(?:full|first|last|middle|real|maiden|pet)\ )?(?:name|nickname|birthday|birth\ date|anniversary|age|height
    |address|email|phone\ number|number|blood\ type|hometown|nationality|native\ language|mother\ tongue|religion
    |pronouns|job|profession|occupation|company|employer|business|major|school|university|salary|goal|dream\ job
    |dream|hobby|hobbies|passion|specialty|diet|allergies|phobia|(?:old|current|new|next)\ \w+|"""
    + _PET
    + r"""|house|apartment|flat|car|bike|boat|best\ \w+|personal\ best|record|motto|role\ model|zodiac\ sign
    |star\ sign|time\ zone|budget|schedule|commute)"""
)
_PROJECT = r"""(?:working\ on|building|writing|training\ for|planning|preparing|saving(?:\ up)?\ for|studying
    |learning|moving\ (?:to|in|out|from)|renovating|looking\ for\ (?:a|an|work)|applying\ (?:to|for)|researching
    |developing|starting\ (?:a|an|my|our)|opening\ (?:a|an|my|our)|launching|taking\ (?:a|an)\ [\w\s]*(?:class|course
    |lessons)|raising|teaching|volunteering|coaching|trying\ to\ (?:get|find|become|learn|lose|quit|start|build|save)
    |dating|running\ (?:a|an|my|our))"""
_JOURNEY = r"""(?:going|flying|travell?ing|heading|driving|coming|visiting|leaving|getting|having|meeting|seeing
    |starting|competing|performing)\b(?!.*\b(?:it|that|this|them)\b)"""
_APPOINTMENT = r"""(?:an?|my|our|the|another|two|three)\s+(?:\w+\s+){0,3}(?:meeting|appointment|exam|interview|flight
    |surgery|wedding|deadline|trip|party|concert|game|match|race|competition|show|audition|check-?up|test|class|event
    |conference)"""

_CHOSE = r"""(?:(?:have\ |'ve\ )?(?:just\ |finally\ |already\ |both\ |now\ )*(?:decided|chosen|resolved|settled\ on
    |opted|agreed\ (?:to|on|that)|picked(?!\ up)|made\ up\ (?:my|our)\ minds?|chose|gone\ with|went\ with
    |committed\ to|ruled\ out))"""
_CHOOSE = r"""(?:(?:will|'ll|are\ going\ to|'re\ going\ to|am\ going\ to|'m\ going\ to|are|'re|am
    |'m)\s+(?:just\ |now\ )?(?:go(?:ing)?\ (?:with|ahead)|us(?:e|ing)\s+\w+\s+instead|stick(?:ing)?\ (?:with|to)
    |switch(?:ing)?\ (?:to|from)|drop(?:ping)?\ [\w\s]+\ (?:because|since|in\ favou?r)|migrat(?:e|ing)\ (?:to|from)
    |choos(?:e|ing)|adopt(?:ing)?\s+\w+\s+(?:as|for|because)|opt(?:ing)?\ for|replac(?:e|ing)|stop(?:ping)?\ \w+ing
    |quit(?:ting)?))"""

_THING = r"(?!(?:it|this|that's|these|those|them|him|her|you|your|what|how)\b)"

# What passes, or only seems to say something: "I love it", "I like that you ...".
_PASSING = re.compile(
    r"\b(?:right\ now|at\ the\ moment|just\ kidding|jk|not\ sure\ (?:if|whether)|i\ (?:guess|think|feel\ like|bet"
    r"|hope|doubt)"
    r"|kidding|joking|sounds\ like|creo\ que|supongo|espero\ que|es\ broma"
    r"|(?:this|these|those)\ (?!(?:\w+\ )?(?:days?|weeks?|months?|years?|mornings?|afternoon|evening|weekends?"
    r"|summer|winter|spring|fall"
    r"|autumn|semester|term|time|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)|(?:this|these|those|it|that|them)$)\b".replace(r"\ ", " "),
    re.IGNORECASE,
)


def _form(kind: ClaimKind, category: Category, *patterns: str, dated: bool = False) -> Form:
    return Form(kind, category, re.compile("|".join(patterns), re.IGNORECASE | re.VERBOSE), dated)


FORMS: tuple[Form, ...] = (
    _form(
        ClaimKind.DECISION,
        Category.DECISION,
        rf"{_WHEN}{_AND_I}(?:I|we)\s*{_CHOSE}\s+{_THING}\w+",
        rf"{_WHEN}{_AND_I}(?:I|we)\s*{_CHOOSE}\s+{_THING}\w+",
        r"(?:my|our|the)\s+(?:final\ )?decision\s+(?:is|was)\s+\w+",
        r"it(?:'s|\ is|\ was)\ decided\s*[:,]?\s+\w+",
        r"(?:yo\ |ya\ |al\ final\ |por\ fin\ )*(?:he\ decidido|hemos\ decidido|decidí|decidimos|elegí|elegimos"
        r"|hemos\ elegido"
        r"|optamos\ por|opté\ por|nos\ quedamos\ con|me\ quedo\ con|nos\ decantamos\ por|hemos\ acordado"
        r"|acordamos)\s+\w+",
        r"(?:vamos\ a|voy\ a)\ (?:usar|cambiar\ a|optar\ por|seguir\ con|dejar\ de)\s+\w+[\w\s]*\b(?:porque|ya\ que"
        r"|en\ vez\ de|en\ lugar\ de)\b",
    ),
    _form(
        ClaimKind.OBSERVATION,
        Category.PATTERN,
        rf"{_WHEN}{_AND_I}(?:I|we)\s+(?:do\ |also\ |just\ |still\ |don't\ )*{_OFTEN}\s+(?:also\ |just\ )*(?:{_HABIT}"
        rf"|\w+ing)\b",
        rf"{_WHEN}{_AND_I}(?:I|we)\s+(?:also\ |just\ |still\ |try\ to\ |like\ to\ "
        rf"|have\ to\ )*{_HABIT}\b.*\b(?:{_OFTEN_LATER})",
        rf"(?:{_OFTEN_LATER})[\w\s]{{0,20}},?\s+(?:I|we)\s+(?:also\ |just\ |still\ |always\ |usually\ "
        rf"|often\ )*{_HABIT}\b",
        rf"(?:lately|recently|these\ days),?\s+(?:I've|we've|I\ have|we\ have)\s+been\s+{_DOING}\s+\w+",
        rf"(?:I've|we've|I\ have|we\ have)\s+been\s+{_DOING}\s+.*\b(?:lately|recently|these\ days|a\ lot|every\ \w+"
        rf"|more)\b",
        rf"{_MINE}\s+(?:always|usually|often|never|every\ \w+)\s+\w+",
        rf"(?:yo\ )?{_HABITUAL},?\s+(?:me\ |nos\ |no\ )?\w+(?:o|amos|emos|imos|ar|er|ir|arme|erme|irme|uelo|oy)\b",
        r"(?:yo\ )?(?:me\ |nos\ )?(?!quiero|creo|espero|pienso|digo|puedo)\w+(?:o|amos|emos"
        r"|imos)\b[\w\s]*\b(?:todos\ los\ \w+|todas\ las\ \w+|cada\ \w+|los\ fines\ de\ semana)",
    ),
    # Before the forms of oneself: "my wife and I" begins like "my wife".
    _form(
        ClaimKind.FACT,
        Category.PROFESSIONAL,
        rf"{_I}{_WORK}",
        rf"{_I_AM}(?:an?|the)\s+(?:\w+\s+){{0,3}}?{_NO_TRADE}{_TRADE}\b(?!\s+(?:fan|lover|person)\b)",
        rf"{_I_AM}(?:promoted|hired|fired|laid\ off|working\ (?:at|for|as|in|from|part|full|remotely)|employed"
        rf"|studying|majoring"
        rf"|in\ (?:my|our)\ (?:first|second|third|final|last|\w+)\ year|a\ student|in\ (?:college|med\ school"
        rf"|law\ school|grad\ school))",
        r"my\ (?:job|work|profession|occupation|company|employer|boss|major|business|shift)\ (?:is|involves|starts"
        r"|ends|requires)\ " + _EVALUATION + r"\w+",
        r"(?:yo\ )?(?:ya\ )?(?:no\ )?(?:trabajo|trabajé|trabajamos)\ (?:en|para|como|de|con|desde)\ \w+",
        r"(?:yo\ )?(?:ya\ )?(?:no\ )?(?:estudio|estudié|enseño|dirijo|estoy\ estudiando)\ \w+",
        r"(?:yo\ )?(?:me\ gradué|me\ jubilé|me\ despidieron|me\ ascendieron|me\ contrataron|cambié\ de\ trabajo"
        r"|dejé\ (?:mi|el)\ trabajo"
        r"|empecé\ (?:a\ trabajar|un\ nuevo\ trabajo|en\ un\ nuevo\ trabajo)|perdí\ (?:mi|el)\ trabajo)",
        r"(?:yo\ )?soy\ (?:un\ |una\ )?(?:médic[oa]|enfermer[oa]|profesora?|maestr[oa]|ingenier[oa]|abogad[oa]"
        r"|arquitect[oa]|cociner[oa]"
        r"|periodista|dentista|estudiante|camarer[oa]|programadora?|conductora?|carpinter[oa]|fontaner[oa]"
        r"|electricista|músic[oa]"
        r"|escritora?|pintora?|veterinari[oa]|psicólog[oa]|contable|funcionari[oa]|policía|bomber[oa]|agricultora?)\b",
    ),
    _form(
        ClaimKind.FACT,
        Category.IDENTITY,
        rf"{_I}{_HOME}",
        rf"{_I}{_LIFE}",
        rf"{_I_AM}{_STATE}",
        rf"{_I_HAVE}(?:never\s+|not\s+)?{_HAVE}",
        rf"{_I}have\s+{_HAVE}",
        rf"{_I_AM}(?:living\ in|expecting|getting\ married|getting\ divorced|learning\ (?-i:[A-Z]))",
        rf"(?:my|our)\ {_ATTRIBUTE}(?:\s+{_NAMED})?\s+(?:is|are|was|'s|is\ called)\s+{_EVALUATION}[\w\"']+",
        r"(?:please\ )?call\ me\ (?-i:[A-Z])\w+",
        r"(?:yo\ )?(?:ya\ )?(?:no\ )?(?:vivo|vivía|vivimos)\ (?:en|con|sol[oa]|cerca)",
        r"(?:yo\ )?(?:soy\ de|nací|crecí|me\ mudé|nos\ mudamos|me\ llamo|me\ casé|me\ divorcié|tengo\ \w+\ (?:años"
        r"|hij[oa]s|herman[oa]s|perr[oa]s?|gat[oa]s?)"
        r"|tengo\ (?:diabetes|asma|alergia)|hablo\ \w+)",
        r"(?:yo\ )?(?:no\ )?(?:soy|estoy)\ (?:alérgic[oa]|vegan[oa]|vegetarian[oa]|celíac[oa]|diabétic[oa]|casad[oa]"
        r"|solter[oa]|divorciad[oa]"
        r"|viud[oa]|embarazada|jubilad[oa]|zurd[oa]|intolerante)",
        r"mi\ (?:nombre|cumpleaños|apellido|dirección|teléfono|correo|edad|perr[oa]|gat[oa]"
        r"|aniversario)(?:\s+(?-i:[A-Z])\w+)?\ (?:es|se\ llama)\ \w+",
    ),
    _form(
        ClaimKind.FACT,
        Category.PREFERENCE,
        r"(?:my|our)\ (?:(?:\w+\s+)?favou?rites?|least\ favou?rite|go-to|preferred)\b[\w\s'’-]*?\s+(?:is|are"
        r"|has\ (?:always\ )?been)\s+(?!it\b|that\b|this\b)\w+",
        rf"{_NAMED}\s+(?:is|are)\s+{_ASIDE}(?:one\ of\ )?(?:my|our)\ (?:\w+\s+)?favou?rites?\b",
        rf"{_I}{_LIKE}\s+{_POINTLESS}(?!to\s*$)\w+",
        rf"{_I}(?:can't|cannot)\s+(?:stand|bear|eat|drink|tolerate)\s+{_POINTLESS}\w+",
        rf"{_I_AM}{_FOND}{_POINTLESS}\w+",
        rf"{_I}(?:stopped|quit|gave\ up|started|took\ up|began)\s+(?:\w+ing\b(?!\s+(?:what|how|it|that|this|like"
        rf"|to\ (?:think|feel|see|be))\b)|smoking|meat|coffee|alcohol|sugar|dairy|gluten)",
        r"(?:yo\ )?(?:(?:a\ mí\ )?(?:no\ )?(?:me|nos)\ (?:gusta|gustan|encanta|encantan|fascina|fascinan|molesta"
        r"|disgusta)|prefiero|preferimos"
        r"|odio|detesto|adoro|no\ soporto|no\ como|no\ bebo|dejé\ de)\ (?!eso\b|esto\b|que\b|tu\b|cómo\b|lo\ que\b)\w+",
        r"mi\ [\w\s]+\ (?:favorit[oa]|preferid[oa])\ (?:es|son)\ \w+",
    ),
    _form(
        ClaimKind.FACT,
        Category.RELATIONSHIP,
        rf"{_THEY}{_THEIR_DENIED}{_ASIDE}{_STATIVE}\b",
        rf"{_SOMEONE}{_DOES}\b",
        rf"{_SOMEONE}is\s+{_ASIDE}an?\s+(?:\w+\s+){{0,2}}?{_NO_TRADE}{_TRADE}\b",
        rf"{_THEY}{_IS_WHO}",
        rf"{_THEY}(?:has|have)\s+{_HAVE}",
        rf"(?:my|our)\s+{_KIN}\s+(?:is|are|'s)\s+{_NAMED}",
        rf"(?:my|our)\s+{_KIN}(?:'s)?\s+(?:name|birthday|anniversary|wedding)\s+(?:is|was)\s+{_EVALUATION}\w+",
        rf"{_NAMED}'s\s+(?:birthday|wedding|anniversary|job|name|husband|wife)\s+(?:is|was)\s+{_EVALUATION}\w+",
        rf"mis?\ {_PARIENTE}(?:,?\s+{_NAMED},?)?\s+(?:ya\ |también\ |siempre\ |no\ )*(?:vive|viven|trabaja|trabajan"
        rf"|es|son|se\ llama|tiene|tienen"
        r"|estudia|estudian|odia|odian|prefiere|ama|adora|habla|nació|murió|se\ mudó|se\ casó|juega|toca|enseña|come"
        r"|bebe)\ \w+",
        rf"a\ mi\ {_PARIENTE}(?:,?\s+{_NAMED},?)?\s+(?:no\ )?le\ (?:gusta|gustan|encanta|encantan|molesta)\ \w+",
    ),
    _form(
        ClaimKind.FACT,
        Category.CONTEXT,
        rf"{_I_AM}{_PROJECT}\s+{_POINTLESS}(?!(?:an?|the|some|my|another)\s+(?:\w+\s+)?(?:projects?|things?"
        rf"|stuff)\s*$)\w+",
        rf"{_WHEN}{_AND_I}(?:I|we)\s+{_ASIDE}(?:want|plan|intend)\s+to\s+(?:become|learn|start|open|move|buy|write"
        rf"|build|get|study|quit|travel|run|adopt)\s+\w+",
        r"(?:yo\ )?(?:estoy|estamos)\ (?:aprendiendo|preparando|planeando|escribiendo|construyendo|buscando"
        r"|ahorrando|entrenando|trabajando\ en)\ \w+",
        r"(?:yo\ )?(?:quiero|queremos|planeo)\ (?:aprender|ser|comprar|abrir|mudarme|viajar|estudiar|escribir)\b",
    ),
    _form(
        ClaimKind.FACT,
        Category.CONTEXT,
        rf"{_I_AM}{_JOURNEY}\b",
        rf"{_I_HAVE}{_APPOINTMENT}\b",
        rf"{_I}(?:travel|fly|leave|start|finish|move)\s+\w+",
        rf"{_I}(?:booked|scheduled|signed\ up|registered|enrolled|applied|finished|completed|ran|won|published"
        rf"|launched|opened)\s+\w+",
        r"(?:my|our)\s+[\w\s]{{2,30}}?(?:meeting|appointment|exam|interview|flight|surgery|wedding|deadline|trip"
        r"|competition)\s+(?:is|was)\s+\w+",
        r"(?:yo\ )?(?:viajo|volamos|vuelo|me\ voy|nos\ vamos|tengo\ (?:una\ (?:cita|reunión|entrevista|boda)"
        r"|un\ (?:examen|vuelo|viaje)))\b",
        dated=True,
    ),
)
