# Everything a user or a developer runs. Needs make and Python 3.11 or newer; the rest is fetched, with checksums.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
ARGS ?=
COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
    --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: help serve demo test check format bench lock clean

help:  ## what there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

serve: $(INSTALLED)  ## a local Neo4j, and GraphQL on it; ARGS="--demo" loads sample data first
	$(BIN)/graph-memory serve $(ARGS)

demo: $(INSTALLED)  ## sixty sample memories and five questions
	$(BIN)/graph-memory demo $(ARGS)

test: $(INSTALLED_DEV)  ## every test, on a real Neo4j
	$(BIN)/python -m pytest --require-integration $(ARGS)

check: $(INSTALLED_DEV)  ## the inner loop: format, lint, types, imports, and the tests that need no server
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -m "not integration" tests/unit tests/properties tests/architecture $(ARGS)

format: $(INSTALLED_DEV)  ## rewrites the sources in the house's form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(INSTALLED_DEV)  ## measures: ARGS="quality", "latency" or "writes"
	$(BIN)/python -m tests.benchmarks $(ARGS)

lock: $(INSTALLED_DEV)  ## resolves the dependencies anew
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) requirements/build.in --output-file requirements/build.txt
	$(COMPILE) --extra embedded pyproject.toml --output-file requirements/serve.txt
	$(COMPILE) --extra embedded --extra claude --group dev --constraint requirements/serve.txt pyproject.toml \
	    --output-file requirements/dev.txt

clean:  ## what was made here, but for fetched jars and your memories
	rm -rf $(VENV) .cache build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "graph-memory needs Python 3.11 or newer; say PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# hatchling builds the editable install, so it comes from the lock too and pip needs nothing beside it.
$(INSTALLED): requirements/serve.txt requirements/build.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/build.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/serve.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(INSTALLED_DEV): requirements/dev.txt $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@
