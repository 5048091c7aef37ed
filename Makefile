# Two commands do everything on a fresh machine: `make play` and `make test`.
# Needs: python3 (>= 3.11) with venv, make, node (>= 20.19) with npm; see scripts/debian-packages.

# PYTHON=... takes that one.
PYTHON ?= $$(python3 scripts/quickest_python.py)
BIN := .venv/bin
STATIC := src/cabochon/server/static

# Bytecode is written when a module is first used, also where the environment says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup play test test-inspect check quick web docs dist clean \
	bench-rules bench-kernel bench-search bench-server bench-envs bench-review bench-reviews-load bench-thinking bench-pairing \
	bench-ratings bench-players bench-mix bench-growth bench-nodes capacity prove-puzzles \
	parity-long soak-server soak-bots screenshots train calibrate strength

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# --- set-up ------------------------------------------------------------------------------------

.venv/base.stamp: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

# The whole install at once, and without bytecode, which most of its files never need: a third of the
# time of base and then the rest.
.venv/dev.stamp: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e ".[dev,all]"
	touch .venv/base.stamp $@

.venv/kernel.stamp: .venv/base.stamp $(shell find src/cabochon/kernel src/cabochon/search src/cabochon/rules -name '*.py' -o -name '*.csv' 2>/dev/null)
	$(BIN)/python -c "from cabochon.kernel.build import main; main()"
	$(BIN)/python -c "from cabochon.search.build import main; main()"
	touch $@

.venv/system.stamp: scripts/debian-packages
	mkdir -p .venv
	scripts/debian-packages
	touch $@

setup: .venv/dev.stamp ## build .venv, compile the kernel, build the web table
	@$(MAKE) --no-print-directory .venv/kernel.stamp web

web: $(STATIC)/index.html ## build the web table

WEB_SOURCES := $(shell find web -path web/node_modules -prune -o -type f -print 2>/dev/null)
$(STATIC)/index.html: .venv/base.stamp $(WEB_SOURCES)
	$(BIN)/python scripts/build_web.py

# --- the main job ------------------------------------------------------------------------------

# The page opens first; what the bots need is compiled while the person reads.
play: .venv/base.stamp web ## open the table in the browser
	@(nice $(MAKE) --no-print-directory .venv/kernel.stamp > /dev/null 2>&1 &)
	$(BIN)/cabochon serve --open

# --- proof -------------------------------------------------------------------------------------

check: .venv/dev.stamp ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

quick: .venv/dev.stamp ## lint, types and the fast tests: a minute and a half
	@$(MAKE) --no-print-directory check
	$(BIN)/python -m pytest -p no:schemathesis -n 3 --dist loadgroup --no-loadscope-reorder -m "not slow and not servers and not alone" --ignore=tests/browser --ignore=tests/server/test_fuzz.py

test: ## set-up, lint, types and all tests
	@$(MAKE) --no-print-directory -j2 .venv/dev.stamp .venv/system.stamp
	@$(MAKE) --no-print-directory -j2 .venv/kernel.stamp web check
	$(BIN)/python scripts/run_tests.py

# inspect-ai brings forty packages and asks for an older fsspec than ours, so it has an environment of
# its own, which takes everything else from .venv.
INSPECT := build/inspect
$(INSPECT)/stamp: .venv/dev.stamp
	$(BIN)/python -m venv --without-pip $(INSPECT)
	echo "import site; site.addsitedir('$$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])')')" \
		> $$($(INSPECT)/bin/python -c 'import site; print(site.getsitepackages()[0])')/over.pth
	$(INSPECT)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
		"$$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["inspect"])')"
	touch $@

test-inspect: $(INSPECT)/stamp ## the task for inspect-ai, played by a scripted model
	$(INSPECT)/bin/python -m pytest -q tests/envs/test_inspect_task.py

dist: .venv/dev.stamp web ## the source distribution and the wheel, with the page inside, to dist/
	$(BIN)/python -m build --outdir dist .

docs: .venv/dev.stamp ## the documentation as a searchable site, to build/docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going -q -b html docs build/docs

screenshots: setup .venv/system.stamp ## pictures of every page of the web table, to build/screenshots
	$(BIN)/python -m tests.browser.screenshots

parity-long: setup ## a million random decisions, kernel against the rules
	$(BIN)/python -m tests.kernel.parity_long

prove-puzzles: setup ## every shipped puzzle once more: wins by force proved, others at 100,000 visits (half an hour)
	$(BIN)/cabochon puzzles prove --log build/puzzles/proofs.jsonl

soak-server: setup .venv/system.stamp ## attacks for ten minutes, then fifty times kill -9, SQLite and PostgreSQL
	$(BIN)/python benchmarks/soak_server.py

soak-bots: setup ## ten thousand games of all bots over all rulesets
	$(BIN)/python benchmarks/soak_bots.py

# --- figures (each prints a table and, last, one JSON line) ------------------------------------

bench-rules bench-kernel bench-search bench-server bench-envs bench-review bench-ratings bench-pairing: bench-%: setup
	$(BIN)/python benchmarks/$*.py

bench-reviews-load: setup ## moves at two hundred tables, without and with ten reviews running
	$(BIN)/python benchmarks/reviews_load.py

bench-thinking: setup ## four hundred tables with Diamonds: what people notice of them
	$(BIN)/python benchmarks/thinking.py

bench-players: setup .venv/system.stamp ## a hundred thousand people, a million games: how fast profiles and boards are
	$(BIN)/python benchmarks/players.py

bench-mix: setup ## a day in the life of a server, in an hour: rates, times, errors, memory
	$(BIN)/python benchmarks/mix.py

bench-growth: setup .venv/system.stamp ## what finished games cost as they become many, on PostgreSQL
	$(BIN)/python benchmarks/growth.py

bench-nodes: setup .venv/system.stamp ## one, two and four processes on one PostgreSQL, and the ceiling of NOTIFY
	$(BIN)/python benchmarks/nodes.py
	$(BIN)/python benchmarks/nodes.py --notify --seconds 5

capacity: .venv/dev.stamp ## what so many people need, worked out from the measured figures
	$(BIN)/python benchmarks/capacity.py

calibrate: setup ## set and measure the levels of the bots (an hour; goes on where it was stopped)
	$(BIN)/python benchmarks/calibrate_levels.py

strength: setup ## the matches of the best bot (two hours on two quiet cores; goes on where it was stopped)
	$(BIN)/python benchmarks/strength.py

train: setup ## go on training the networks from the last checkpoint
	$(BIN)/cabochon train

clean: ## remove everything that was built
	rm -rf .venv build dist docs/api $(STATIC) web/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
