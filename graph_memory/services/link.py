"""Link: join two nodes by hand, or part them (constants.md 2.4)."""

from graph_memory.domain.change import Action, Change
from graph_memory.domain.draft import Limits, reason_problems
from graph_memory.domain.link import ACYCLIC, SYSTEM_ONLY, Link, LinkType, parse_link_id
from graph_memory.domain.text import text_problems
from graph_memory.domain.vocabulary import NodeId, UserId
from graph_memory.errors import ConflictError, InvalidValueError, NotFoundError, Problem
from graph_memory.ports import Clock, Ids, LinkStore


class LinkNodes:
    """Makes and removes links."""

    def __init__(self, *, links: LinkStore, clock: Clock, ids: Ids, limits: Limits) -> None:
        self._links, self._clock, self._ids, self._limits = links, clock, ids, limits

    async def link(
        self,
        user_id: UserId,
        link_type: LinkType,
        source: str,
        target: str,
        *,
        weight: float = 1.0,
        reason: str | None = None,
    ) -> Link:
        """The link, new or raised to the larger weight. Raises InvalidValueError, NotFoundError, ConflictError."""
        if problems := self._problems(link_type, source, target, weight, reason):
            raise InvalidValueError("link", problems)
        start, end = NodeId(source), NodeId(target)
        if link_type in ACYCLIC and await self._links.closes_cycle(user_id, link_type, start, end):
            raise ConflictError(f"a {link_type} from {source} to {target} would close a cycle")
        now = self._clock.now()
        link = Link(
            type=link_type, source=start, target=end, weight=weight, reason=reason, origin="user", created_at=now
        )
        change = self._change(Action.LINK, link.id, start, reason)
        made = await self._links.link(user_id, link, change, at=now)
        if made is None:
            raise NotFoundError("node", f"{source} or {target}")
        return made

    async def unlink(self, user_id: UserId, identifier: str) -> bool:
        """Removes a link by its id. Raises NotFoundError."""
        parts = parse_link_id(identifier)
        if parts is None or not await self._links.unlink(
            user_id, *parts, self._change(Action.UNLINK, identifier, parts[1], None)
        ):
            raise NotFoundError("link", identifier)
        return True

    def _problems(
        self, link_type: LinkType, source: str, target: str, weight: float, reason: str | None
    ) -> list[Problem]:
        problems = []
        if link_type in SYSTEM_ONLY:
            problems.append(Problem("type", f"{link_type} is written by the system only"))
        if not 0.0 <= weight <= 1.0:
            problems.append(Problem("weight", f"is {weight}; it must lie in 0..1"))
        if source == target:
            problems.append(Problem("target", "is the source itself"))
        for field, value in (("source", source), ("target", target)):
            problems += text_problems(field, value, most_characters=self._limits.identifier_characters)
        problems += reason_problems(reason, self._limits)
        return problems

    def _change(self, action: Action, identifier: str, source: NodeId, reason: str | None) -> Change:
        return Change(
            id=self._ids.new(),
            target_id=source,
            at=self._clock.now(),
            action=action,
            field="links",
            after=identifier if action is Action.LINK else None,
            before=identifier if action is Action.UNLINK else None,
            reason=reason,
        )
