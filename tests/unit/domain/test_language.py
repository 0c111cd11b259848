"""The language that function words show."""

import pytest

from graph_memory.domain.language import Language, asked_languages, languages_of

SENTENCES = {
    Language.DANISH: "Min søster har købt to cykler af min nabo, men hun bruger dem ikke.",
    Language.DUTCH: "Mijn zus heeft twee boeken gekocht, maar ze leest ze niet.",
    Language.FINNISH: "Minulla on kaksi punaista autoa, mutta en aja niillä.",
    Language.FRENCH: "Nous avons acheté des chevaux blancs pour la ferme.",
    Language.GERMAN: "Meine Nachbarin hat zwei alte Gärten gekauft.",
    Language.ITALIAN: "Ho comprato due biciclette rosse per i ragazzi.",
    Language.NORWEGIAN: "Søsteren min kjøpte to biler av naboen, men hun bruker dem ikke noe mye.",
    Language.PORTUGUESE: "A minha irmã comprou três gatos pretos e não os larga.",
    Language.RUSSIAN: "Моя сестра купила две красные машины.",
    Language.SPANISH: "Mi hermana ha perdido las llaves del coche.",
    Language.SWEDISH: "Min syster köpte två röda bilar, men hon kör dem inte.",
}


@pytest.mark.parametrize(("language", "text"), SENTENCES.items())
def test_a_sentence_shows_its_language(language: Language, text: str):
    assert languages_of(text) == (language,)
    assert languages_of(text.upper()) == (language,)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        (Language.DUTCH, "Waar zijn mijn sleutels?"),
        (Language.FINNISH, "Missä avaimeni ovat?"),
        (Language.FRENCH, "Où sont mes clés ?"),
        (Language.GERMAN, "Wo sind meine Schlüssel?"),
        (Language.ITALIAN, "Dove sono le mie chiavi?"),
        (Language.PORTUGUESE, "Onde estão as minhas chaves?"),
        (Language.RUSSIAN, "Где мои ключи?"),
        (Language.SPANISH, "donde estan mis llaves"),
        (Language.SWEDISH, "Var är mina nycklar?"),
    ],
)
def test_a_question_of_some_words_shows_its_language(language: Language, question: str):
    assert asked_languages(question) == (language,)


def test_what_two_languages_spell_alike_shows_both():
    assert languages_of("Jeg har en hund og en kat") == (Language.DANISH, Language.NORWEGIAN)


@pytest.mark.parametrize(
    "text",
    [
        "I bought two bikes for the kids.",
        "The old man wore a hat and a pin, so the war era die was cast.",
        "Wow! Amazing photo, love it",
        "We watched Das Boot and Die Hard, then Der Untergang.",
        "She moved from Los Angeles to La Paz, via Rio de Janeiro and El Paso.",
        "Vincent van Gogh and Ludwig van Beethoven",
        "um, well, ha ha",
        "I met Mia, Hans, Ella and Ali",
        "WHERE IS THE KEY",
    ],
)
def test_english_shows_no_other_language(text: str):
    assert languages_of(text) == ()


def test_a_mixed_text_shows_no_language_but_a_quoted_title_mixes_nothing():
    assert languages_of("Ich habe the meeting verschoben because it was late") == ()
    assert languages_of("Ich höre nicht gern The Cure und The Clash") == (Language.GERMAN,)


@pytest.mark.parametrize(
    "text", ["", "…", "Oak", "2031-05-01", "周末去河边钓鱼", "Αύριο", "Аз имам котка и куче на двора"]
)
def test_a_text_without_telling_function_words_shows_none(text: str):
    assert languages_of(text) == ()


def test_a_question_without_any_function_word_may_be_in_every_language():
    assert asked_languages("Garten Nachbarin") == tuple(Language)
    assert asked_languages("casa de la abuela") == tuple(Language)  # these stand in names of every country


@pytest.mark.parametrize(
    "question", ["Where is the key?", "keys in drawer", "garden of mine", "Wo ist the meeting of it?"]
)
def test_an_english_or_mixed_question_is_in_no_other_language(question: str):
    assert asked_languages(question) == ()
