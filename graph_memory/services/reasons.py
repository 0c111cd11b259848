"""Why a hit was found, as one line for people."""

from graph_memory.domain.vocabulary import Channel
from graph_memory.ports import Hit

# Each channel as a phrase, in the order in which a line names them.
FOUND_BY = {
    Channel.SEMANTIC: "by meaning",
    Channel.LEXICAL: "by words",
    Channel.CONTEXT_VECTOR: "by the meaning of its surroundings",
    Channel.CONTEXT: "by the words around it",
    Channel.SIGNAL: "by readiness",
    Channel.GRAPH: "by links",
}
# Parts of a score whose names alone would not say what they are.
_PHRASES = {"before": "what it follows", "before_subject": "following the person asked for"}


def reason(hit: Hit) -> str:
    """Its place in each list that found it, then what raised or lowered it most, then the links that led to it."""
    ranks = [f"no. {hit.ranks[channel]} {phrase}" for channel, phrase in FOUND_BY.items() if channel in hit.ranks]
    return ", ".join([*ranks, *_strongest(hit), *_way(hit)]) or "found by nothing in particular"


def _strongest(hit: Hit) -> list[str]:
    """The largest addend, and the largest that takes away."""
    raising = max(hit.parts, key=lambda part: part.contribution, default=None)
    lowering = min(hit.parts, key=lambda part: part.contribution, default=None)
    said = []
    if raising is not None and raising.contribution > 0.0:
        said.append(f"most from {_words(raising.name)} (+ {raising.contribution:.3f})")
    if lowering is not None and lowering.contribution < 0.0:
        said.append(f"less for {_words(lowering.name)} (- {-lowering.contribution:.3f})")
    return said


def _way(hit: Hit) -> list[str]:
    if not hit.path:
        return []
    steps = " then ".join(f"{step.link_type} ({step.reason})" if step.reason else step.link_type for step in hit.path)
    return [f"reached over {steps} (activation {hit.path[-1].activation:.2f})"]


def _words(name: str) -> str:
    return _PHRASES.get(name, name.replace("_", " "))
