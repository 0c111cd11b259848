"""Sends GraphQL operations and reads what comes back."""

import json
from dataclasses import dataclass
from typing import Any

import httpx

REMEMBER = """
mutation($input: RememberInput!) {
  remember(input: $input) { operation replayed vetoed memory { id text people { id name } entities { id name } } }
}
"""
REMEMBER_MANY = """
mutation($inputs: [RememberInput!]!) {
  rememberMany(inputs: $inputs) { added results { index memory { id } } failed { index problems { field message } } }
}
"""
RECALL = """
query($input: RecallInput!) { recall(input: $input) { k receiptId hits { rank score memory { id text bucket } } } }
"""
TEXTS = "query($filter: MemoryFilter) { memories(filter: $filter, first: 100) { totalCount edges { node { text } } } }"


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer; `data` fails the test when the answer holds an error."""

    status: int
    body: dict[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        assert "errors" not in self.body, self.body["errors"]
        return self.body["data"]

    @property
    def error(self) -> dict[str, Any]:
        """The only error."""
        [error] = self.body["errors"]
        return error

    @property
    def code(self) -> str:
        return self.error["extensions"]["code"]

    @property
    def fields(self) -> list[str]:
        """The wrong fields that the error names."""
        return [problem["field"] for problem in self.error["extensions"]["problems"]]


class Caller:
    """Sends operations as one user."""

    def __init__(self, http: httpx.AsyncClient, user: str) -> None:
        self.http, self.user = http, user

    async def __call__(self, query: str, **variables: Any) -> Answered:
        headers = {"X-User-Id": self.user, "Content-Type": "application/json"}
        body = json.dumps({"query": query, "variables": variables})  # plain ASCII, so that half a pair can be sent
        response = await self.http.post("/graphql", content=body, headers=headers)
        return Answered(response.status_code, response.json())

    async def remember(self, text: str, **fields: Any) -> dict[str, Any]:
        """The memory that was stored."""
        answer = await self(REMEMBER, input={"text": text, **fields})
        return answer.data["remember"]["memory"]

    async def recalled(self, query: str, **fields: Any) -> list[str]:
        """The texts of the hits."""
        answer = await self(RECALL, input={"query": query, **fields})
        return [hit["memory"]["text"] for hit in answer.data["recall"]["hits"]]

    async def texts(self, **conditions: Any) -> list[str]:
        """The texts of the memories that pass a filter, sorted."""
        answer = await self(TEXTS, filter=conditions)
        return sorted(edge["node"]["text"] for edge in answer.data["memories"]["edges"])

    async def count(self) -> int:
        """How many memories there are, forgotten ones too."""
        return (await self(TEXTS)).data["memories"]["totalCount"]
