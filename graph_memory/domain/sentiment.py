"""How a clause feels about what it speaks of, from small lists of words, in English and Spanish.

A coarse sign, not a measurement: each word counts one, a denial before it turns it, and the sum is squeezed into -1..1.
"""

import re

_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_GOOD = frozenset(
    """
    love loves loved like likes liked enjoy enjoys enjoyed adore adores great good nice kind kindest sweet wonderful
    amazing
    awesome brilliant lovely fantastic excellent best better proud happy glad grateful thankful trust trusts helpful
    helped
    helps supportive supported supports generous funny fun smart clever talented reliable honest patient caring loyal
    cheerful
    thoughtful warm friendly impressed impressive inspiring inspired promising fair gentle encouraging encouraged saved
    thanks thank congratulated celebrated comforted forgave kept
    bueno buena buenos buenas genial encantador encantadora amable maravilloso maravillosa fantástico fantástica
    excelente
    mejor feliz contento contenta orgulloso orgullosa quiero adoro encanta gusta ayudó ayuda cariñoso cariñosa fiable
    honesto
    """.split()
)
_BAD = frozenset(
    """
    hate hates hated dislike dislikes bad awful terrible horrible worst worse mean rude angry mad furious upset sad hurt
    hurts annoying annoyed annoys disappointed disappointing disappoints lied lies liar cheated broke betrayed
    ignored ignores
    ignoring useless unreliable selfish lazy jealous cruel toxic dishonest arrogant stupid insulted yelled shouted
    complained
    fired refused forgot failed late unfair wrong blamed bullied stole scared afraid worried tired fight fought
    argued stressed
    malo mala malos malas peor horrible terrible odio odia enfadado enfadada enojado enojada triste mentiroso
    mentirosa mintió
    egoísta vago vaga cruel decepcionado decepcionada tóxico tóxica injusto injusta gritó falló
    """.split()
)
_TURNING = frozenset(
    "not no never without hardly don't doesn't didn't isn't wasn't aren't won't can't couldn't nunca ni tampoco".split()
)
_REACH = 3  # words that a denial turns
_FULL = 2.0  # words of one sign that make the feeling whole


def sentiment(clause: str) -> float:
    """How `clause` feels, -1..1; 0 where no listed word stands."""
    words = _WORDS.findall(clause.lower().replace("’", "'"))
    total = 0
    for place, word in enumerate(words):
        sign = (word in _GOOD) - (word in _BAD)
        if sign and not _TURNING.isdisjoint(words[max(0, place - _REACH) : place]):
            sign = -sign
        total += sign
    return max(-1.0, min(1.0, total / _FULL))
