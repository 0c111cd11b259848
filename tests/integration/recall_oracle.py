"""What the recall statement makes of the rows that its look-ups give, worked out again in plain Python.

Told: the parameters of the statement, the raw rows (ids and scores) of each look-up, every memory's stored facts and
all links among the memories. Not told: how the statement does it.

Source: constants.md 2.5; operations.md, Recall; ranking.md 2.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from math import expm1, log
from typing import Any

import numpy as np

from graph_memory.domain.activation import ActivationFacts
from graph_memory.domain.decay import FAR_FUTURE
from graph_memory.domain.fusion import arousal_factor, rrf, signal
from graph_memory.domain.intent import gains
from graph_memory.domain.link import Link, LinkType
from graph_memory.domain.spreading import Reached, spread
from graph_memory.domain.vocabulary import Intent, Kind, Lane, NodeId
from graph_memory.settings import Settings

Facts = Mapping[str, Mapping[str, Any]]
Params = Mapping[str, Any]

# The properties that an index can filter by: the property, the parameter, and how they are compared.
_LATER = {
    "visible_until": "visible_after",
    "expired_at": "expired_after",
    "invalid_at": "invalid_after",
    "superseded_at": "superseded_after",
    "search_tier_at": "touched_after",
}
_NOWHERE = -2.0  # sorts below every cosine
_JUST = 1e-9  # what lifts one memory above another


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """The rows of one scope's look-ups: scores by id as the indexes gave them, and whom the signal channel looks at."""

    semantic: Mapping[str, float]
    context_vector: Mapping[str, float]
    lexical: Mapping[str, float]
    context: Mapping[str, float]
    fresh: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one row of the answer should say."""

    id: str
    score: float
    cosine: float | None
    base: float
    ranks: Mapping[str, int]
    features: Mapping[str, float] | None  # None: only links found it
    activation: float = 0.0
    sequence: float = 0.0
    fused: float = 0.0
    subject: float = 1.0
    arousal: float = 0.0
    lift: float = 0.0

    def order(self) -> tuple[float, float]:
        return -self.score, -(_NOWHERE if self.cosine is None else self.cosine)


@dataclass(frozen=True, slots=True)
class Section:
    """One scope's answer, best first, with what lost."""

    hits: tuple[Told, ...]
    losers: tuple[str, ...]


@dataclass
class _Candidate:
    id: str
    found: dict[str, float] = field(default_factory=dict)  # value by channel
    ranks: dict[str, int] = field(default_factory=dict)


