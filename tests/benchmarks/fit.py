"""The learned sum of recall: features from the product's own statement, weights by a list-wise softmax.

For each question the statement gives every candidate that it looks at, with its features. The weights make the evidence
likely among them: the mean over questions of -log softmax(sum) of the evidence, evidence weighing alike, plus an L2
penalty; missed evidence is not added. Conversations are folds: each is scored with weights fitted on the others.

Source: ranking.md 1 (list-wise loss), 3 (one set of weights for everybody).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graph_memory.bootstrap import Services
from graph_memory.domain.vocabulary import UserId
from graph_memory.services.recall import Question
from graph_memory.settings import Settings
from graph_memory.stores.recall import Neo4jRecallStore, named_hits
from tests.benchmarks.corpora import Case
from tests.benchmarks.loading import Stored

Array = npt.NDArray[np.float64]
GRAPH = "graph"
_ASKED = 10  # rows: the candidates are those of an answer of so many
_EVERY = 1_000  # rows
_STEPS = 50
_TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the statement found for one question."""

    case: Case
    ids: tuple[str, ...]
    features: Array  # shape (candidates, features)
    evidence: Array  # shape (candidates,), 1.0 where it is gold

    def ranked(self, weights: Array) -> tuple[str, ...]:
        """The ids, best first."""
        order = np.argsort(-(self.features @ weights), kind="stable")
        return tuple(self.ids[place] for place in order)


async def candidates_of(
    services: Services, settings: Settings, stored: Sequence[Stored], names: Sequence[str]
) -> list[list[Candidates]]:
    """The candidates of each question, by corpus; those that only links reach have no features and are left out."""
    store = Neo4jRecallStore(services.connection, settings)
    return [
        [await _candidates(services, store, owner.user_id, case, names) for case in owner.corpus.cases]
        for owner in stored
    ]


async def _candidates(
    services: Services, store: Neo4jRecallStore, user_id: UserId, case: Case, names: Sequence[str]
) -> Candidates:
    query = await services.recall.analysed(user_id, Question(query=case.question, k=_ASKED, general=False))
    params = store.params(user_id, query, at=services.clock.now())
    every = [{**scope, "k": _EVERY} for scope in params["scopes"]]
    found = await services.connection.run("recall/recall", **{**params, "scopes": every})
    rows = [hit for each in found for hit in named_hits(each) if hit["features"] is not None]
    ids = tuple(row["memory"]["external_id"] for row in rows)
    values = [[{**row["features"], GRAPH: row["activation"]}[name] for name in names] for row in rows]
    return Candidates(
        case,
        ids,
        np.array(values, dtype=np.float64).reshape(len(rows), len(names)),
        np.array([float(identifier in case.gold) for identifier in ids]),
    )


def fit(questions: Sequence[Candidates], *, penalty: float) -> Array:
    """The weights with the least loss, by Newton's method; shape (features,)."""
    told = [each for each in questions if each.evidence.any()]
    weights = np.zeros(told[0].features.shape[1])
    loss, gradient, curvature = _loss(told, weights, penalty)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, gradient)
        scale = 1.0
        while _loss_only(told, weights - scale * step, penalty) > loss and scale > _TOLERANCE:
            scale /= 2.0
        weights = weights - scale * step
        before = loss
        loss, gradient, curvature = _loss(told, weights, penalty)
        if before - loss < _TOLERANCE:
            break
    return weights


def _loss_only(questions: Sequence[Candidates], weights: Array, penalty: float) -> float:
    return float(np.mean([_share(each, weights)[0] for each in questions]) + penalty * weights @ weights)


def _loss(questions: Sequence[Candidates], weights: Array, penalty: float) -> tuple[float, Array, Array]:
    size = len(weights)
    loss, gradient, curvature = penalty * weights @ weights, 2.0 * penalty * weights, 2.0 * penalty * np.eye(size)
    for each in questions:
        own, chance = _share(each, weights)
        mean = each.features.T @ chance
        loss += own / len(questions)
        gradient = gradient + (mean - each.features.T @ (each.evidence / each.evidence.sum())) / len(questions)
        spread = (each.features * chance[:, None]).T @ each.features - np.outer(mean, mean)
        curvature = curvature + spread / len(questions)
    return float(loss), gradient, curvature


def _share(each: Candidates, weights: Array) -> tuple[float, Array]:
    """The loss of one question, and the chance of each candidate."""
    scores = each.features @ weights
    scores = scores - scores.max()
    log_total = np.log(np.exp(scores).sum())
    evidence = each.evidence / each.evidence.sum()
    return float(-(evidence @ (scores - log_total))), np.exp(scores - log_total)
