"""`forgetting`: how well retention foretells whether a person still remembers, on one person's review log.

Each card of the log is a memory that is created by its first review and used by every later one. Before a review,
retention R = 1 / (1 + t / (H·S(n))) is what the product would say: t since the last use, n the uses at least 12 hours
after the one before. What came true is the answer given: "again" is forgotten, any other is recalled.

The log knows outcomes, the product only uses. How a failed review counts is therefore an assumption, and three are
measured: as a use like any other (the product as it is), as a use that raises no stability, and as a new beginning.

Run with the reference model at hand: `pip install fsrs==6.3.2`, then `python -m tests.benchmarks.forgetting`.
"""

import argparse
import asyncio
import csv
import importlib
import importlib.metadata
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.decay import StrengthFacts, hours_between, stability
from graph_memory.settings import Settings
from tests.benchmarks.corpora import data_folder
from tests.benchmarks.tables import figures_table, show, write_json

Floats = npt.NDArray[np.float64]

_SURE = 0.001  # a forecast is kept within 0.001..0.999, so that one surprise does not outweigh all else
_A_DAY = 24.0
_GAPS = (0.0, 1.0, 12.0, 24.0, 72.0, 240.0, 720.0, math.inf)  # hours
_AGAIN = 1
_RESAMPLES = 2_000


class Lapse(StrEnum):
    """What a failed review is to the memory."""

    USE = "a use like any other"
    UNSPACED = "a use that raises no stability"
    BEGINNING = "a new beginning"