class Oracle:
    """Answers one question from raw rows."""

    def __init__(self, settings: Settings, params: Params, facts: Facts, links: Sequence[Link], intent: Intent) -> None:
        self._settings, self._params, self._facts, self._links = settings, params, facts, links
        self._intent = intent

    def answer(self, raws: Sequence[Raw]) -> list[Section]:
        """The sections of the answer, the overlay without what the main one shows."""
        sections = [self._section(scope, raw) for scope, raw in zip(self._params["scopes"], raws, strict=True)]
        main, *overlays = sections
        shown = {hit.id for hit in main.hits}
        return [main] + [
            Section(tuple(hit for hit in overlay.hits if hit.id not in shown)[: scope["most"]], ())
            for scope, overlay in zip(self._params["scopes"][1:], overlays, strict=True)
        ]

    def _section(self, scope: Params, raw: Raw) -> Section:
        candidates = self._candidates(scope, raw)
        if not candidates:
            return Section((), ())
        ranked = sorted(self._based(candidates), key=Told.order)
        told = sorted(self._with_drawn(self._with_links(scope, ranked)), key=Told.order)[: scope["k"]]
        return Section(tuple(told), self._losers(ranked, {hit.id for hit in told}))

    # Candidates and their ranks

    def _candidates(self, scope: Params, raw: Raw) -> list[_Candidate]:
        channels: dict[str, Mapping[str, float]] = {
            "semantic": self._nearest(raw.semantic, most=self._params["depth"]),
            "context_vector": self._nearest(raw.context_vector, most=self._params["context_depth"]),
            "lexical": {m: s for m, s in raw.lexical.items() if s > 0.0},
            "context": {m: s for m, s in raw.context.items() if s > 0.0},
            "signal": {m: value for m in raw.fresh if (value := self._signal(m)) is not None},
        }
        found: dict[str, _Candidate] = {}
        for channel, scores in channels.items():
            for memory_id, score in scores.items():
                if self._findable(memory_id, scope) and self._passes(memory_id, scope):
                    found.setdefault(memory_id, _Candidate(memory_id)).found[channel] = score
        kept = self._without_archived(list(found.values()))
        for channel in channels:
            _rank(kept, channel, most=scope["channel"])
        return _best(kept, key=self._fused)[: self._params["candidates"]]

    def _nearest(self, scores: Mapping[str, float], *, most: int) -> dict[str, float]:
        """The cosines of what lies nearest, as many as are kept."""
        cosines = {memory_id: 2.0 * score - 1.0 for memory_id, score in scores.items()}
        near = sorted(
            (each for each in cosines if cosines[each] >= self._params["semantic_floor"]), key=cosines.__getitem__
        )
        return {each: cosines[each] for each in near[::-1][:most]}

    def _fused(self, each: _Candidate) -> float:
        return rrf(each.ranks, self._params["channel_weights"], k=self._params["rrf_k"])

    def _without_archived(self, found: list[_Candidate]) -> list[_Candidate]:
        """Those in state archive only where nothing else is near by meaning or shares a word."""
        fresh = [each for each in found if self._fact(each.id, "archive_at") > bounds(self._params)["archived_after"]]
        near = self._params["last_resort_cosine"]
        answers = any("lexical" in each.found or each.found.get("semantic", _NOWHERE) >= near for each in fresh)
        return fresh if answers else found

    def _findable(self, memory_id: str, scope: Params) -> bool:
        """Whether a memory lies within what the indexes filter by."""
        facts, within = self._facts[memory_id], bounds(self._params)
        return (
            all(facts[name] > within[bound] for name, bound in _LATER.items())
            and facts["created_at"] <= within["created_until"]
            and scope["bucket_from"] <= facts["bucket"] <= scope["bucket_until"]
            and facts["lane"] in within["lanes"]
            and facts["kind"] in within["kinds"]
            and within["occurred_from"] <= facts["occurred_at"] < within["occurred_until"]
        )

    def _passes(self, memory_id: str, scope: Params) -> bool:
        """Whether a memory passes what no index filters by; names, schemas and instants have tests of their own."""
        filters, facts = self._params["filters"], self._facts[memory_id]
        assert all(filters.get(name) is None for name in ("name_keys", "schema_id", "known_at"))
        for name, fact in (("buckets", "bucket"), ("categories", "category")):
            asked = filters.get(name) if name != "buckets" or not scope["overlay"] else None
            if asked is not None and facts[fact] not in asked:
                return False
        for name in ("session_id", "agent_id"):
            if filters.get(name) is not None and facts.get(name) != filters[name]:
                return False
        return filters.get("tags") is None or bool(set(filters["tags"]) & set(facts["tags"]))

    def _signal(self, memory_id: str) -> float | None:
        recall, decay = self._settings.recall, self._settings.decay
        facts = ActivationFacts(
            stamps=tuple(self._fact(memory_id, "access_stamps")),
            encoding_factor=self._fact(memory_id, "encoding_factor"),
            decay=self._fact(memory_id, "activation_decay"),
        )
        level = self._settings.activation_curve().base_level(facts, self._params["at"])
        return signal(level, self._fact(memory_id, "confidence"), recall.signal_rules(decay))

    # Features and their sum

    def _based(self, candidates: Sequence[_Candidate]) -> list[Told]:
        subject = {each.id: self._subject(each.id) for each in candidates}
        fused = {each.id: self._fused(each) for each in candidates}
        alone = {each.id: self._fact(each.id, "context_text") is None for each in candidates}

        def value(each: _Candidate, channel: str) -> float:
            return max(0.0, each.found.get(channel, 0.0))

        text = _shares({each.id: value(each, "lexical") * subject[each.id] for each in candidates})
        vector = _shares({each.id: value(each, "semantic") * subject[each.id] for each in candidates})
        context = _shares({c.id: value(c, "lexical" if alone[c.id] else "context") for c in candidates})
        ranks = _shares(fused)
        sums = {each.id: text[each.id] + vector[each.id] for each in candidates}
        most, before = max(sums.values()) or 1.0, self._before(sums)
        best = self._best_of_session(sums)
        rows = []
        for each in candidates:
            features = {
                "vector": vector[each.id],
                "context": context[each.id],
                "ranks": ranks[each.id],
                "session_max": best[each.id] / most,
                "before": sums[before[each.id]] / most if each.id in before else 0.0,
                "before_subject": float(each.id in before and self._is_about_the_asked(before[each.id])),
                "signal": each.found.get("signal", 0.0),
                **self._stored_features(each.id),
            }
            rows.append(self._summed(each, features, fused=fused[each.id], subject=subject[each.id]))
        return rows

    def _summed(self, each: _Candidate, features: Mapping[str, float], *, fused: float, subject: float) -> Told:
        params, arousal = self._params, self._fact(each.id, "arousal")
        if params["learned"]:
            names = sorted(features)
            base = float(np.dot([features[name] for name in names], [params["weights"][name] for name in names]))
        else:
            date = params["date_factor"] if features["date"] else 1.0
            base = fused * subject * date * arousal_factor(arousal, gain=params["arousal_gain"])
        return Told(
            id=each.id,
            score=base,
            base=base,
            cosine=each.found.get("semantic"),
            ranks=each.ranks,
            features=features,
            fused=fused,
            subject=subject,
            arousal=arousal,
        )

    def _stored_features(self, memory_id: str) -> dict[str, float]:
        params, facts = self._params, self._facts[memory_id]
        names = min(3, facts["name_count"] or 0) / 3.0
        return {
            "date": float(any(day["from"] <= facts["occurred_at"] < day["until"] for day in params["days"])),
            "time": float(params["asks_when"] > 0.0 and bool(facts.get("date_texts"))),
            "is_question": float(bool(facts.get("is_question"))),
            "answers_question": float(bool(facts.get("answers_question"))),
            "length": log(1.0 + min(params["most_words"], facts["word_count"] or 0)),
            "names": names,
            "asked_names": params["asks_name"] * names,
            "heading": float(facts.get("heading_key") in params["entity_keys"]),
            "subject": float(self._is_about_the_asked(memory_id)),
            "arousal": facts["arousal"],
        }

    def _subject(self, memory_id: str) -> float:
        keys, asked = set(self._fact(memory_id, "subject_keys") or ()), set(self._params["subject_keys"])
        return self._params["subject_mismatch"] if keys and asked and not keys & asked else 1.0

    def _is_about_the_asked(self, memory_id: str) -> bool:
        return bool(set(self._fact(memory_id, "subject_keys") or ()) & set(self._params["subject_keys"]))

    def _sessions(self, ids: Iterable[str]) -> list[list[str]]:
        """Each session's as they were said; one without a session is its own."""
        sessions: dict[str, list[str]] = defaultdict(list)
        for memory_id in sorted(ids, key=lambda each: (self._fact(each, "occurred_at"), each)):
            sessions[self._fact(memory_id, "session_id") or memory_id].append(memory_id)
        return list(sessions.values())

    def _best_of_session(self, sums: Mapping[str, float]) -> dict[str, float]:
        return {each: max(sums[one] for one in members) for members in self._sessions(sums) for each in members}

    def _before(self, ids: Iterable[str]) -> dict[str, str]:
        """Of each what was found before it in its session."""
        return {later: earlier for members in self._sessions(ids) for earlier, later in pairwise(members)}

    # Links

    def _with_links(self, scope: Params, ranked: Sequence[Told]) -> list[Told]:
        """The ranked ones and those that links brought, with what activation adds."""
        reached, shares = self._reached(ranked, scope), self._shared(ranked)
        candidates = {told.id: told for told in ranked}
        brought = sorted(
            (
                memory_id
                for memory_id in {*map(str, reached), *shares}
                if self._may_be_brought(memory_id, reached.get(NodeId(memory_id)), scope, candidates)
            ),
            key=lambda each: (-_activation(reached, each), [-ord(letter) for letter in each]),
        )
        rank = {each: place for place, each in enumerate(brought, start=1) if _activation(reached, each) > 0.0}
        last = ranked[-1].base if self._params["learned"] else 0.0
        told = dict(candidates)
        for memory_id in brought:
            known = told.get(memory_id) or Told(
                id=memory_id,
                score=last,
                base=last,
                cosine=None,
                ranks={},
                features=None,
                arousal=self._fact(memory_id, "arousal"),
            )
            told[memory_id] = self._lifted(
                known,
                _activation(reached, memory_id),
                shares.get(memory_id, 0.0),
                rank.get(memory_id),
                gap=ranked[0].base - known.base,
            )
        return list(told.values())

    def _lifted(self, told: Told, activation: float, share: float, rank: int | None, *, gap: float) -> Told:
        """With what links add; in the learned sum that closes a part of the gap to the best."""
        params = self._params
        if params["learned"]:
            added = gap * -expm1(-params["weights"]["graph"] * activation / gap) if gap > 0.0 else 0.0
            score = told.base + added
        else:
            graph = {"graph": rank} if rank else {}
            added = share + rrf(graph, params["channel_weights"], k=params["rrf_k"])
            score = told.base + added * arousal_factor(told.arousal, gain=params["arousal_gain"])
        return replace(
            told,
            score=score,
            activation=activation,
            sequence=share,
            ranks={**told.ranks, **({"graph": rank} if rank else {})},
        )

    def _with_drawn(self, found: Sequence[Told]) -> list[Told]:
        """What was distilled just above the best of its sources; a source whose very words it has is left out."""
        scores = {told.id: told.score for told in found}
        best: dict[str, float] = {}
        said: set[str] = set()
        for link in self._links if self._params["lift_drawn"] else ():
            drawn, source = str(link.source), str(link.target)
            if link.type is not LinkType.DISTILLED_FROM or source not in scores:
                continue
            best[drawn] = max(scores[source], best.get(drawn, scores[source]))
            if drawn in scores and self._fact(drawn, "text") == self._fact(source, "text"):
                said.add(source)
        return [_above(told, best.get(told.id)) for told in found if told.id not in said]

    def _reached(self, ranked: Sequence[Told], scope: Params) -> Mapping[NodeId, Reached]:
        settings, best = self._settings, ranked[0].base
        chosen = ranked[: self._params["seeds"]] if best > 0.0 else ()
        rules = replace(
            settings.recall.spread_rules(settings.links),
            next_factor=settings.recall.next_factor if self._params["learned"] else 1.0,
        )
        gain = gains(self._intent, settings.recall.intent_rules())
        return spread(
            {NodeId(told.id): told.base / best for told in chosen if told.base > 0.0},
            self._links,
            gains={family: value * settings.recall.family_weights.get(family, 0.0) for family, value in gain.items()},
            rules=rules,
            closed=frozenset(NodeId(each) for each in self._facts if not self._findable(each, scope)),
        )

    def _shared(self, ranked: Sequence[Told]) -> dict[str, float]:
        """What the best pass on to their neighbours in the session: the largest share of each."""
        shares: dict[str, float] = {}
        for told in ranked[: self._params["sequence_seeds"]]:
            lifted = arousal_factor(told.arousal, gain=self._params["arousal_gain"])
            share = told.base / lifted * self._params["sequence_weight"]
            for neighbour in self._beside(told.id) if share > 0.0 else ():
                shares[neighbour] = max(share, shares.get(neighbour, 0.0))
        return shares

    def _beside(self, memory_id: str) -> Iterable[str]:
        for link in self._links:
            if link.type is LinkType.NEXT and memory_id in (link.source, link.target):
                yield link.target if link.source == memory_id else link.source

    def _may_be_brought(
        self, memory_id: str, reached: Reached | None, scope: Params, ranked: Mapping[str, Told]
    ) -> bool:
        """Whether a memory that links led to, and what its best path passed, may be shown at all."""
        if not self._findable(memory_id, scope):
            return False
        fresh = self._fact(memory_id, "archive_at") > bounds(self._params)["archived_after"]
        return memory_id in ranked or (fresh and not self._params["filtered"])

    def _losers(self, ranked: Sequence[Told], shown: set[str]) -> tuple[str, ...]:
        params = self._params
        return tuple(
            told.id
            for told in ranked
            if told.cosine is not None
            and told.cosine > params["rif_cosine"]
            and 1 <= told.ranks.get("semantic", 0) <= params["rif_scan"]
            and told.id not in shown
        )

    def _fact(self, memory_id: str, name: str) -> Any:
        return self._facts[memory_id].get(name)


