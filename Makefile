# Everything a newcomer needs: `make run` and `make test`. Both set up what is missing.
# Where a test belongs and what it may cost: docs/testing.md.
PYTHON ?= python3
PORT ?= 8000
WORKERS ?= 2

BIN := .venv/bin
EMULATORS := backend/tests/clouds/emulators
METRICS := e2e/metrics
# PostgreSQL and what it runs do so as another user if this is root, whose own Python others cannot read.
SHARED_PYTHON := $(if $(filter 0,$(shell id -u)),/usr/bin/python3,$(PYTHON))
WEB := backend/tessera/web/index.html
# In a wheel, says what it was built from.
COMMIT := backend/tessera/commit.txt
CLIENT := dist/client/manifest.json
PAGE_API := PYTHONPATH=client:core $(BIN)/python -m tessera_client.ui.openapi
# For the sandbox's download page, once and in the background: it takes a minute and the network.
BUILD_CLIENT := PYTHONPATH=client:core:. nice $(BIN)/python -m client.delivery build --only here
FRONTEND := $(shell find frontend/src frontend/public frontend/scripts frontend/*.* -type f 2>/dev/null)

.PHONY: run dev test test-all test-extended check lint-python lint-console lint-migrations lint-workflows api-check fmt help tools setup build browser emulators lock api wheel client package-test bench chaos failover hosts restore-drill upgrade-test format-test web-metrics conformance schema screens clean

run: .venv/.run $(WEB) ## set up, build the console, start the sandbox on port 8000 (PORT=)
	@test -e $(CLIENT) || $(BUILD_CLIENT) & $(BIN)/tessera serve --port $(PORT)

dev: setup ## the service, and the console with hot reload on port 5173
	@$(BIN)/tessera serve --port 8000 & trap "kill $$!" EXIT; cd frontend && npm run dev

PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal --durations=20
# $(call timed,name,command): runs a part of the tests and notes how long it took.
TIMES := .venv/test-times
timed = @start=$$(date +%s); set -x; $(2) && \
  echo "$(1): $$(( $$(date +%s) - start )) s" >> $(TIMES)

test: setup emulators $(WEB) browser ## every feature once: service, console, browser
	@: > $(TIMES)
	$(call timed,backend,$(PYTEST) -m "not extended" backend/tests client/tests core/tests)
	$(call timed,components,npm --prefix frontend test)
	$(call timed,browser,$(PYTEST) -m "not extended" e2e)
	@cat $(TIMES)

test-extended: setup emulators .venv/.barman $(WEB) browser ## sweeps, generated runs, every screen
	@: > $(TIMES)
	$(call timed,backend extended,$(PYTEST) -m extended backend/tests client/tests core/tests)
	$(call timed,browser extended,$(PYTEST) -m extended e2e)
	@cat $(TIMES)

test-all: test test-extended ## both rings of tests

fmt: setup ## format the code
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format --quiet
	cd frontend && npm run format --silent -- --log-level warn

help: ## list the commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

# The quick part of check, which pre-commit runs for what was changed.
lint-python: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/pytest -q --noconftest backend/tests/system/test_layout.py

lint-console: setup
	cd frontend && npm run format:check && npm run lint

check: lint-python lint-console lint-migrations lint-workflows api-check $(WEB) ## lint, types, layers, API types, byte budget
	$(BIN)/mypy
	$(BIN)/mypy e2e
	cd frontend && npm run types && npm run api:check && npm run budget && npm run prerendered

api-check: setup
	$(BIN)/tessera openapi | cmp - frontend/src/api/openapi.json && \
	  $(PAGE_API) | cmp - frontend/src/client/openapi.json || \
	  { echo "The API changed: run make api and commit."; exit 1; }

MIGRATIONS := backend/tessera/migrations
NUMBERED := $(filter-out %/0001_baseline.sql,$(sort $(wildcard $(MIGRATIONS)/*.sql)))
containing = $(if $(NUMBERED),$(shell grep -lE "$(1)" $(NUMBERED)))
CONTRACT := $(call containing,^-- Contract: needs version )
# Each statement is a transaction of its own.
CONCURRENT := $(call containing,^(CREATE|DROP) .*CONCURRENTLY)
EXPAND := $(filter-out $(CONTRACT) $(CONCURRENT),$(NUMBERED))
# What a contract migration may do besides; --exclude replaces the exceptions of .squawk.toml.
MAY_REMOVE := ban-drop-column,ban-drop-table,ban-drop-function,ban-drop-constraint,ban-drop-default,$\
  prefer-bigint-over-int,require-lock-timeout,require-statement-timeout

# Keys and types; ci.yml has actionlint, which also reads the expressions.
lint-workflows: setup
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

lint-migrations:
	$(if $(EXPAND),$(BIN)/squawk $(EXPAND))
	$(if $(CONCURRENT),$(BIN)/squawk --no-assume-in-transaction $(CONCURRENT))
	$(if $(CONTRACT),$(BIN)/squawk --exclude=$(MAY_REMOVE) $(filter-out $(CONCURRENT),$(CONTRACT)))

setup: .venv/.dev frontend/node_modules/.package-lock.json ## install what development needs

tools: ## install the Debian packages of tools.txt, which some tests need (as root)
	apt-get update -qq
	RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive xargs -a tools.txt apt-get install -qq --no-install-recommends
	@# Others package kubectl too, and the two exclude each other.
	command -v kubectl || apt-get install -qq --no-install-recommends kubernetes-client

build: $(WEB) ## build the console

api: setup ## renew the types of console and client's page from their OpenAPI
	$(BIN)/tessera openapi --to frontend/src/api/openapi.json
	$(PAGE_API) > frontend/src/client/openapi.json
	cd frontend && npm run api

bench: setup .venv/.bench ## measurements against peers; ONLY=lists for one part
	$(BIN)/python -m bench $(ONLY)

chaos: setup $(WEB) ## fault injection under load, then an audit; MINUTES=2 SEED=7
	$(BIN)/python -m chaos $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

format-test: setup ## the client and the TypeScript reader read 1,000 random spaces; SPACES=100 SEED=7
	$(BIN)/python -m client.tests.format $(if $(SPACES),--spaces $(SPACES)) $(if $(SEED),--first $(SEED))

failover: setup .venv/.failover ## the primary of three databases is killed under load; KILLS=2 SEED=7
	$(BIN)/python -m failover $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED))

hosts: setup .venv/.failover ## faults of one of three machines behind the proxy, under load; as root; SECONDS=10 SEED=7
	$(BIN)/python -m hosts $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

restore-drill: setup emulators .venv/.barman $(WEB) ## the database's disk is lost under load, and restored; MINUTES=2 SEED=7
	$(BIN)/python -m restore_drill $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

upgrade-test: setup $(WEB) ## two processes of the version before are upgraded under load; MINUTES=1 SEED=7
	$(BIN)/python -m upgrade $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

web-metrics: setup $(WEB) browser $(METRICS)/node_modules/.package-lock.json ## JavaScript per route, Lighthouse, interactions, axe
	PYTHONPATH=e2e $(BIN)/python -m metrics $(ONLY)

conformance: .venv/.dev ## print each sentence of the specification and the tests that prove it
	@PYTHONPATH=backend $(BIN)/python -m tests.conformance.proofs

schema: .venv/.dev ## renew docs/schema.sql from a migrated database
	PYTHONPATH=backend $(BIN)/python -m tests.kit.schema_document

screens: setup $(WEB) browser ## renew the pictures of every screen
	PYTHONPATH=e2e $(BIN)/python -m screens.pictures $(ONLY)

wheel: .venv/.dev $(WEB) ## one wheel with the service and the built console, and what it is made of
	trap 'rm -f $(COMMIT)' EXIT; git rev-parse HEAD > $(COMMIT) || rm $(COMMIT); \
	  rm -f dist/*.whl && $(BIN)/python -m build --wheel --no-isolation --outdir dist .
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
	  -o dist/tessera-service.cdx.json requirements.txt
	cd frontend && npm sbom --sbom-format cyclonedx --package-lock-only --omit dev > ../dist/tessera-console.cdx.json

client: .venv/.client $(WEB) ## the client: wheel, a .pyz for each system, native program and installer for this one
	PYTHONPATH=client:core:. .venv/client/bin/python -m client.delivery build

browser: .venv/.dev ## find or install a browser for the tests
	@$(BIN)/python e2e/browser.py

package-test: setup emulators .venv/.client $(WEB) ## install the .deb in a Debian of its own, use and remove it (as root)
	$(BIN)/pytest e2e/try_package.py

# Servers that stand for the cloud providers in tests.
emulators: .venv/.emulators $(EMULATORS)/node_modules/.package-lock.json ## install the cloud emulators for the tests

lock: .venv/.dev ## renew the hash-pinned requirements
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes --extra build pyproject.toml -o requirements.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes --extra build --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes $(EMULATORS)/requirements.in -o $(EMULATORS)/requirements.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes -c requirements.txt client/pyproject.toml -o client/requirements.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes -c requirements.txt --extra build client/pyproject.toml -o client/requirements-build.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes failover/requirements.in -o failover/requirements.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes --override deploy/backup/overrides.txt deploy/backup/requirements.in -o deploy/backup/requirements.txt
	UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile -q --universal --no-strip-extras --python-version 3.11 \
	  --generate-hashes bench/requirements.in -o bench/requirements.txt

clean: ## remove everything that make created
	rm -rf .venv frontend/node_modules $(EMULATORS)/node_modules $(METRICS)/node_modules backend/tessera/web client/tessera_client/ui/web dist var

.venv/.run: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tessera needs Python 3.11 or newer; name it with PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || \
	  { echo "Python cannot make virtual environments here; on Debian: apt install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/.dev: .venv/.run requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

.venv/.client: .venv/.run client/requirements-build.txt
	@test -x .venv/client/bin/python || $(PYTHON) -m venv .venv/client
	.venv/client/bin/pip install --quiet --disable-pip-version-check --require-hashes -r client/requirements-build.txt
	@touch $@

.venv/.emulators: .venv/.run $(EMULATORS)/requirements.txt
	@test -x .venv/emulators/bin/python || $(PYTHON) -m venv .venv/emulators
	.venv/emulators/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $(EMULATORS)/requirements.txt
	@touch $@

.venv/.failover: .venv/.run failover/requirements.txt
	@test -x .venv/failover/bin/python || $(SHARED_PYTHON) -m venv .venv/failover
	.venv/failover/bin/pip install --quiet --disable-pip-version-check --require-hashes -r failover/requirements.txt
	@touch $@

.venv/.barman: .venv/.run deploy/backup/requirements.txt
	@test -x .venv/barman/bin/python || $(SHARED_PYTHON) -m venv .venv/barman
	.venv/barman/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r deploy/backup/requirements.txt
	@touch $@

.venv/.bench: .venv/.run bench/requirements.txt
	@test -x .venv/bench/bin/python || $(PYTHON) -m venv .venv/bench
	.venv/bench/bin/pip install --quiet --disable-pip-version-check --require-hashes -r bench/requirements.txt
	@touch $@

$(EMULATORS)/node_modules/.package-lock.json $(METRICS)/node_modules/.package-lock.json: \
  %/node_modules/.package-lock.json: %/package-lock.json %/package.json
	cd $* && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

frontend/node_modules/.package-lock.json: frontend/package-lock.json frontend/package.json
	@node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' || \
	  { echo "Tessera needs Node 20.19 or newer."; exit 1; }
	cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(WEB): frontend/node_modules/.package-lock.json $(FRONTEND)
	cd frontend && npm run build --silent
	@touch $@
