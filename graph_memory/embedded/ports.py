"""Which ports of this machine a server may listen on."""

import socket

from graph_memory.embedded.configuration import DEFAULT_BOLT_PORT, DEFAULT_HTTP_PORT, ServerPlan
from graph_memory.errors import ServerError

LOOPBACK = "127.0.0.1"


def choose_ports(
    settings: ServerPlan, *, preferred: tuple[int, int] = (DEFAULT_BOLT_PORT, DEFAULT_HTTP_PORT)
) -> tuple[int, int]:
    """Bolt and HTTP port for a server about to start; raises ServerError if a port the user insists on is taken.

    Where the user does not insist, the preferred ones are taken if they are free, else any.
    """
    bolt = _choose("Bolt", settings.bolt_port, preferred[0], unless=settings.http_port)
    return bolt, _choose("HTTP", settings.http_port, preferred[1], unless=bolt)


def is_listening(port: int) -> bool:
    """Whether something answers on this port of the loopback interface."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((LOOPBACK, port)) == 0


def _choose(purpose: str, insisted: int | None, default: int, *, unless: int | None) -> int:
    if insisted is None:
        return default if default != unless and _is_free(default) else _free_port(unless)
    if insisted == unless or not _is_free(insisted):
        raise ServerError(
            f"The {purpose} port {insisted} is taken by another program. Stop that program, set another port, or "
            "leave the port out of the settings: then a free one is chosen."
        )
    return insisted


def _is_free(port: int) -> bool:
    # Both questions: a server on another interface than loopback does not always keep us from binding.
    return not is_listening(port) and _can_bind(port)


def _can_bind(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: a port just left is free
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def _free_port(unless: int | None) -> int:
    while True:
        with socket.socket() as probe:
            probe.bind((LOOPBACK, 0))
            port = int(probe.getsockname()[1])
        if port != unless:
            return port
