import pytest

from graph_memory.embedded.conf import render_conf
from graph_memory.embedded.memory import MemorySizes, machine_memory_mb, memory_sizes


@pytest.mark.parametrize(
    ("total_mb", "heap_mb", "page_cache_mb"),
    [(1_024, 512, 128), (4_096, 512, 512), (8_192, 1_024, 1_024), (16_384, 2_048, 2_048), (262_144, 2_048, 2_048)],
)
def test_memory_follows_the_machine_within_bounds(total_mb, heap_mb, page_cache_mb):
    assert memory_sizes(total_mb) == MemorySizes(heap_mb, page_cache_mb)


def test_what_the_user_sets_stays():
    assert memory_sizes(8_192, heap_mb=300, page_cache_mb=64) == MemorySizes(300, 64)


def test_the_machine_has_memory():
    assert machine_memory_mb() > 256


def _conf():
    text = render_conf(bolt_port=1111, http_port=2222, memory=MemorySizes(512, 128))
    return dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))


def test_every_listener_is_on_loopback():
    addresses = {key: value for key, value in _conf().items() if key.endswith("_address")}
    assert addresses["server.bolt.listen_address"] == "127.0.0.1:1111"
    assert addresses["server.http.listen_address"] == "127.0.0.1:2222"
    assert all(value.split(":")[0] == "127.0.0.1" for value in addresses.values())


def test_the_rest_of_the_configuration():
    conf = _conf()
    assert conf["db.query.default_language"] == "CYPHER_25"
    assert conf["dbms.security.auth_enabled"] == "true"
    assert conf["dbms.usage_report.enabled"] == "false"
    assert conf["server.https.enabled"] == "false"
    assert conf["server.memory.heap.max_size"] == "512m"
    assert conf["server.memory.pagecache.size"] == "128m"
