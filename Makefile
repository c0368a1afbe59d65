# Everything a checkout can do. `make` alone lists it.
#
#   PYTHON=python3.12   the Python that `make setup` builds .venv with
#   ARGS="..."          arguments for serve, check, test, bench, texts and pins

PYTHON ?= python3
ARGS ?=
READY := .venv/.ready

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: race serve check test setup format texts schema pins bench clean help

race: $(READY) ## Play a race on this machine: a server and two players
	@.venv/bin/python scripts/race.py $(ARGS)

serve: $(READY) ## Start a server (ARGS="--port 7777 ...")
	@.venv/bin/tommy-server $(ARGS)

check: $(READY) ## Run the quick checks: format, lint, types, imports, quick tests of the rules
	@scripts/check --quick $(ARGS)

test: $(READY) ## Run every check and every test (ARGS go to pytest)
	@scripts/check $(ARGS)

setup: $(READY) ## Build .venv with the pinned packages (PYTHON=python3.12 for another Python)
	@echo "setup: .venv is ready"

format: $(READY) ## Put the code into its format and fix what can be fixed
	@.venv/bin/ruff format --quiet .
	@.venv/bin/ruff check --fix --quiet .

texts: $(READY) ## Bring the translations in client_cli/locale up to date with the source
	@.venv/bin/python scripts/texts.py $(ARGS)

schema: $(READY) ## Write docs/tommy.*.json, the JSON Schema of the messages, anew
	@.venv/bin/python scripts/schema.py

pins: ## Choose the newest versions again and write constraints.txt
	@PYTHON="$(PYTHON)" scripts/pins $(ARGS)

bench: $(READY) ## Measure what the server costs
	@.venv/bin/python -m bench $(ARGS)

clean: ## Remove .venv and everything else that can be made again
	@rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

$(READY): pyproject.toml constraints.txt
	@scripts/setup "$(PYTHON)"
