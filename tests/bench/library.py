"""A million words of rules without a single block: how long a check takes, and how much memory."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from clean_book import write_book

PAGES, WORDS = 1000, 1000
GOALS = ("12 s", "250 MB")
MEASURED = """
import json, resource, sys
from rulewright.cli import main
sys.stdout, out = open("/dev/null", "w"), sys.stdout
assert main(["check", sys.argv[1]]) == 0
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
cpu = sum(usage.ru_utime + usage.ru_stime for usage in (own, others))
json.dump([cpu, own.ru_maxrss, others.ru_maxrss], out)
"""


class Cost(NamedTuple):
    """Of all processes together; memory as if they had none in common."""

    cpu: float  # seconds
    memory: int  # megabytes


def cost() -> Cost:
    from rulewright.compile.workers import process_count

    with tempfile.TemporaryDirectory() as folder:
        write_book(Path(folder), PAGES, WORDS)
        ran = subprocess.run([sys.executable, "-c", MEASURED, folder], check=True, capture_output=True, text=True)
    cpu, own, other = json.loads(ran.stdout)
    copies = process_count()
    return Cost(cpu, (own + (copies * other if copies > 1 else 0)) // 1024)
