# Each target sets up what it needs; a machine with Python 3.11 or newer, make and git
# needs no other step. See .ci/environment for how.

BIN := .venv/bin
# The program can run; it can be worked on; it runs on the lowest versions allowed.
RUNNING := .venv/.running
WORKING := .venv/.working
LOWEST := .venv-lowest/.working
# What meets every dependency: stores read, searched and changed, screens, commands.
FOR_LOWEST := tests/store/files tests/store/search \
	tests/tui/browser/stories/test_stories.py tests/tui/browser/test_browser.py \
	tests/tui/cli/changes/test_one_record.py tests/test_packaging.py

# Compiled modules are kept, also where a machine says otherwise: tests start the program
# hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test explore campaign coverage check bench screenshots package lowest lock clean

help:
	@echo 'make demo      browse sample stores, made for the occasion'
	@echo 'make test      all tests'
	@echo 'make explore   the tests with Hypothesis on examples not tried before: EXAMPLES=120'
	@echo 'make campaign  kills, races and random keys: MINUTES=10 each, CAMPAIGNS="kill race keys"'
	@echo 'make coverage  all tests, and which lines they reach; takes twice as long'
	@echo 'make check     formatting, lint, types, contracts, spelling, dependencies, screenshots'
	@echo 'make bench     the measurements'
	@echo 'make screenshots  the pictures and the recording, in screenshots/'
	@echo 'make package   the wheel and the source distribution, in dist/'
	@echo 'make lowest    tests that meet every dependency, on the lowest versions allowed'
	@echo 'make lock      the requirement files, from pyproject.toml'
	@echo 'make clean     remove all that make has made'

$(RUNNING): .ci/environment .ci/python pyproject.toml requirements.txt requirements-build.txt
	@echo 'setting up .venv to run recollect'
	@.ci/environment .venv requirements.txt requirements-build.txt
	@touch $@

$(WORKING): .ci/environment .ci/python pyproject.toml requirements-dev.txt
	@echo 'setting up .venv to work on recollect'
	@.ci/environment .venv requirements-dev.txt
	@touch $@ $(RUNNING)

$(LOWEST): .ci/environment .ci/python pyproject.toml requirements-lowest.txt
	@echo 'setting up .venv-lowest with the lowest versions allowed'
	@.ci/environment .venv-lowest requirements-lowest.txt
	@touch $@

demo: $(RUNNING)
	@$(BIN)/python -P tui/start.py demo

bench: $(RUNNING)
	@$(BIN)/python -P tui/start.py bench
	@$(BIN)/python -P tui/start.py bench browser

test: $(WORKING)
	@$(BIN)/pytest --quiet --numprocesses auto

# Examples that nobody has tried yet; `test` tries the same ones every time.
EXAMPLES ?= 120
explore: $(WORKING)
	@RECOLLECT_TEST_EXAMPLES=$(EXAMPLES) $(BIN)/pytest --quiet --numprocesses auto -m hypothesis

# What to repeat where one found a fault: .venv/bin/python -m tests.campaigns --help
MINUTES ?= 10
CAMPAIGNS ?= kill race keys
campaign: $(WORKING)
	@$(BIN)/python -m tests.campaigns $(CAMPAIGNS) --minutes $(MINUTES)

coverage: $(WORKING)
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest --quiet --numprocesses auto
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --fail-under 90
	@printf 'branches and lines of store covered: '
	@$(BIN)/coverage report --include 'store/*' --format total --fail-under 95

check: $(WORKING)
	@echo 'ruff format'
	@$(BIN)/ruff format --quiet --check
	@echo 'ruff check'
	@$(BIN)/ruff check --quiet
	@echo 'pyright'
	@$(BIN)/pyright
	@echo 'lint-imports'
	@$(BIN)/lint-imports --no-logo
	@echo 'codespell'
	@$(BIN)/codespell
	@echo 'deptry'
	@$(BIN)/deptry .
	@echo 'screenshots'
	@$(BIN)/python -m tests.screenshots --check

lowest: $(LOWEST)
	@RECOLLECT_TEST_EXAMPLES=5 .venv-lowest/bin/pytest --quiet --numprocesses auto $(FOR_LOWEST)

screenshots: $(WORKING)
	@$(BIN)/python -m tests.screenshots
	@$(BIN)/python -m tests.recording

package: $(WORKING)
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist
	@$(BIN)/check-wheel-contents dist

lock:
	@.ci/lock

clean:
	@rm -rf .venv .venv-lowest .venv-lock build dist .coverage .coverage.*
	@rm -rf .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -prune -exec rm -rf {} +