@dataclass(frozen=True, slots=True)
class Review:
    """One line of the log."""

    card: str
    rating: int
    at: datetime

    @property
    def recalled(self) -> bool:
        return self.rating > _AGAIN


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is known of a memory right before a review."""

    facts: StrengthFacts
    activation: ActivationFacts
    elapsed_hours: float


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of the stability curve."""

    gain: float
    power: float
    half_life_hours: float


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a forecast is. Log-loss: nats a review, smaller is better. AUC: 0.5 is chance, 1 is perfect."""

    reviews: int
    log_loss: float
    auc: float
    mean_forecast: float


def review_log(path: Path | None = None) -> list[Review]:
    """The log, card by card in the order of time."""
    path = path or data_folder() / "forgetting" / "fsrs_review_log_one_user.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines)
        reviews = [
            Review(row["card_id"], int(row["review_rating"]), datetime.fromisoformat(row["review_time"]))
            for row in rows
        ]
    return sorted(reviews, key=lambda review: (review.card, review.at))


def by_card(reviews: Iterable[Review]) -> list[list[Review]]:
    """The reviews of each card."""
    return [list(group) for _, group in groupby(reviews, key=lambda review: review.card)]


def expectations(card: Sequence[Review], lapse: Lapse, settings: Settings) -> list[Expectation]:
    """What is known before every review of a card but the first."""
    first, *later = card
    log, spaced, expected = [first.at], 0, []
    for review in later:
        elapsed = hours_between(log[-1], review.at)
        facts = StrengthFacts(base_strength=1.0, anchor_at=log[-1], spaced_access_count=spaced)
        stamps = ActivationFacts(stamps=(log[0], *log[1:][-(settings.decay.max_stamps - 1) :]))
        expected.append(Expectation(facts, stamps, elapsed))
        if review.at - log[-1] < timedelta(seconds=settings.decay.stamp_merge_seconds):
            continue  # within a minute it is the same use
        log.append(review.at)
        spaced = _spaced_after(spaced, review, elapsed, lapse, settings)
    return expected


def _spaced_after(spaced: int, review: Review, elapsed: float, lapse: Lapse, settings: Settings) -> int:
    if not review.recalled and lapse is Lapse.BEGINNING:
        return 0
    if not review.recalled and lapse is Lapse.UNSPACED:
        return spaced
    return spaced + (elapsed >= settings.decay.spacing_gap_hours)


def forecasts(elapsed: Floats, spaced: Floats, constants: Constants) -> Floats:
    """Retention for many reviews at once; equal to `StrengthCurve.retention` for arousal 0."""
    stretched = constants.half_life_hours * (1.0 + constants.gain * spaced**constants.power)
    return 1.0 / (1.0 + elapsed / stretched)


def quality(forecast: Floats, recalled: Floats) -> Quality:
    """Log-loss and AUC of a forecast."""
    loss = float(losses(forecast, recalled).mean())
    return Quality(len(recalled), loss, area_under_curve(forecast, recalled), float(np.mean(forecast)))


def losses(forecast: Floats, recalled: Floats) -> Floats:
    """What each review adds to the log-loss."""
    sure = np.clip(forecast, _SURE, 1.0 - _SURE)
    return -(recalled * np.log(sure) + (1.0 - recalled) * np.log(1.0 - sure))


def area_under_curve(forecast: Floats, recalled: Floats) -> float:
    """How often a recalled review had the higher forecast than a forgotten one; a tie counts half (Mann-Whitney)."""
    _, place, count = np.unique(forecast, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2.0)[place]
    hits = float(recalled.sum())
    misses = len(recalled) - hits
    return float((ranks[recalled == 1].sum() - hits * (hits + 1) / 2) / (hits * misses))


def fitted(start: Constants, free: Sequence[str], loss: Callable[[Constants], float]) -> Constants:
    """The constants with the least loss, by steps up and down in the logarithm of each free one, halved at the end."""
    best, least, step = start, loss(start), 0.7
    while step > 0.002:
        tries = [
            replace(best, **{name: getattr(best, name) * math.exp(way * step)}) for name in free for way in (-1, 1)
        ]
        found = min(tries, key=loss)
        if (value := loss(found)) < least - 1e-12:
            best, least = found, value
        else:
            step /= 2
    return best


def fsrs_forecasts(cards: Iterable[Sequence[Review]]) -> Floats | None:
    """What FSRS with its default parameters expects before every review but the first; None without FSRS."""
    try:
        fsrs = importlib.import_module("fsrs")
    except ModuleNotFoundError:
        return None
    scheduler = fsrs.Scheduler(enable_fuzzing=False)
    expected = []
    for first, *later in cards:
        state, _ = scheduler.review_card(fsrs.Card(card_id=1), fsrs.Rating(first.rating), first.at)
        for review in later:
            expected.append(scheduler.get_card_retrievability(state, review.at))
            state, _ = scheduler.review_card(state, fsrs.Rating(review.rating), review.at)
    return np.array(expected)


class _Trial:
    """The log as arrays, one entry a review that has one before it, and the forecasts made of it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.cards = by_card(review_log())
        self.recalled = np.array([review.recalled for card in self.cards for review in card[1:]], dtype=np.float64)
        self.card = np.array([index for index, card in enumerate(self.cards) for _ in card[1:]])
        self.half = self.card % 2
        self._expected = {lapse: self._expect(lapse) for lapse in Lapse}
        self.elapsed = np.array([each.elapsed_hours for each in self._expected[Lapse.USE]])
        self.later = self.elapsed >= _A_DAY  # same-day repeats are drill, and FSRS counts whole days
        decay = settings.decay
        self.defaults = Constants(decay.stability_gain, decay.stability_power, decay.half_life_hours)

    def _expect(self, lapse: Lapse) -> list[Expectation]:
        return [each for card in self.cards for each in expectations(card, lapse, self._settings)]

    def retention(self, lapse: Lapse) -> Floats:
        """As the product computes it."""
        curve = self._settings.strength_curve()
        moments = [review.at for card in self.cards for review in card[1:]]
        pairs = zip(self._expected[lapse], moments, strict=True)
        return np.array([curve.retention(each.facts, at) for each, at in pairs])

    def activation(self) -> Floats:
        """Base-level activation as the product computes it; no probability, so only its order counts."""
        curve = self._settings.activation_curve()
        moments = [review.at for card in self.cards for review in card[1:]]
        pairs = zip(self._expected[Lapse.USE], moments, strict=True)
        return np.array([curve.base_level(each.activation, at) for each, at in pairs])

    def with_constants(self, lapse: Lapse, constants: Constants) -> Floats:
        spaced = np.array([each.facts.spaced_access_count for each in self._expected[lapse]], dtype=np.float64)
        return forecasts(self.elapsed, spaced, constants)

    def constants_fitted(self, lapse: Lapse, free: Sequence[str], chosen: npt.NDArray[np.bool_]) -> Constants:
        spaced = np.array([each.facts.spaced_access_count for each in self._expected[lapse]], dtype=np.float64)[chosen]
        elapsed, recalled = self.elapsed[chosen], self.recalled[chosen]
        return fitted(self.defaults, free, lambda c: quality(forecasts(elapsed, spaced, c), recalled).log_loss)

    def cross_fitted(self, lapse: Lapse, free: Sequence[str]) -> Floats:
        """Forecasts for each half of the cards with the constants fitted on the other half."""
        forecast = np.empty_like(self.elapsed)
        for half in (0, 1):
            constants = self.constants_fitted(lapse, free, self.later & (self.half != half))
            forecast[self.half == half] = self.with_constants(lapse, constants)[self.half == half]
        return forecast

    def over_constant(self, forecast: Floats) -> tuple[float, float]:
        """Where the log-loss less that of the constant lies in 95 of 100 draws of cards, for later reviews."""
        constant = np.full_like(forecast, self.recalled[self.later].mean())
        more = np.where(self.later, losses(forecast, self.recalled) - losses(constant, self.recalled), 0.0)
        by_card = np.bincount(self.card, more, len(self.cards))
        reviews = np.bincount(self.card, self.later.astype(np.float64), len(self.cards))
        drawn = np.random.default_rng(0).integers(0, len(self.cards), (_RESAMPLES, len(self.cards)))
        low, high = np.quantile(by_card[drawn].sum(axis=1) / reviews[drawn].sum(axis=1), [0.025, 0.975])
        return float(low), float(high)


