"""In which language a text is written, as far as its function words show.

Function words (articles, pronouns, prepositions, auxiliaries) stand in nearly every sentence, and mean nothing by
themselves. Each different one in a text is a voice for the languages that have it; the languages with most voices are
shown, all of those with equally many, since stems of a neighbour language do no harm. English has no stems beside those
of the full-text index: it only keeps English and mixed texts out.

A language that is not known here (Catalan, Bulgarian …) may be taken for its neighbour, and is then stemmed alike in
texts and questions.
"""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

_SENTENCE = re.compile(r"[.!?…:;\n]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_VOICES_PER_ENGLISH = 3  # so many of a language for each English one, or the text is English or mixed


class Language(StrEnum):
    """The languages whose words are stemmed, by their ISO 639-1 codes."""

    DANISH = "da"
    DUTCH = "nl"
    FINNISH = "fi"
    FRENCH = "fr"
    GERMAN = "de"
    ITALIAN = "it"
    NORWEGIAN = "no"
    PORTUGUESE = "pt"
    RUSSIAN = "ru"
    SPANISH = "es"
    SWEDISH = "sv"


_ENGLISH = frozenset(
    """
    a an the and or but nor if because as while though until than then so i you he she it we they me him her us them my
    your his its our their mine yours ours theirs myself yourself himself herself itself ourselves themselves this that
    these those there here who whom whose which what when where why how am is are was were be been being do does did
    doing done have has had having will would shall should can could may might must of in on at to for from with
    without by about into onto over under after before between through during against among around across behind
    beyond near off out up down not no yes never always also too very just only even still already again ever all any
    some many much more most few both each every other another such own same one something anything nothing someone
    anyone everyone everything let lets got get gets going goes went gone said says don didn doesn isn wasn aren weren
    won wouldn couldn shouldn can cannot ll re ve im ive
    """.split()
)
_FUNCTION_WORDS: Mapping[Language, frozenset[str]] = {
    Language.GERMAN: frozenset(
        """
        der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner und oder aber denn
        weil wenn dass ob als wie wo wer wen wem wessen was wann warum wieso weshalb woher wohin welche welcher
        welches welchen ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich mein meine meinen
        meinem meiner dein deine deinen deinem deiner sein seine seinen seinem seiner ihre ihren ihrem ihrer unser
        unsere unseren unserem unserer euer eure man ist sind war waren bin bist seid wird werden wurde wurden worden
        hat haben hatte hatten habe hast habt kann kannst können konnte muss müssen musste soll sollen sollte will
        wollen wollte möchte mag mögen darf dürfen würde würden wäre hätte in im an am auf aus bei beim mit nach von
        vom vor zu zum zur für über unter um durch gegen ohne bis seit zwischen hinter neben während wegen nicht
        nichts nie niemals auch noch schon nur sehr immer hier dort da dann jetzt heute gestern morgen mehr viel viele
        alle alles jeder jede jedes dieser diese dieses diesen diesem etwas jemand so also her doch gern gerne
        """.split()
    ),
    Language.DUTCH: frozenset(
        """
        de het een en of maar want omdat als dan dat die dit deze wie wat waar wanneer waarom hoe welke welk ik jij je
        hij zij ze wij we jullie mij me jou hem haar ons hen hun mijn jouw zijn onze uw u is was waren ben bent
        geweest wordt worden werd werden geworden heeft hebben had hadden heb hebt kan kunnen kon konden moet moeten
        moest zal zullen zou zouden wil willen wilde wou mag mogen gaat gaan ging in op aan van voor met naar bij uit
        over onder tegen door om tot sinds tussen achter naast tijdens zonder niet niets nooit ook nog al alleen zeer
        heel erg altijd hier daar er toen nu vandaag gisteren morgen meer veel vele alle alles elke elk ieder iedereen
        iets iemand geen te zich zo graag
        """.split()
    ),
    Language.FRENCH: frozenset(
        """
        le la les un une des du de au aux et ou mais donc car si que qu j qui quoi quel quelle quels quelles dont où
        quand comment pourquoi combien lequel laquelle je tu il elle on nous vous ils elles me te se moi toi lui leur
        leurs eux mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces cela ça est sont était étaient
        étais suis es sommes êtes été être fut sera serait a ai as avons avez ont avait avaient avais eu avoir fait
        faire peut peux peuvent pouvait veut veux voulait doit dois devait va vais vont à en dans sur sous avec sans
        pour par chez vers entre contre depuis pendant avant après ne pas plus jamais rien aussi très toujours encore
        déjà ici là maintenant hier demain tout tous toute toutes chaque quelque quelques beaucoup peu même autre
        autres comme y jusqu lorsque puisque parce
        """.split()
    ),
    Language.SPANISH: frozenset(
        """
        el la los las un una unos unas lo al del de y e o u pero sino porque si que qué quien quién quienes cual cuál
        cuales como cómo cuando cuándo donde dónde adónde cuánto cuántos cuanto yo tú tu él ella ello nosotros
        vosotros usted ustedes ellos ellas me te se nos os le les mí mi mis tus su sus nuestro nuestra nuestros
        nuestras vuestro este esta estos estas ese esa esos esas esto eso aquel aquella es son era eran soy eres somos
        fue fueron fui ser sido siendo está están esta estaba estaban estoy estás estar ha han he has hemos había
        habían haber hay tiene tienen tengo tenía tuvo puede pueden puedo podía quiere quiero quería debe va van voy
        iba a en con sin por para sobre entre hasta desde hacia contra durante según ante tras no nunca nada también
        tampoco muy más menos siempre ya aquí ahí allí ahora hoy ayer mañana todo todos toda todas cada algo alguien
        alguno alguna algunos algunas mucho mucha muchos muchas otro otra otros otras mismo misma
        """.split()
    ),
    Language.ITALIAN: frozenset(
        """
        il lo la i gli le un uno una del dello della dei degli delle dell al allo alla ai agli alle all dal dallo
        dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col e ed
        o ma se perché poiché che chi cui quale quali quando dove come quanto quanti io tu lui lei noi voi loro mi ti
        si ci vi ne me te sé mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro
        vostra questo questa questi queste quello quella quelli quelle quel quest è sono era erano sei siamo siete ero
        stato stata stati essere fu sarà sta stanno sto stava ha hanno ho hai abbiamo avete aveva avevano avevo avere
        può possono posso poteva vuole voglio voleva deve devo doveva va vado di a da in con su per tra fra senza
        sotto sopra verso contro durante dopo prima non niente nulla mai anche ancora già molto molta molti molte più
        meno sempre qui lì là ora oggi ieri domani tutto tutti tutta tutte ogni qualcosa qualcuno altro altra altri
        altre stesso
        """.split()
    ),
    Language.PORTUGUESE: frozenset(
        """
        o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa dele dela
        deles delas nele nela de e ou mas porque porém se que quem qual quais quando onde como quanto quantos eu tu
        ele ela nós vós você vocês eles elas me te lhe lhes mim meu minha meus minhas teu tua teus tuas seu sua seus
        suas nosso nossa nossos nossas este esta estes estas esse essa esses essas isto isso aquele aquela aquilo é
        são era eram sou somos foi foram fui ser sido está estão estava estavam estou estar tem têm tenho tinha tinham
        teve ter há havia pode podem posso podia quer quero queria deve vai vão vou ia em com sem por para sobre entre
        até desde contra durante após não nunca nada também muito muita muitos muitas mais menos sempre já ainda aqui
        ali lá agora hoje ontem amanhã tudo todo todos toda todas cada algo alguém algum alguma alguns algumas outro
        outra outros outras mesmo mesma
        """.split()
    ),
    Language.SWEDISH: frozenset(
        """
        en ett den det de och eller men för att om när där som vad vem vilken vilket vilka varför hur vart jag du han
        hon vi ni mig dig honom henne oss er dem sig min mitt mina din ditt dina sin sitt sina hans hennes vår vårt
        våra deras denna detta dessa är var vara varit blir blev blivit har hade haft kan kunde ska skall skulle vill
        ville måste får fick gör gjorde i på av till från med utan vid under över mellan genom mot efter före innan
        sedan hos inte aldrig inget ingen inga också bara mycket alltid redan här nu då idag igår imorgon mer många
        alla allt varje något någon några man så gärna
        """.split()
    ),
    Language.DANISH: frozenset(
        """
        en et den det de og eller men for at fordi hvis om når da hvor som der hvad hvem hvilken hvilket hvilke
        hvorfor hvordan hvornår jeg du han hun vi i mig dig ham hende os jer dem sig min mit mine din dit dine sin sit
        sine hans hendes vores deres denne dette disse er var være været bliver blev blevet har havde haft kan kunne
        skal skulle vil ville må måtte får fik gør gjorde på af til fra med uden ved under over mellem gennem mod
        efter før siden hos ikke aldrig intet ingen også kun bare meget altid allerede her nu så dag går morgen mere
        mange alle alt hver noget nogen nogle man gerne have
        """.split()
    ),
    Language.NORWEGIAN: frozenset(
        """
        en et ei den det de og eller men for at fordi hvis om når da hvor som der hva hvem hvilken hvilket hvilke
        hvorfor hvordan jeg du han hun vi dere meg deg ham henne oss dem seg min mitt mine mi din ditt dine sin sitt
        sine hans hennes vår vårt våre deres denne dette disse er var være vært blir ble blitt har hadde hatt kan
        kunne skal skulle vil ville må måtte får fikk gjør gjorde i på av til fra med uten ved under over mellom
        gjennom mot etter før siden hos ikke aldri ingenting ingen også bare mye alltid allerede her nå så dag går
        morgen mer mange alle alt hver noe noen man gjerne å
        """.split()
    ),
    Language.FINNISH: frozenset(
        """
        ja tai vai mutta sekä että jos koska kun kuin niin joka jotka mikä mitä missä mistä mihin milloin miksi miten
        kuka kenen ketä minä sinä hän me te he minun sinun hänen meidän teidän heidän minua sinua häntä minulla
        sinulla hänellä minulle sinulle hänelle meillä meille tämä tuo se nämä nuo ne tätä sitä tässä siinä täällä
        siellä tänne on ovat oli olivat olen olet olemme olette olin olla ollut ole en et ei emme ette eivät voi voin
        voivat pitää piti täytyy haluaa haluan kanssa ilman ennen jälkeen vielä myös vain aina jo nyt tänään eilen
        huomenna hyvin paljon kaikki jokainen jotain joku toinen itse
        """.split()
    ),
    Language.RUSSIAN: frozenset(
        """
        и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по её ее мне было вот от меня ещё
        еще нет о из ему когда даже ну ли если уже или быть был него до вас опять вам ведь там потом себя ничего ей
        может они тут где есть надо ней для мы тебя их чем была сам чтоб чтобы без чего раз тоже себе под будет тогда
        кто этот эта эти того потому этого какой какая какое какие ним здесь этом один почти мой моя моё мое мои твой
        твоя свой свою своя наш наша ваш ваша тем сейчас были куда зачем почему сколько всех никогда можно при об
        другой после над больше тот через эту нас про всего них который которая которое которые много разве хорошо
        очень это только всегда сегодня вчера завтра
        """.split()
    ),
}
# Words that show nothing, however many there are: parts of names, and small words that Slavic neighbours have too.
_EVERYWHERE = frozenset(
    """
    de la le du des del della di da do dos das el los las der den van von y e san al ben
    и в на не с за от но по до да а о у к то при под над без об из там тут или как
    """.split()
)
# Words that show nothing alone: English has them as names or with another meaning.
_DOUBTFUL = frozenset(
    """
    ed ella han hans mia dina mina vi uma ali jo ora o u
    die hat war bin man men mag era son car pour par comment fra hun ham hen mine mans sin con per se non ma ha ho er um
    op au aux sous tout lo fu ton sur fin plus note chi tai mai dal ante nu ya yo om ska till et mod vain bare come sole
    due
    """.split()
)
_OWN: Mapping[Language, frozenset[str]] = {name: words - _ENGLISH for name, words in _FUNCTION_WORDS.items()}
_EVERY_WORD = frozenset().union(_ENGLISH, *_FUNCTION_WORDS.values())


def function_words(language: Language) -> frozenset[str]:
    """Words of a language that mean nothing by themselves."""
    return _FUNCTION_WORDS[language]


@lru_cache(maxsize=64)  # a question is looked at more than once
def languages_of(text: str) -> tuple[Language, ...]:
    """The languages that a text shows: one, some that it may be just as well, or none; English is none of them."""
    said = _function_words_in(text)
    voices = {language: said & own for language, own in _OWN.items()}
    most = max(map(len, voices.values()))
    return tuple(
        language
        for language, own in voices.items()
        if len(own) == most and _shows(own) and most >= _VOICES_PER_ENGLISH * _english(said, language)
    )


def asked_languages(question: str) -> tuple[Language, ...]:
    """The same of a question; one without any function word, English ones too, may be in every language."""
    shown = languages_of(question)
    return shown or (() if _function_words_in(question) - _DOUBTFUL - _EVERYWHERE else tuple(Language))


def _shows(own: frozenset[str]) -> bool:
    """Whether words are evidence of a language: one that only it can be, or a doubtful one beside another."""
    telling = own - _EVERYWHERE
    return bool(telling - _DOUBTFUL) or (bool(telling) and len(own) > 1)


def _english(said: frozenset[str], language: Language) -> int:
    """How many of the words are English and not of the language."""
    return len((said & _ENGLISH) - _FUNCTION_WORDS[language])


def _function_words_in(text: str) -> frozenset[str]:
    """The function words of any language in a text, in lower case.

    One with a capital letter is a part of a name, but at the beginning of a sentence: "Los Angeles", "The Hague".
    """
    folded = unicodedata.normalize("NFKC", text)
    if folded.isupper():
        folded = folded.lower()
    found: set[str] = set()
    for sentence in _SENTENCE.split(folded):
        words = _LETTERS.findall(sentence)
        found.update(word.lower() for word in words[:1])
        found.update("i" if word == "I" else word for word in words[1:])
    return frozenset(found & _EVERY_WORD)
