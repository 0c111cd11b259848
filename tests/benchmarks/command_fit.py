"""`fit`: the weights of the learned sum, each conversation scored with weights fitted on the others."""

import argparse
from collections.abc import Sequence

import numpy as np

from graph_memory.bootstrap import open_services
from graph_memory.settings import Settings
from tests.benchmarks import corpora
from tests.benchmarks.fit import GRAPH, Array, Candidates, candidates_of, fit
from tests.benchmarks.loading import erase, store
from tests.benchmarks.quality import Ranked, answers, costs, score
from tests.benchmarks.tables import cost_table, figures_table, score_table, show, write_json
from tests.benchmarks.variants import Variant, with_features

_BY_HAND = ("heading", GRAPH)  # what these conversations cannot tell


async def run_fit(settings: Settings, arguments: argparse.Namespace) -> None:
    """Loads, fits, prints; the weights go into the settings by hand."""
    left_out = {*_BY_HAND, *arguments.drop}
    names = [name for name, weight in settings.recall.feature_weights.items() if weight and name not in left_out]
    async with open_services(settings) as services:
        stored = await store(services, corpora.locomo(), reuse=arguments.reuse)
        folds = await candidates_of(services, settings, stored, names)
        penalty = arguments.penalties[0]
        in_product = [
            answer
            for owner, weights in zip(stored, _of_the_others(folds, penalty=penalty), strict=True)
            for answer in await answers(services, [owner], Variant("", with_features(settings, _named(names, weights))))
        ]
        if not arguments.keep:
            await erase(services, [each.user_id for each in stored])
    ranked = {
        f"held out, penalty {penalty:g}": _held_out(folds, penalty=penalty, without=())
        for penalty in arguments.penalties
    }
    whole = next(iter(ranked.values()))
    for place, name in enumerate(names):
        ranked[f"without {name}"] = _held_out(folds, penalty=penalty, without=(place,))
    scores = {name: score(each) for name, each in ranked.items()}
    lost = {name: costs(whole, each) for name, each in ranked.items() if each is not whole}
    weights = fit([each for fold in folds for each in fold], penalty=penalty)
    show(
        score_table("each conversation with weights of the others, in the product", "", {"all": score(in_product)}),
        score_table("the same, of every candidate, links left out", "features", scores),
        cost_table("what is lost against the first row", "features", lost),
        figures_table(
            "fitted on all", ["feature", "weight"], [[n, f"{w:.2f}"] for n, w in zip(names, weights, strict=True)]
        ),
    )
    write_json(
        arguments.json,
        {
            "in product": score(in_product),
            "scores": scores,
            "costs": lost,
            "weights": _named(names, weights),
        },
    )


def _of_the_others(folds: Sequence[Sequence[Candidates]], *, penalty: float) -> list[Array]:
    """For each conversation the weights that the others give."""
    others = ([each for other in folds if other is not fold for each in other] for fold in folds)
    return [fit(each, penalty=penalty) for each in others]


def _named(names: Sequence[str], weights: Array) -> dict[str, float]:
    return dict(zip(names, map(float, weights), strict=True))


def _held_out(folds: Sequence[Sequence[Candidates]], *, penalty: float, without: tuple[int, ...]) -> list[Ranked]:
    weights = _of_the_others([[_less(each, without) for each in fold] for fold in folds], penalty=penalty)
    return [
        Ranked(each.case, each.ranked(_spread_out(own, without)))
        for fold, own in zip(folds, weights, strict=True)
        for each in fold
    ]


def _less(each: Candidates, without: tuple[int, ...]) -> Candidates:
    kept = [place for place in range(each.features.shape[1]) if place not in without]
    return Candidates(each.case, each.ids, each.features[:, kept], each.evidence)


def _spread_out(weights: Array, without: tuple[int, ...]) -> Array:
    """Weights with 0 put back where a feature was left out."""
    full = weights
    for place in sorted(without):
        full = np.insert(full, place, 0.0)
    return full
