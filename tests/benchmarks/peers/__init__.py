"""The product beside other memory systems, on one server: `python -m tests.benchmarks.peers`."""
