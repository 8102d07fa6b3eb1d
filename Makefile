# Two commands: `make demo` runs the main job on the embedded suite, `make test` runs every check.
# Both make what they need: an environment for this project, one for the engine, and the embedded models.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin
ENGINE := .venv-vllm/bin/python

.PHONY: demo test check unit browser real lint types engine models environment clean help

help: ## Show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: ## Set up, serve and ask the original and every build, and decide (23 minutes on two cores)
	@$(PYTHON) scripts/check_machine.py --for demo
	@$(MAKE) --no-print-directory environment engine models
	@$(RUN)/python scripts/demo.py

test: ## Set up, lint, check types, run every test, the real vLLM among them
	@$(PYTHON) scripts/check_machine.py --for demo
	@$(MAKE) --no-print-directory environment lint types unit browser engine models real

environment: $(VENV)/.made ## Make this project's own environment

$(VENV)/.made: pyproject.toml scripts/fetch_junit_schema.py
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "this project needs Python 3.11 to 3.13: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(RUN)/python scripts/fetch_junit_schema.py || true  # tests that need it skip, or fail under CI
	@touch $@

engine: ## Make the engine's environment: vLLM for CPUs
	@$(PYTHON) scripts/make_engine.py

models: environment engine ## Make the embedded models
	@$(RUN)/twx-accept models prepare smollm2

lint: environment ## Style, and the layers of the house
	$(RUN)/ruff check
	$(RUN)/ruff format --check
	$(RUN)/lint-imports --no-logo

types: environment ## Types
	$(RUN)/mypy

unit: environment ## Tests that boot no engine
	$(RUN)/python -m pytest -m "not vllm and not browser" -n 2 --dist loadfile

browser: environment ## Tests of the report in the machine's own Chromium (skipped where it has none)
	$(RUN)/python -m pytest tests/browser -m browser -n 2 --dist loadfile

real: environment engine models ## Tests on a real vLLM server with the embedded model
	$(RUN)/python -m pytest -m vllm

clean: ## Remove environments, models and reports
	rm -rf $(VENV) .venv-vllm models reports
