"""How far a language model's judgement of two statements is followed, by what their own words allow.

The model may see what rules cannot, that two sentences mean one thing; but it never drops, rewrites or retires anything
by its word alone. The words of a repeat must stand in what is known, in their order; a richer text must hold those of
the known one in their order, all words of the new one, and none besides; and a conflict must be one of the same subject
and attribute by words and ids. Else both statements stay.

Source: constants.md 2.3, 2.6, 2.9; cases.md 23 and the rule over all its groups.
"""

from graph_memory.domain.asked import (
    ContradictionProposal,
    CurationProposal,
    RefinementProposal,
    RefinementVerdict,
)
from graph_memory.domain.contradiction import Conflict, Side, denies, may_retire, says_no_more, winner
from graph_memory.domain.curation import CurationRules, Update, Verdict
from graph_memory.domain.grounding import counts_nothing_new, keeps_all, names_nobody_new, support
from graph_memory.domain.statement import Statement, read
from graph_memory.domain.vocabulary import Kind, WriteOperation

_ALL = 1.0 - 1e-9


def followed_curation(
    new: Statement, old: Statement, proposal: CurationProposal, rules: CurationRules
) -> Verdict | None:
    """The verdict on a new statement beside the known one that the proposal names; None: it is simply new."""
    if Kind.EPISODIC in (new.kind, old.kind) or new.kind is not old.kind:
        return None
    if proposal.operation is WriteOperation.NONE:
        known = _is_of_one_mind(new, old, rules) and _stands_in(new.text, old.text, rules)
        return Verdict(operation=WriteOperation.NONE, reason=_reason(proposal, "says it already")) if known else None
    if proposal.operation is WriteOperation.UPDATE and not proposal.replacing:
        return _followed_enrichment(new, old, proposal, rules)
    if proposal.operation in (WriteOperation.UPDATE, WriteOperation.DELETE):
        return _followed_conflict(new, old, proposal, rules)
    return None


def followed_contradiction(
    newer: Statement, older: Statement, proposal: ContradictionProposal, rules: CurationRules
) -> Conflict | None:
    """How the newer statement excludes the older, as a model says and the words allow; None: they may hold together.

    The model names same subject and same attribute, and so do the words. That the older was never true takes a denial
    in the words too.
    """
    if not (proposal.conflicts and proposal.same_subject and proposal.same_attribute):
        return None
    if not may_retire(newer, older, rules.wording):
        return None
    negates = proposal.conflict is Conflict.NEGATE and denies(
        read(newer.text, rules.wording), read(older.text, rules.wording)
    )
    return Conflict.NEGATE if negates else Conflict.REPLACE


def followed_refinement(
    said: Statement, known: Statement, proposal: RefinementProposal, rules: CurationRules
) -> str | None:
    """The text that a turn gives a labile statement; None: none.

    All words of the known statement stay, and what is new was said.
    """
    if proposal.verdict is not RefinementVerdict.REFINE or proposal.text is None:
        return None
    kept = _stands_in(known.text, proposal.text, rules) and not _stands_in(proposal.text, known.text, rules)
    drawn = _is_drawn(proposal.text, [known.text, said.text])
    return proposal.text if kept and drawn and _has_one_voice(said, known, rules) else None


def _followed_enrichment(
    new: Statement, old: Statement, proposal: CurationProposal, rules: CurationRules
) -> Verdict | None:
    merged = proposal.text
    if merged is None or new.bucket != old.bucket or not _is_of_one_mind(new, old, rules):
        return None
    both = [old.text, new.text]
    kept = _stands_in(old.text, merged, rules) and _is_drawn(new.text, [merged]) and keeps_all(merged, both)
    if not kept or not _is_drawn(merged, both):
        return None
    return Verdict(
        operation=WriteOperation.UPDATE, update=Update.ENRICHING, reason=_reason(proposal, "says the same and more")
    )


def _followed_conflict(
    new: Statement, old: Statement, proposal: CurationProposal, rules: CurationRules
) -> Verdict | None:
    if not may_retire(new, old, rules.wording):
        return None
    negates = proposal.operation is WriteOperation.DELETE
    conflict, stays = (Conflict.NEGATE if negates else Conflict.REPLACE), winner(new, old)
    reason = _reason(proposal, f"would {conflict}")
    if stays is not Side.NEW:
        return Verdict(operation=WriteOperation.ADD, conflict=conflict, winner=stays, reason=reason)
    return Verdict(
        operation=WriteOperation.DELETE if negates else WriteOperation.UPDATE,
        update=None if negates else Update.REPLACING,
        conflict=conflict,
        winner=stays,
        reason=reason,
    )


def _is_of_one_mind(new: Statement, old: Statement, rules: CurationRules) -> bool:
    """Whether one voice says both of the same subjects, and both affirm or both deny."""
    ours, theirs = read(new.text, rules.wording), read(old.text, rules.wording)
    return ours.denials == theirs.denials and new.subjects == old.subjects and _has_one_voice(new, old, rules)


def _has_one_voice(new: Statement, old: Statement, rules: CurationRules) -> bool:
    speaks_of_self = any(read(each.text, rules.wording).speaks_of_self for each in (new, old))
    return new.same_speaker(old) or not speaks_of_self


def _stands_in(text: str, whole: str, rules: CurationRules) -> bool:
    """Whether all words of a text stand in another, in their order, and deny as often."""
    part, all_of_it = read(text, rules.wording), read(whole, rules.wording)
    return part.denials == all_of_it.denials and says_no_more(part, all_of_it)


def _is_drawn(text: str, sources: list[str]) -> bool:
    """Whether every word with content stands in the sources in some form, names and numbers among them."""
    known = support(text, sources) >= _ALL
    return known and names_nobody_new(text, sources) and counts_nothing_new(text, sources)


def _reason(proposal: CurationProposal, otherwise: str) -> str:
    return f"the model and the words agree: {proposal.reason or otherwise}"
