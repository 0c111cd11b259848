"""How memories, names and owners are told apart: hashes and keys made from what they say."""

import hashlib
import unicodedata
from datetime import date, datetime

from graph_memory.domain.text import normalised
from graph_memory.domain.vocabulary import Kind, Lane, UserId

_SEPARATOR = "\x1f"  # stands in no valid field, so that no two lists of fields give one text


def content_hash(
    user_id: UserId,
    *,
    bucket: str,
    lane: Lane,
    kind: Kind,
    text: str,
    speaker: str | None = None,
    occurred_at: datetime | None = None,
) -> str:
    """SHA-256 over what makes a memory the same one again; for episodes also who spoke and when.

    Source: operations.md, identity.
    """
    parts = [user_id, bucket, lane, kind, normalised(text)]
    if kind is Kind.EPISODIC:
        parts += [name_key(speaker or ""), occurred_at.isoformat() if occurred_at else ""]
    return _digest(parts)


def text_hash(user_id: UserId, text: str) -> str:
    """SHA-256 over user and text alone: what a tombstone remembers of an erased memory."""
    return _digest([user_id, normalised(text)])


def usage_id(user_id: UserId, day: date, question: str, model: str) -> str:
    """SHA-256 over what makes one row of the ledger of model calls."""
    return _digest([user_id, day.isoformat(), question, model])


def item_key(turn_id: str, sort: str, text: str) -> str:
    """The key of one thing that was drawn from a turn: the same whenever it is drawn again."""
    return f"drawn:{turn_id}:{_digest([sort, normalised(text)])[:24]}"


def retelling_id(user_id: UserId, idempotency_key: str) -> str:
    """The id under which it is kept that a keyed statement was known already, so that it counts once."""
    return f"said:{_digest([user_id, idempotency_key])}"


def evidence_id(user_id: UserId, idempotency_key: str) -> str:
    """The id of a keyed piece of evidence: the same whenever it is given again."""
    return f"key:{_digest([user_id, idempotency_key])[:32]}"


def tidy_name(name: str) -> str:
    """A name or label as it is shown and stored: NFC, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def name_key(name: str) -> str:
    """The form in which two spellings of a name are one: NFKC, case-folded, blanks collapsed."""
    return normalised(name)


def scope_token(scope: str, *parts: str) -> str:
    """One letter and digits that stand for an owner, or for a bucket of an owner, in the full-text index.

    Digits alone survive every analyser; equality is still checked after the search, so a clash costs nothing.
    """
    number = int.from_bytes(hashlib.sha256(_SEPARATOR.join(parts).encode()).digest()[:8], "big")
    return f"{scope}{number}"


def _digest(parts: list[str]) -> str:
    return hashlib.sha256(_SEPARATOR.join(parts).encode()).hexdigest()
