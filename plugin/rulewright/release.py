"""Where Rulewright is published: the one place for its address. After a change, run `make golden`."""

REPOSITORY = "https://github.com/rulewright/rulewright"
IS_RELEASED = False  # whether the package index has it; .ci/release.py sets this at the first release
ARCHIVE = f"{REPOSITORY}/archive/main.zip"  # it installs where there is no Git
REQUIREMENT = "rulewright" if IS_RELEASED else f"rulewright @ {ARCHIVE}"  # for pip, in a requirements.txt
