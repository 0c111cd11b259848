"""How much memory a local server takes, from how much the machine has."""

from dataclasses import dataclass
from pathlib import Path

import psutil

_SHARE_OF_HEAP = 1 / 8
_SHARE_OF_PAGE_CACHE = 1 / 8
_SMALLEST_HEAP_MB, _LARGEST_HEAP_MB = 512, 2048
_SMALLEST_PAGE_CACHE_MB, _LARGEST_PAGE_CACHE_MB = 128, 2048

# A container's own limit, version 2 and version 1 of control groups; `max` or a huge number where there is none.
_CONTAINER_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True, slots=True)
class MemorySizes:
    """Java heap and page cache of a server, in MiB."""

    heap_mb: int
    page_cache_mb: int


def memory_sizes(total_mb: int, *, heap_mb: int | None = None, page_cache_mb: int | None = None) -> MemorySizes:
    """Sizes for a machine with `total_mb` MiB of memory; what the caller has set stays as it is.

    An eighth of the machine each, so that a laptop has three quarters left for its owner: the server shares the machine
    with everything else, unlike one in a data centre. Heap within 512…2,048 MiB (Neo4j does not start reliably below,
    and one person's graph needs no more), page cache within 128…2,048 MiB.
    """
    return MemorySizes(
        heap_mb=heap_mb or _clamp(total_mb * _SHARE_OF_HEAP, _SMALLEST_HEAP_MB, _LARGEST_HEAP_MB),
        page_cache_mb=page_cache_mb
        or _clamp(total_mb * _SHARE_OF_PAGE_CACHE, _SMALLEST_PAGE_CACHE_MB, _LARGEST_PAGE_CACHE_MB),
    )


def machine_memory_mb() -> int:
    """MiB of memory that this machine, or the container we are in, may use."""
    limits = [psutil.virtual_memory().total, *filter(None, map(_container_limit, _CONTAINER_LIMITS))]
    return int(min(limits) // 2**20)


def _container_limit(path: Path) -> int | None:
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):  # no control groups here, or `max`
        return None


def _clamp(value: float, smallest: int, largest: int) -> int:
    return int(min(max(value, smallest), largest))
