"""Does recall find what answers the question? Public data, written and recalled through the product."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from graph_memory.bootstrap import Services
from tests.benchmarks.corpora import Case
from tests.benchmarks.loading import Stored
from tests.benchmarks.metrics import hit_at, interval_of_mean, ndcg_at, recall_at, reciprocal_rank
from tests.benchmarks.variants import Searcher, Variant

K = 20
_AT_ONCE = 4
SEED = 20
_Measure = Callable[[Sequence[str], Collection[str]], float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A question with what was recalled for it."""

    case: Case
    ranked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The measures of many questions, as means."""

    questions: int
    recall_at_5: float
    recall_at_10: float
    recall_at_20: float
    hit_at_5: float
    mrr: float
    ndcg_at_10: float
    recall_at_10_interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Cost:
    """What leaving a part out costs one measure: the mean over questions of with minus without, and its interval."""

    mean: float
    low: float
    high: float

    @property
    def pays(self) -> bool:
        """Whether the part is worth more than noise, with 95 % confidence."""
        return self.low > 0.0


async def answers(services: Services, stored: Sequence[Stored], variant: Variant) -> list[Ranked]:
    """Every question of every corpus, asked of its own user."""
    searcher, room = Searcher(services, variant), asyncio.Semaphore(_AT_ONCE)

    async def asked(owner: Stored, case: Case) -> Ranked:
        async with room:
            return Ranked(case, tuple(await searcher.ranked(owner.user_id, case.question, k=K)))

    return await asyncio.gather(*(asked(owner, case) for owner in stored for case in owner.corpus.cases))


def score(ranked: Sequence[Ranked]) -> Score:
    """The means over the questions, and where that of recall@10 lies with 95 % confidence."""
    pairs = [(each.ranked, each.case.gold) for each in ranked]
    at_10 = [recall_at(10, *pair) for pair in pairs]
    return Score(
        questions=len(pairs),
        recall_at_5=_mean([recall_at(5, *pair) for pair in pairs]),
        recall_at_10=_mean(at_10),
        recall_at_20=_mean([recall_at(20, *pair) for pair in pairs]),
        hit_at_5=_mean([hit_at(5, *pair) for pair in pairs]),
        mrr=_mean([reciprocal_rank(*pair) for pair in pairs]),
        ndcg_at_10=_mean([ndcg_at(10, *pair) for pair in pairs]),
        recall_at_10_interval=interval_of_mean(at_10, seed=SEED),
    )


def costs(whole: Sequence[Ranked], without: Sequence[Ranked]) -> dict[str, Cost]:
    """What the second lacks of the first, question by question, for each of three measures."""
    measures = {"r@5": partial(recall_at, 5), "r@10": partial(recall_at, 10), "MRR": reciprocal_rank}
    return {name: _cost(measure, whole, without) for name, measure in measures.items()}


def _cost(measure: _Measure, whole: Sequence[Ranked], without: Sequence[Ranked]) -> Cost:
    return cost_of(
        [
            measure(one.ranked, one.case.gold) - measure(other.ranked, other.case.gold)
            for one, other in zip(whole, without, strict=True)
        ]
    )


def cost_of(lost: Sequence[float]) -> Cost:
    """The mean of what each question lost, and its interval."""
    return Cost(_mean(lost), *interval_of_mean(lost, seed=SEED))


def by_kind(ranked: Sequence[Ranked]) -> dict[str, Score]:
    """The same for each kind of question."""
    kinds = sorted({each.case.kind for each in ranked})
    return {kind: score([each for each in ranked if each.case.kind == kind]) for kind in kinds}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