_FREE = {
    "gain, power": ("gain", "power"),
    "half-life": ("half_life_hours",),
    "gain, power, half-life": ("gain", "power", "half_life_hours"),
}


async def run_forgetting(settings: Settings, arguments: argparse.Namespace) -> None:
    """Measures, fits, prints."""
    trial = _Trial(settings)
    found = _forecasts(trial)
    rows = {name: _qualities(trial, forecast) for name, forecast in found.items()}
    over = {name: trial.over_constant(forecast) for name, forecast in found.items() if not _order_only(name)}
    constants = {
        f"{lapse}; {name}": trial.constants_fitted(lapse, free, trial.later)
        for lapse in Lapse
        for name, free in _FREE.items()
    }
    gaps = _by_gap(trial)
    show(_quality_table(rows, over), _constants_table(trial.defaults, constants), _gap_table(gaps))
    result = {name: [asdict(each) for each in both] for name, both in rows.items()}
    write_json(
        arguments.json,
        {"quality": result, "over_constant": over, "constants": constants, "gaps": gaps, "fsrs": _fsrs_version()},
    )


def _forecasts(trial: _Trial) -> dict[str, Floats]:
    """Every forecast measured, by name."""
    found = {"constant: share recalled": np.full_like(trial.elapsed, trial.recalled[trial.later].mean())}
    found |= {f"retention; a lapse is {lapse}": trial.retention(lapse) for lapse in Lapse}
    for lapse in Lapse:
        found |= {f"fitted {name}; a lapse is {lapse}": trial.cross_fitted(lapse, free) for name, free in _FREE.items()}
    found["activation B (order only)"] = trial.activation()
    reference = fsrs_forecasts(trial.cards)
    if reference is not None:
        found[f"FSRS {_fsrs_version()}, default parameters"] = reference
    return found


def _qualities(trial: _Trial, forecast: Floats) -> tuple[Quality, Quality]:
    """Over the reviews a day or more after the last, and over all."""
    return quality(forecast[trial.later], trial.recalled[trial.later]), quality(forecast, trial.recalled)


def _by_gap(trial: _Trial) -> list[tuple[str, int, float, float]]:
    """For each range of gaps: reviews, share recalled, mean retention."""
    retention, rows = trial.retention(Lapse.USE), []
    for low, high in pairwise(_GAPS):
        inside = (trial.elapsed >= low) & (trial.elapsed < high)
        name = f"{low:g} h and more" if math.isinf(high) else f"{low:g} to {high:g} h"
        rows.append((name, int(inside.sum()), float(trial.recalled[inside].mean()), float(retention[inside].mean())))
    return rows


def _order_only(name: str) -> bool:
    return name.endswith("(order only)")


def _quality_table(rows: dict[str, tuple[Quality, Quality]], over: dict[str, tuple[float, float]]) -> Any:
    cells = []
    for name, (later, every) in rows.items():
        losses_shown = ["–"] * 4
        if not _order_only(name):
            low, high = over[name]
            losses_shown = [f"{later.log_loss:.4f}", f"{low:+.3f}, {high:+.3f}", f"{later.mean_forecast:.3f}"]
            losses_shown.append(f"{every.log_loss:.4f}")
        loss, interval, mean, loss_of_all = losses_shown
        cells.append((name, loss, interval, f"{later.auc:.3f}", mean, loss_of_all, f"{every.auc:.3f}"))
    later, every = next(iter(rows.values()))
    title = f"{later.reviews} reviews a day or more after the last one; all: {every.reviews}"
    columns = ("forecast", "log-loss", "less the constant's", "AUC", "mean", "log-loss, all", "AUC, all")
    return figures_table(title, columns, cells)


def _constants_table(defaults: Constants, fits: dict[str, Constants]) -> Any:
    every = {"defaults": defaults, **fits}
    cells = [
        (name, f"{each.gain:.3f}", f"{each.power:.3f}", f"{each.half_life_hours:.0f}", f"{_stretch(each):.2f}")
        for name, each in every.items()
    ]
    return figures_table("Constants fitted on all cards", ("a lapse is; free", "gain", "power", "H, h", "S(5)"), cells)


def _stretch(constants: Constants) -> float:
    return stability(5, gain=constants.gain, power=constants.power)


def _gap_table(rows: list[tuple[str, int, float, float]]) -> Any:
    cells = [(name, str(count), f"{share:.3f}", f"{mean:.3f}") for name, count, share, mean in rows]
    return figures_table("By the time since the last review", ("gap", "reviews", "recalled", "retention"), cells)


def _fsrs_version() -> str | None:
    try:
        return importlib.metadata.version("fsrs")
    except importlib.metadata.PackageNotFoundError:
        return None


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.forgetting", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    asyncio.run(run_forgetting(Settings.from_environment(), parser.parse_args()))


if __name__ == "__main__":
    main()
