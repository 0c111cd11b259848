"""Stems and pairs of characters, as they are stored beside a text and looked for."""

import pytest

from graph_memory.domain.index_terms import index_query_terms, index_terms
from graph_memory.domain.language import Language, function_words
from graph_memory.domain.stems import stem_terms
from graph_memory.domain.text import script_query_terms, script_terms, words

# Told, and asked with the same thing in another form.
INFLECTED = [
    ("Min søster har købt to cykler af min nabo.", "Hvad skal der ske med cyklen?"),
    ("Mijn zus heeft twee boeken gekocht.", "Waar is het boek?"),
    ("Minulla on kaksi punaista autoa.", "Missä minun autoni on?"),
    ("Nous avons acheté des chevaux blancs.", "Où est le cheval ?"),
    ("Meine Nachbarin hat zwei alte Gärten gekauft.", "Wem gehört ein Garten?"),
    ("Ho comprato due biciclette rosse per i ragazzi.", "Dov'è la mia bicicletta?"),
    ("Jeg kjøpte to røde biler av deg.", "Hva skjedde med bilen din?"),
    ("A minha irmã comprou três gatos pretos.", "Onde está o gato?"),
    ("Моя сестра купила две красные машины.", "Где моя машина?"),
    ("Mi hermana ha perdido las llaves del coche.", "¿Dónde está la llave?"),
    ("Min syster köpte två röda bilar.", "Var är bilen?"),
]
ENGLISH = [
    "I bought two bikes for the kids.",
    "Where did Caroline go with her friends last week?",
    "What is the name of the band that Melanie saw in Los Angeles?",
    "Were Scott Derrickson and Ed Wood of the same nationality?",
    "Wow, Melanie! That's amazing! Love it",
    "Thanks!",
    "The municipality of Rio de la Plata lies in the province of San Juan.",
]


@pytest.mark.parametrize(("told", "asked"), INFLECTED)
def test_inflected_forms_meet(told: str, asked: str):
    assert set(index_terms(told)) & set(index_query_terms(asked))
    shared = set(words(told)) & set(words(asked))
    assert all(any(word in function_words(language) for language in Language) for word in shared)  # only by stems


@pytest.mark.parametrize("text", ENGLISH)
def test_english_texts_have_the_terms_that_they_had_and_no_others(text: str):
    assert index_terms(text) == script_terms(text) == []
    assert index_query_terms(text) == script_query_terms(text) == []


@pytest.mark.parametrize("question", [text for text in ENGLISH if text != "Thanks!"])
def test_an_english_question_looks_for_no_stems_either(question: str):
    assert index_query_terms(question, most_guessed=60) == []


def test_function_words_have_no_terms():
    assert index_terms("Der Hund ist nicht in dem Haus") == ["dehund0", "dehaus0"]


def test_a_name_is_a_word_like_another_and_is_spelt_out_in_none_but_its_own_terms():
    assert index_terms("Ich habe Jonas in Königswinter getroffen") == ["dejonas0", "dekonigswint0", "degetroff0"]
    assert words("Ich habe Jonas in Königswinter getroffen")[2] == "jonas"


def test_elided_articles_are_no_part_of_a_word():
    assert index_terms("J'ai vu l'école et l’église") == ["frvu0", "frecol0", "freglis0"]
    assert "itacqua0" in index_terms("Non ho bevuto dell'acqua")


def test_accents_left_out_in_typing_part_no_word_of_a_romance_language():
    told = index_terms("El camión está en la estación con la forêt")
    assert {"escamion0", "esestacion0", "esforet0"} <= set(told)
    assert {"escamion0", "esestacion0"} <= set(index_query_terms("donde esta el camion de la estacion"))


def test_a_text_of_two_scripts_has_the_terms_of_both():
    terms = index_terms("Ich war nicht in 北京")

    assert terms == script_terms("北京")
    assert index_terms("Wir waren beim Bäcker in 北京") == [*script_terms("北京"), "deback0"]


def test_words_that_a_language_could_not_spell_have_no_term_of_it():
    assert stem_terms("дом x2 a ελιά maison", (Language.FRENCH,)) == ["frmaison0"]
    assert stem_terms("дом maison", (Language.RUSSIAN,)) == ["ruдом0"]
    assert stem_terms("w" * 101, (Language.GERMAN,)) == []


def test_a_question_that_shows_no_language_looks_in_every_language_up_to_a_bound():
    guessed = index_query_terms("Garten Häuser", most_guessed=60)

    assert {"degart0", "frgarten0", "dehaus0", "svhäus0"} <= set(guessed)
    assert len(guessed) == len(set(guessed)) == 20  # none of them Russian
    assert index_query_terms("Garten Häuser", most_guessed=12) == guessed[:12]
    assert index_query_terms("Garten Häuser", most_guessed=0) == index_query_terms("Garten Häuser") == []


def test_the_bound_of_guesses_takes_nothing_from_a_language_that_is_shown():
    question = "Wo sind meine Schlüssel?"
    assert index_query_terms(question, most_guessed=0) == index_query_terms(question) == ["deschlussel0"]
