"""Claude as the language model, through PyPI `anthropic` (the extra `claude`).

A question is one call of the Messages API with a form that the answer must have, one more where the first answer cannot
be read, and as many again as the service asks for when it is busy, within bounds. Texts of users go in as data between
marks made for the call; the instructions are the same for every user, so that the service may keep them ready.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

from anthropic import AnthropicError, APIConnectionError, APIStatusError, APITimeoutError, AsyncAnthropic
from anthropic.types import MessageParam

from graph_memory.domain.asked import Answer, Question
from graph_memory.domain.grounding import is_refusal
from graph_memory.domain.model_usage import Tokens, Use
from graph_memory.domain.prompt_text import tokens
from graph_memory.domain.vocabulary import UserId
from graph_memory.errors import InferenceError
from graph_memory.inference.prompts import ONCE_MORE, system_prompt, user_message
from graph_memory.inference.questions import FORMS
from graph_memory.inference.reply_reading import UnreadableReplyError
from graph_memory.inference.spending import Spending
from graph_memory.ports import Clock, Ids, OneByOne
from graph_memory.settings import ModelSettings

_log = logging.getLogger(__name__)
_BUSY = frozenset({408, 409, 429})  # with every 5xx: the same request may succeed later


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    stop_reason: str | None
    use: Use


class ClaudeLanguageModel(OneByOne):
    """Asks Claude (port LanguageModel); also says what a question would cost (port CallEstimates)."""

    def __init__(
        self,
        client: AsyncAnthropic,
        *,
        spending: Spending,
        ids: Ids,
        clock: Clock,
        settings: ModelSettings,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._client, self._spending, self._ids, self._clock = client, spending, ids, clock
        self._settings, self._pause = settings, pause
        self._at_once = asyncio.Semaphore(settings.at_once)

    @classmethod
    def connected(
        cls,
        *,
        spending: Spending,
        ids: Ids,
        clock: Clock,
        settings: ModelSettings,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> "ClaudeLanguageModel":
        """With a client of its own, which `close` closes; needs `settings.api_key`."""
        client = AsyncAnthropic(
            api_key=settings.api_key,
            base_url=settings.base_url,
            timeout=settings.timeout_seconds,
            max_retries=0,  # tried again here, where the waits are bounded and booked
            open_telemetry=False,
        )
        return cls(client, spending=spending, ids=ids, clock=clock, settings=settings, pause=pause)

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    def estimate(self, question: Question, *given: Any, **known: Any) -> Use:
        return self._most(question, FORMS[question].data(*given, **known))

    async def answer(self, question: Question, user_id: UserId, *given: Any, **known: Any) -> Answer[Any]:
        model, patience = self._settings.model_for(question), self._settings.patience_seconds
        try:
            async with asyncio.timeout(patience):
                return await self._answer(question, user_id, given, known)
        except TimeoutError:
            raise InferenceError(f"{model} took longer than {patience:g} s", retryable=True) from None

    async def _answer(
        self, question: Question, user_id: UserId, given: tuple[Any, ...], known: Mapping[str, Any]
    ) -> Answer[Any]:
        form, model = FORMS[question], self._settings.model_for(question)
        asked = user_message(form.data(*given, **known), self._ids.new())
        messages: list[MessageParam] = [{"role": "user", "content": asked}]
        problem = ""
        for _ in range(2):  # once more where the first answer cannot be read
            reply = await self._reply(question, user_id, messages)
            try:
                value, dropped = form.value(_whole(reply), *given, **known)
                return Answer(value, by=model, dropped=dropped)
            except UnreadableReplyError as error:
                if is_refusal(reply.text):
                    raise InferenceError(f"{model} refused to answer") from None
                problem = str(error)
            messages = _once_more(asked, reply.text, problem)
        raise InferenceError(f"{model} gave no usable answer: {problem}")

    async def _reply(self, question: Question, user_id: UserId, messages: list[MessageParam]) -> _Reply:
        model = self._settings.model_for(question)
        shown = "".join(str(message["content"]) for message in messages)
        async with self._at_once, self._spending.room_for(user_id, self._most(question, shown)):
            reply = await self._sent(question, user_id, model, messages)
            await self._spending.book(user_id, question, model, reply.use)
        if reply.stop_reason == "refusal":
            raise InferenceError(f"{model} refused to answer")
        return reply

    async def _sent(self, question: Question, user_id: UserId, model: str, messages: list[MessageParam]) -> _Reply:
        """The reply, after as many attempts as it takes; each that fails is booked. Raises InferenceError."""
        attempt = 0
        while True:
            try:
                return self._read(model, await self._request(question, model, messages))
            except asyncio.CancelledError:
                await self._spending.book(user_id, question, model, Use(failures=1))
                raise
            except (AnthropicError, ValueError) as error:  # a body that says it is JSON and is not
                await self._spending.book(user_id, question, model, Use(failures=1))
                wait = self._wait_after(error, attempt)
                if wait is None:
                    raise _told(model, error) from error
                _log.info("%s will be asked again in %.1f s: %s", model, wait, type(error).__name__)
            await self._pause(wait)
            attempt += 1

    async def _request(self, question: Question, model: str, messages: list[MessageParam]) -> object:
        return await self._client.messages.create(
            model=model,
            max_tokens=self._most_output(question),
            system=[{"type": "text", "text": system_prompt(question), "cache_control": {"type": "ephemeral"}}],
            messages=messages,
            output_config={"format": {"type": "json_schema", "schema": dict(FORMS[question].schema)}},
        )

    def _read(self, model: str, message: Any) -> _Reply:
        """What stands in an answer of the service; where it is none, nothing was used that we know of."""
        try:
            text = "".join(block.text for block in message.content if block.type == "text")
            used = Tokens(
                input=int(message.usage.input_tokens),
                output=int(message.usage.output_tokens),
                cache_read=int(message.usage.cache_read_input_tokens or 0),
                cache_write=int(message.usage.cache_creation_input_tokens or 0),
            )
        except (AttributeError, TypeError, ValueError):
            return _Reply("", None, Use(calls=1))
        use = Use(calls=1, tokens=used, cost=self._settings.price_of(model).of(used))
        return _Reply(text, cast(str | None, message.stop_reason), use)

    def _most(self, question: Question, shown: str) -> Use:
        """The most that one call can use: all that goes in, by the rule of four bytes, and the longest answer."""
        read = tokens(system_prompt(question) + str(FORMS[question].schema) + shown) + 1
        most = Tokens(input=read, output=self._most_output(question))
        return Use(calls=1, tokens=most, cost=self._settings.price_of(self._settings.model_for(question)).of(most))

    def _most_output(self, question: Question) -> int:
        return int(self._settings.max_tokens[question])

    def _wait_after(self, error: Exception, attempt: int) -> float | None:
        """How long to wait before the next attempt; None: there is to be none."""
        if attempt >= self._settings.retries or not _may_pass(error):
            return None
        told = _told_to_wait(error, self._clock.now())
        wait = self._settings.first_wait_seconds * 2**attempt if told is None else told
        return wait if wait <= self._settings.longest_wait_seconds else None


def _whole(reply: _Reply) -> str:
    """The text of a reply that came to its end."""
    if reply.stop_reason == "max_tokens":
        raise UnreadableReplyError("it was cut off because it was too long")
    if not reply.text.strip():
        raise UnreadableReplyError("it is empty")
    return reply.text


def _once_more(asked: str, answered: str, problem: str) -> list[MessageParam]:
    """The same question with what was wrong about the first answer."""
    again = ONCE_MORE.format(problem=problem)
    if not answered.strip():
        return [{"role": "user", "content": f"{asked}\n\n{again}"}]
    return [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": answered.strip()},
        {"role": "user", "content": again},
    ]


def _may_pass(error: Exception) -> bool:
    """Whether the same request may succeed later."""
    if not isinstance(error, APIStatusError):
        return isinstance(error, APIConnectionError)
    said = error.response.headers.get("x-should-retry")
    if said in ("true", "false"):
        return said == "true"
    return error.status_code in _BUSY or error.status_code >= 500


def _told_to_wait(error: Exception, now: datetime) -> float | None:
    """The seconds that the service said to wait, if it said so."""
    if not isinstance(error, APIStatusError):
        return None
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 1_000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    try:
        until = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return max(0.0, ((until if until.tzinfo else until.replace(tzinfo=UTC)) - now).total_seconds())


def _told(model: str, error: Exception) -> InferenceError:
    """The service's error as ours; nothing of the request stands in it."""
    if isinstance(error, APITimeoutError):
        return InferenceError(f"{model} did not answer in time", retryable=True)
    if isinstance(error, APIConnectionError):
        return InferenceError(f"{model} cannot be reached", retryable=True)
    if isinstance(error, APIStatusError):
        kind = error.type or "error"
        return InferenceError(f"{model} answered {error.status_code} ({kind})", retryable=_may_pass(error))
    return InferenceError(f"{model} gave no answer ({type(error).__name__})")
