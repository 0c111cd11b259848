"""How activation spreads from the best hits along links: the reference of what the recall statement computes.

A step gives child = parent · min(f, f·w·g) / fan^q: w the link's weight, g the gain of its family under the question's
intent (times a factor of their own for SIMILAR_TO, NEXT and what rules found), fan the links to other memories that the
parent has, those that a gain of 0 closes and the one that it was reached by left out, at most 10. Activation passes
from memory to memory: persons and entities, which nearly every memory refers to, are not walked through.

Of several paths to a node the strongest counts. Of a node's links the 10 strongest are walked; a link below the least
weight is not walked, an activation that is not above the floor ends the walk. A node with too many links is reached but
not expanded. A path never returns to a node that it passed, so a seed is found only by another seed.

Links are stored once and walked from both ends.

Source: constants.md 2.5, Spreading activation (Mnemosyne; Anderson 1983 for the fan); operations.md, Recall (hubs);
cases.md 38. V33.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from graph_memory.domain.intent import WALKED
from graph_memory.domain.link import Link, LinkFamily, LinkType
from graph_memory.domain.vocabulary import NodeId

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadRules:
    """The numbers of spreading (settings `recall.*` and `links.*`)."""

    seeds: int = 5
    hops: int = 2
    hop_factor: float = 0.8  # f, in (0, 1]
    fan_power: float = 0.5  # q; 0 switches the fan off
    similar_factor: float = 0.3  # on g, since SIMILAR_TO repeats what the semantic channel found
    floor_factors: Mapping[LinkFamily, float] = field(default_factory=dict)  # on g, of links that rules found; else 1
    next_factor: float = 1.0  # on g, where the neighbours in a session count by other features already
    floor: float = 0.1
    fan: int = 10
    min_weight: float = 0.1
    hub_degree: int = 500


@dataclass(frozen=True, slots=True)
class Step:
    """One step that activation took."""

    link: Link
    node_id: NodeId  # what the step reached
    gain: float
    activation: float  # of the node reached


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that activation reached, by its strongest path."""

    seed_id: NodeId
    path: tuple[Step, ...]

    @property
    def activation(self) -> float:
        return self.path[-1].activation


def spread(
    seeds: Mapping[NodeId, float],
    links: Iterable[Link],
    *,
    gains: Mapping[LinkFamily, float],
    rules: SpreadRules,
    closed: frozenset[NodeId] = frozenset(),
) -> dict[NodeId, Reached]:
    """Every node that the seeds activate, with its strongest path; of equal paths the shorter, then the first by id.

    Args:
        seeds: activation by node, in (0, 1].
        links: all links among the nodes that may be walked; those of derivation and truth are left out.
        gains: g by family, 0 closes a family.
        rules: the numbers.
        closed: nodes that are reached but not walked through, such as what was forgotten.
    """
    web = _Web(links, gains, rules, closed)
    reached: dict[NodeId, Reached] = {}
    for seed_id, activation in sorted(seeds.items()):
        for found in web.paths(seed_id, activation):
            node_id = found.path[-1].node_id
            if node_id not in reached or _order(found) < _order(reached[node_id]):
                reached[node_id] = found
    return reached


def _order(reached: Reached) -> tuple[float, int, list[str]]:
    return -reached.activation, len(reached.path), [step.link.id for step in reached.path]


class _Web:
    """Links by the nodes that they can be walked from."""

    def __init__(
        self,
        links: Iterable[Link],
        gains: Mapping[LinkFamily, float],
        rules: SpreadRules,
        closed: frozenset[NodeId],
    ) -> None:
        self._gains, self._rules, self._closed = gains, rules, closed
        self._degree: dict[NodeId, int] = defaultdict(int)
        self._open: dict[NodeId, int] = defaultdict(int)  # of the degree, what no setting closes
        self._walkable: dict[NodeId, list[Link]] = defaultdict(list)
        for link in links:
            if link.family in WALKED:
                for node_id in {link.source, link.target}:
                    self._degree[node_id] += 1
                    if self._gain(link) > 0.0:
                        self._open[node_id] += 1
                        if link.weight >= rules.min_weight - _TOLERANCE:
                            self._walkable[node_id].append(link)
        for node_id, walkable in self._walkable.items():
            walkable.sort(key=lambda link: (-self._pull(link), -link.weight, _other_end(link, node_id), link.id))

    def paths(self, seed_id: NodeId, activation: float) -> Iterator[Reached]:
        """Every path from a seed on which activation stays above the floor."""
        yield from self._from(seed_id, seed_id, activation, ())

    def _from(self, seed_id: NodeId, node_id: NodeId, activation: float, path: tuple[Step, ...]) -> Iterator[Reached]:
        if len(path) == self._rules.hops or self._degree[node_id] > self._rules.hub_degree or node_id in self._closed:
            return
        passed = {seed_id, *(step.node_id for step in path)}
        onward = [link for link in self._walkable[node_id] if not path or link.id != path[-1].link.id]
        strongest = onward[: self._rules.fan]
        fan = min(self._rules.fan, self._open[node_id] - bool(path))
        shared = activation / max(1, fan) ** self._rules.fan_power
        for link in strongest:
            child_id, child = _other_end(link, node_id), shared * self._pull(link)
            if child_id not in passed and child > self._rules.floor + _TOLERANCE:
                longer = (*path, Step(link, child_id, self._gain(link), child))
                yield Reached(seed_id, longer)
                yield from self._from(seed_id, child_id, child, longer)

    def _gain(self, link: Link) -> float:
        factors = {LinkType.SIMILAR_TO: self._rules.similar_factor, LinkType.NEXT: self._rules.next_factor}
        found = self._rules.floor_factors.get(link.family, 1.0) if link.by_floor else 1.0
        return self._gains[link.family] * factors.get(link.type, 1.0) * found

    def _pull(self, link: Link) -> float:
        """What a link passes on of a parent without fan: min(f, f·w·g)."""
        factor = self._rules.hop_factor
        return min(factor, factor * link.weight * self._gain(link))


def _other_end(link: Link, node_id: NodeId) -> NodeId:
    return link.target if link.source == node_id else link.source
