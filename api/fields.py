"""How classes become types of the API: what their docstring says stands in the schema."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast, dataclass_transform

import strawberry
from strawberry.types.field import StrawberryField

T = TypeVar("T")


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(strawberry.field,))
def output(cls: type[T]) -> type[T]:
    """Makes a class a type that is answered with."""
    return strawberry.type(cls, description=inspect.getdoc(cls))


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(strawberry.field,))
def taken(cls: type[T]) -> type[T]:
    """Makes a class a type of input."""
    return strawberry.input(cls, description=inspect.getdoc(cls))


def answers(description: str) -> Callable[[Callable[..., Any]], StrawberryField]:
    """Makes a method a field of its type; the description stands in the schema."""
    return cast(Callable[[Callable[..., Any]], StrawberryField], strawberry.field(description=description))


def streams(description: str) -> Callable[[Callable[..., Any]], StrawberryField]:
    """Makes a method a field whose answers come one after another."""
    decorated = strawberry.subscription(description=description)
    return cast(Callable[[Callable[..., Any]], StrawberryField], decorated)
