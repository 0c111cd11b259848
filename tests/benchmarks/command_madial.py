"""`madial`: does the memory that fits a situation and its mood come back? Without and with the emotional links."""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graph_memory.bootstrap import Services, open_services
from graph_memory.domain.link import FAMILY, LinkFamily, LinkType
from graph_memory.domain.vocabulary import Intent
from graph_memory.settings import Settings
from tests.benchmarks.loading import Stored, erase, every_memory, find_links, store
from tests.benchmarks.madial import Madial, Situation, madial
from tests.benchmarks.quality import answers, by_kind, costs, score
from tests.benchmarks.tables import cost_table, figures_table, score_table, show, write_json
from tests.benchmarks.variants import Variant, without_feature

_PLEASANT = frozenset({"happy", "anticipation"})
_UNPLEASANT = frozenset({"anxious", "disappointed", "sad", "angry", "fear", "frustrated"})


async def run_madial(settings: Settings, arguments: argparse.Namespace) -> None:
    """For each language: stores each child's memories, asks with each situation, prints."""
    async with open_services(settings) as services:
        result: dict[str, Any] = {"embedder": services.embedder.name, "server": services.connection.server_version}
        for told in madial():
            stored = await store(services, told.corpora(Situation.SAID), reuse=arguments.reuse)
            await find_links(services, [each.user_id for each in stored])
            result[told.language] = await _measured(services, told, stored)
            if not arguments.keep:
                await erase(services, [each.user_id for each in stored])
        write_json(arguments.json, result)


async def _measured(services: Services, told: Madial, stored: list[Stored]) -> dict[str, Any]:
    product, *others = _variants(services.settings)
    asked = {situation: _asking(told, stored, situation) for situation in Situation}
    situations = {situation: await answers(services, owners, product) for situation, owners in asked.items()}
    as_it_is = situations[Situation.SAID]
    moods = {"all": score(as_it_is), **by_kind(as_it_is)}
    switches = {variant.name: await answers(services, stored, variant) for variant in others}
    lost = {name: costs(as_it_is, changed) for name, changed in switches.items()}
    links, readings = await _links(services, stored), await _readings(services, told, stored)
    title = f"MADial-Bench, {told.language}, {len(told.memories)} memories"
    scored_situations = {str(situation): score(ranked) for situation, ranked in situations.items()}
    scored_switches = {"all": moods["all"], **{name: score(ranked) for name, ranked in switches.items()}}
    show(
        score_table(f"{title}: asked with", "situation", scored_situations),
        score_table(f"{title}: by mood of the memory", "mood", moods),
        score_table(f"{title}: one switch at a time", "switch", scored_switches),
        cost_table(f"{title}: what each switch costs", "switch", lost),
        figures_table("Links found", ("type", "links"), [(name, str(count)) for name, count in links.items()]),
        figures_table("Valence read with the right sign", ("mood", "share"), _reading_rows(readings)),
    )
    return {
        "situations": scored_situations,
        "moods": moods,
        "switches": scored_switches,
        "costs": lost,
        "links": links,
        "readings": readings,
    }


def _variants(settings: Settings) -> list[Variant]:
    """The product, and what mood adds to it: its links walked, or the question read as one of feeling."""
    with_emotional_links = _with_emotional_links(settings)
    return [
        Variant("all", settings),
        Variant("with emotional links", with_emotional_links),
        Variant("asked as a question of feeling", settings, intent=Intent.EMOTION),
        Variant("the same with emotional links", with_emotional_links, intent=Intent.EMOTION),
        Variant("without arousal", without_feature(settings, "arousal")),
        Variant("without any links", _without_links(settings)),
    ]


def _with_emotional_links(settings: Settings) -> Settings:
    """The settings with the links walked that rules found between like and contrary moods."""
    weights = {**settings.recall.floor_weights, LinkFamily.EMOTIONAL: 1.0}
    return replace(settings, recall=replace(settings.recall, floor_weights=weights))


def _without_links(settings: Settings) -> Settings:
    weights = dict.fromkeys(settings.recall.family_weights, 0.0)
    return replace(settings, recall=replace(settings.recall, family_weights=weights))


def _asking(told: Madial, stored: Sequence[Stored], situation: Situation) -> list[Stored]:
    """The same users, asked with that much of the dialogue."""
    return [Stored(corpus, owner.user_id) for corpus, owner in zip(told.corpora(situation), stored, strict=True)]


async def _links(services: Services, stored: Sequence[Stored]) -> dict[str, int]:
    """How many links of each associative type the children's memories have."""
    counted: Counter[str] = Counter()
    for owner in stored:
        counted.update((await services.inspect.stats(owner.user_id)).links)
    truth = (LinkFamily.DERIVATION, LinkFamily.TRUTH)
    return {str(kind): counted[kind] for kind in LinkType if FAMILY[kind] not in truth and counted[kind]}


async def _readings(services: Services, told: Madial, stored: Sequence[Stored]) -> dict[str, tuple[int, int]]:
    """Of the memories of each mood, how many were read with the right sign of valence, and how many there are."""
    read: dict[str, tuple[int, int]] = {}
    for owner in stored:
        async for memory in every_memory(services, owner.user_id):
            mood = told.moods[memory.external_id or ""]
            if mood in _PLEASANT | _UNPLEASANT:
                right, count = read.get(mood, (0, 0))
                read[mood] = right + ((memory.emotion.valence > 0) is (mood in _PLEASANT)), count + 1
    return read


def _reading_rows(readings: dict[str, tuple[int, int]]) -> list[tuple[str, str]]:
    return [(mood, f"{right} of {count}") for mood, (right, count) in sorted(readings.items())]
