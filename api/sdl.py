"""The schema of the API, and its text: `python -m api.sdl` writes `api/schema.graphql`."""

from importlib.resources import files
from pathlib import Path

import strawberry
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from api.limits import ApiLimits
from api.mutations import Mutation
from api.queries import Query
from api.request_size import request_limits
from api.scalars import SCALARS
from api.subscriptions import Subscription


class ApiSchema(strawberry.Schema):
    """The schema; what went wrong is logged where it is told (api/errors.py), so not a second time here."""

    def process_errors(self, errors: list[object], execution_context: ExecutionContext | None = None) -> None:  # type: ignore[override]
        return None


def build_schema(limits: ApiLimits | None = None) -> ApiSchema:
    """The schema with its limits."""
    return ApiSchema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        config=StrawberryConfig(scalar_map=SCALARS),
        extensions=[request_limits(limits or ApiLimits())],
    )


def written_sdl() -> str:
    """The text that stands beside this module."""
    return files("api").joinpath("schema.graphql").read_text("utf-8")


def sdl() -> str:
    """The text of the schema as it is now."""
    return build_schema().as_str().rstrip() + "\n"


if __name__ == "__main__":
    Path(str(files("api").joinpath("schema.graphql"))).write_text(sdl(), "utf-8")