def bounds(params: Params) -> Params:
    """What the indexes filter by, spelled out where the question narrows nothing."""
    at = params["at"]
    return (
        params["within"]
        if params["narrowed"]
        else {
            **dict.fromkeys(
                ("visible_after", "expired_after", "invalid_after", "superseded_after", "archived_after"), at
            ),
            "touched_after": datetime(1, 1, 1, tzinfo=UTC),
            "created_until": FAR_FUTURE,
            "lanes": list(Lane),
            "kinds": list(Kind),
            "occurred_from": datetime(1, 1, 1, tzinfo=UTC),
            "occurred_until": FAR_FUTURE,
        }
    )


def raw_overlap(
    found: Mapping[str, float], vectors: Mapping[str, Sequence[float]], asked: Sequence[float], *, pool: int
) -> float:
    """Which share of the exact nearest an index found.

    Args:
        found: score by id, as the index gave them.
        vectors: of every memory that passes the filters, unit length.
        asked: the question's vector, unit length.
        pool: how many were wanted.
    """
    ids = sorted(vectors)
    cosines = np.array([vectors[each] for each in ids]) @ np.array(asked)
    exact = {ids[place] for place in np.argsort(-cosines, kind="stable")[:pool]}
    return len(exact & set(found)) / len(exact) if exact else 1.0


