"""The explorer: one page that loads nothing from elsewhere, and a policy under which it could not."""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from starlette.responses import HTMLResponse

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_STYLE = re.compile(r"<style>(.*?)</style>", re.S)


def explorer_page() -> HTMLResponse:
    """The page, with headers that allow its own script and style alone and requests to this server alone."""
    return HTMLResponse(
        page(),
        headers={
            "Content-Security-Policy": policy(),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-cache",
        },
    )


@cache
def page() -> str:
    """The text of the page."""
    return files("api").joinpath("explorer.html").read_text("utf-8")


@cache
def policy() -> str:
    """What a browser may load for it."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hashes(_SCRIPT)}",
            f"style-src {_hashes(_STYLE)}",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def _hashes(element: re.Pattern[str]) -> str:
    digests = (hashlib.sha256(inside.encode()).digest() for inside in element.findall(page()))
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
