"""`python tests/compare_site.py DIR`: the same as `python -m rulewright.compare_site DIR`, from a clone."""

import sys

from rulewright.compare_site import main

if __name__ == "__main__":
    sys.exit(main())
