"""How large a request is before anything runs: its depth, its aliases, and the values that its answer may hold.

Fragments are measured once each, so that neither a chain of them that doubles at every step nor a ring costs time. A
ring is left to validation, which names it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    is_list_type,
)
from strawberry.extensions import SchemaExtension

from api.limits import ApiLimits
from graph_memory.errors import LimitExceededError

_SIZES = ("first", "last", "k")  # arguments, or fields of the argument `input`, that say how long a list will be
_COUNTED_ABOVE = frozenset({"edges", "hits", "lanes", "results"})  # as long as the field above them says
_DEFAULT_PAGE = 20
_DEFAULT_HITS = 10


@dataclass(frozen=True, slots=True)
class Size:
    """How large a selection is."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0

    def beside(self, other: "Size") -> "Size":
        """Both, one after the other."""
        return Size(max(self.depth, other.depth), self.aliases + other.aliases, self.fields + other.fields)


class Measure:
    """Measures the operations of one document."""

    def __init__(
        self, document: DocumentNode, schema: GraphQLSchema, variables: Mapping[str, Any], limits: ApiLimits
    ) -> None:
        self._document, self._schema, self._variables, self._limits = document, schema, variables, limits
        self._fragments = {
            each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)
        }
        self._measured: dict[str, Size] = {}

    def largest(self) -> Size:
        """The largest of each measure over all operations."""
        sizes = [
            self._selection(each.selection_set, self._schema.get_root_type(each.operation))
            for each in self._document.definitions
            if isinstance(each, OperationDefinitionNode)
        ]
        return Size(
            max((size.depth for size in sizes), default=0),
            max((size.aliases for size in sizes), default=0),
            max((size.fields for size in sizes), default=0),
        )

    def _selection(self, selected: SelectionSetNode, parent: Any) -> Size:
        size = Size()
        for each in selected.selections:
            size = size.beside(self._one(each, parent))
        return size

    def _one(self, node: SelectionNode, parent: Any) -> Size:
        if isinstance(node, FragmentSpreadNode):
            return self._fragment(node.name.value)
        if isinstance(node, InlineFragmentNode):
            condition = node.type_condition
            return self._selection(node.selection_set, self._type(condition.name.value) if condition else parent)
        assert isinstance(node, FieldNode)
        return self._field(node, parent)

    def _fragment(self, name: str) -> Size:
        if name not in self._fragments:
            return Size()  # validation names it
        if name not in self._measured:
            self._measured[name] = Size()  # what a ring meets when it comes round
            fragment = self._fragments[name]
            self._measured[name] = self._selection(
                fragment.selection_set, self._type(fragment.type_condition.name.value)
            )
        return self._measured[name]

    def _field(self, node: FieldNode, parent: Any) -> Size:
        aliases = 1 if node.alias else 0
        if node.selection_set is None:
            return Size(1, aliases, 1)
        definition = getattr(parent, "fields", {}).get(node.name.value)
        inner = self._selection(node.selection_set, get_named_type(definition.type) if definition else None)
        length = self._length(node, definition)
        if node.name.value.startswith("__"):  # introspection has a depth rule of its own
            return Size(1, aliases + inner.aliases, 1 + inner.fields)
        return Size(1 + inner.depth, aliases + inner.aliases, 1 + length * inner.fields)

    def _length(self, node: FieldNode, definition: Any) -> int:
        """How often the selection below a field may be answered."""
        if sizes := list(self._stated_lengths(node)):
            return max(1, max(sizes))
        if definition is None or node.name.value in _COUNTED_ABOVE:
            return 1
        if node.name.value == "recall":
            return _DEFAULT_HITS
        if {"first", "last"} & set(definition.args):
            return _DEFAULT_PAGE
        return self._limits.list_length if is_list_type(get_nullable_type(definition.type)) else 1

    def _stated_lengths(self, node: FieldNode) -> Iterator[int]:
        for argument in node.arguments or ():
            name, value = argument.name.value, argument.value
            if name in _SIZES:
                yield from self._number(value)
            elif name == "inputs":
                yield from self._rows(value)
            elif name == "input":
                yield from self._inside(value)

    def _number(self, value: Any) -> Iterator[int]:
        number = self._variables.get(value.name.value) if isinstance(value, VariableNode) else None
        if isinstance(value, IntValueNode) and len(value.value) < 10:
            number = int(value.value)
        yield from self._length_of(number)

    def _inside(self, value: Any) -> Iterator[int]:
        if isinstance(value, VariableNode):
            held = self._variables.get(value.name.value)
            yield from self._length_of(held.get("k") if isinstance(held, Mapping) else None)
        for each in getattr(value, "fields", ()):
            if each.name.value in _SIZES:
                yield from self._number(each.value)

    def _length_of(self, number: object) -> Iterator[int]:
        if isinstance(number, int):
            yield number if 0 <= number <= self._limits.longest_list else 1

    def _rows(self, value: Any) -> Iterator[int]:
        held = self._variables.get(value.name.value) if isinstance(value, VariableNode) else None
        rows = held if isinstance(held, list) else getattr(value, "values", ())
        yield len(rows)

    def _type(self, name: str) -> Any:
        return self._schema.get_type(name)


def request_limits(limits: ApiLimits) -> Callable[[], SchemaExtension]:
    """The extension that refuses what is larger than the limits; a new one for each request."""
    return lambda: _RequestLimits(limits)


class _RequestLimits(SchemaExtension):
    def __init__(self, limits: ApiLimits) -> None:
        self._limits = limits

    def on_operation(self) -> Iterator[None]:
        self.execution_context.parse_options["max_tokens"] = self._limits.tokens
        yield

    def on_validate(self) -> Iterator[None]:
        context = self.execution_context
        if context.graphql_document is not None:
            schema = context.schema._schema  # Strawberry gives no other way to the schema that it executes
            measure = Measure(context.graphql_document, schema, context.variables or {}, self._limits)
            if refusals := list(_refusals(measure.largest(), self._limits)):
                context.pre_execution_errors = refusals
        yield


def _refusals(size: Size, limits: ApiLimits) -> Iterator[GraphQLError]:
    if size.depth > limits.depth:
        yield _refused(f"the query is {size.depth} levels deep; at most {limits.depth} are allowed")
    if size.aliases > limits.aliases:
        yield _refused(f"the query has {size.aliases} aliases; at most {limits.aliases} are allowed")
    if size.fields > limits.fields:
        yield _refused(f"the answer could hold {size.fields} values; at most {limits.fields} are allowed")


def _refused(message: str) -> GraphQLError:
    return GraphQLError(message, original_error=LimitExceededError(message))
