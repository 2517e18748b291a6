# Every target sets itself up: a virtual environment in .venv with the locked dependencies. Nothing else is needed.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help demo test lint types check figures lock clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "megadoku needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: .venv/ready  ## benchmark every strategy on the bundled sets, then draw the report (under two minutes)
	@rm -rf demo
	$(BIN)/megadoku bench --solvers seeds --progress --quiet -o demo/run
	$(BIN)/megadoku report demo/run -o demo/report

test: lint types check  ## every test, lint and type check

lint: .venv/ready  ## formatting and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/ready  ## strict types
	$(BIN)/mypy

check: .venv/ready  ## the tests alone
	$(BIN)/python -m pytest -q -n auto

figures: .venv/ready  ## the pictures and tables of the README anew, from docs/run or from RUN=folder
	$(BIN)/python benchmarks/figures.py $(RUN)

lock: .venv/ready  ## write requirements.lock anew from pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --extra dev --upgrade --generate-hashes \
		--no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements.lock

clean:  ## remove what the other targets made
	rm -rf .venv demo runs build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
