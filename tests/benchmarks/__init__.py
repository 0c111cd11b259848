"""How well and how fast the product works: `python -m tests.benchmarks quality | latency | writes`."""
