"""Lucene queries from plain words: whatever a person types is only ever words to look for."""

from collections.abc import Sequence

from graph_memory.domain.identity import scope_token
from graph_memory.domain.vocabulary import UserId

_OWNER, _BUCKET = "k", "b"
_NOTHING = "search_scope:none"  # a query that finds nothing, for questions without words


def search_scope(user_id: UserId, bucket: str) -> str:
    """The tokens of the index that say whose a memory is and in which bucket it lies."""
    return f"{owner_scope(user_id)} {scope_token(_BUCKET, user_id, bucket)}"


def owner_scope(user_id: UserId) -> str:
    """The token of the index that says whose an episode or a turn is."""
    return scope_token(_OWNER, user_id)


def lucene_query(
    user_id: UserId,
    *,
    field: str,
    terms_field: str,
    words: Sequence[str],
    index_terms: Sequence[str],
    buckets: Sequence[str] | None = None,
) -> str:
    """Any of the words in the fields, within the owner's memories; the owner weighs nothing.

    Args:
        words: plain words in lower case, letters, digits, points and apostrophes only.
        index_terms: what `index_query_terms` made.
        buckets: any of these; None: all.
    """
    wanted = []
    if words:
        wanted.append(f"{field}:({' '.join(_escaped(word) for word in words)})")
    if index_terms:
        wanted.append(f"{terms_field}:({' '.join(index_terms)})")
    if not wanted:
        return _NOTHING
    scope = f"+search_scope:{scope_token(_OWNER, user_id)}^0"
    if buckets is not None:
        tokens = " ".join(scope_token(_BUCKET, user_id, bucket) for bucket in buckets)
        scope += f" +search_scope:({tokens})^0"
    return f"{scope} +({' '.join(wanted)})"


def _escaped(word: str) -> str:
    """Words hold no operator but by accident of a script; lower case keeps AND, OR, NOT words."""
    return "".join(character if character.isalnum() or character == "_" else f"\\{character}" for character in word)