def native(stored: Any) -> Any:
    """A stored value in Python's own types."""
    if isinstance(stored, list):
        return [native(each) for each in stored]
    return stored.to_native() if hasattr(stored, "to_native") else stored


def link_of(row: Mapping[str, Any], at: datetime) -> Link:
    """A link as a row of type, ends and weight tells it, and who made it."""
    return Link(
        type=LinkType(row["type"]),
        source=NodeId(row["source"]),
        target=NodeId(row["target"]),
        weight=row["weight"],
        origin=row["origin"],
        discovered=row["discovered"],
        created_at=at,
    )


def _rank(candidates: Sequence[_Candidate], channel: str, *, most: int) -> None:
    """Ranks by falling value, from 1; equals share one."""
    found = [each for each in candidates if channel in each.found]
    for each in found:
        rank = 1 + sum(other.found[channel] > each.found[channel] for other in found)
        if rank <= most:
            each.ranks[channel] = rank


def _best(candidates: Iterable[_Candidate], *, key: Callable[[_Candidate], float]) -> list[_Candidate]:
    """Best first; equal ones by id, the last first."""
    return sorted(candidates, key=lambda each: (key(each), each.id), reverse=True)


def _above(told: Told, best: float | None) -> Told:
    if best is None or best < told.score:
        return told
    return replace(told, score=best + _JUST, lift=best - told.score + _JUST)


def _shares(values: Mapping[str, float]) -> dict[str, float]:
    """Each value over the greatest; all 0 where nothing is greater than 0."""
    most = max(values.values(), default=0.0)
    return {name: value / most if most > 0.0 else 0.0 for name, value in values.items()}


def _activation(reached: Mapping[NodeId, Reached], memory_id: str) -> float:
    found = reached.get(NodeId(memory_id))
    return found.activation if found else 0.0
